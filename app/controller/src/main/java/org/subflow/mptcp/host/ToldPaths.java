// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Objects;
import org.subflow.mptcp.api.FiveTuple;

/** What a connection's client is told of its subflows. Five-tuples have the client as the source. Immutable. */
public final class ToldPaths {
    private final FiveTuple first;
    private final PathWish wish;
    private final ImmutableList<FiveTuple> backups;

    ToldPaths(FiveTuple first, PathWish wish, List<FiveTuple> backups) {
        this.first = checkNotNull(first, "first");
        this.wish = checkNotNull(wish, "wish");
        this.backups = ImmutableList.copyOf(backups);
    }

    /** Returns the connection's first subflow, by which the client knows it. */
    public FiveTuple first() {
        return first;
    }

    /** Returns the subflows to open and to close. */
    public PathWish wish() {
        return wish;
    }

    /** Returns the subflows to use only when there is no other: those that are expected to get nothing. */
    public ImmutableList<FiveTuple> backups() {
        return backups;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof ToldPaths)) {
            return false;
        }
        ToldPaths that = (ToldPaths) other;
        return first.equals(that.first) && wish.equals(that.wish) && backups.equals(that.backups);
    }

    @Override
    public int hashCode() {
        return Objects.hash(first, wish, backups);
    }
}
