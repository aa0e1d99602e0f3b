// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import com.google.common.collect.ImmutableList;
import java.util.Collection;
import java.util.Objects;
import org.subflow.mptcp.api.FiveTuple;

/** The subflows that a connection's client shall open and close. Five-tuples have the client as the source. Immutable. */
public final class PathCommand {
    /** Nothing to open or to close. */
    public static final PathCommand NONE = new PathCommand(ImmutableList.of(), ImmutableList.of());

    /** The subflows to open once the connection's rules are in the switches. */
    public final ImmutableList<FiveTuple> add;
    /** The subflows to close. */
    public final ImmutableList<FiveTuple> drop;

    /** Makes a command; nothing may be null. */
    public PathCommand(Collection<FiveTuple> add, Collection<FiveTuple> drop) {
        this.add = ImmutableList.copyOf(add);
        this.drop = ImmutableList.copyOf(drop);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PathCommand && add.equals(((PathCommand) other).add) && drop.equals(((PathCommand) other).drop);
    }

    @Override
    public int hashCode() {
        return Objects.hash(add, drop);
    }
}
