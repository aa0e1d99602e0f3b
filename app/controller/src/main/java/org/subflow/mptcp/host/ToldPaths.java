// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Objects;
import org.subflow.mptcp.api.FiveTuple;

/** What a connection's client is told of its subflows. Five-tuples have the client as the source. Immutable. */
public final class ToldPaths {
    /** The connection's first subflow, by which the client knows it. */
    public final FiveTuple first;
    /** The subflows to open and to close. */
    public final PathCommand command;
    /** The subflows to use only when there is no other: those that are expected to get nothing. */
    public final ImmutableList<FiveTuple> backups;

    ToldPaths(FiveTuple first, PathCommand command, List<FiveTuple> backups) {
        this.first = checkNotNull(first, "first");
        this.command = checkNotNull(command, "command");
        this.backups = ImmutableList.copyOf(backups);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof ToldPaths)) {
            return false;
        }
        ToldPaths that = (ToldPaths) other;
        return first.equals(that.first) && command.equals(that.command) && backups.equals(that.backups);
    }

    @Override
    public int hashCode() {
        return Objects.hash(first, command, backups);
    }
}
