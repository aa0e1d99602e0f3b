// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import com.google.common.collect.ImmutableList;
import java.util.Collection;
import java.util.Objects;
import org.subflow.mptcp.api.FiveTuple;

/** The subflows that a connection's client shall open and close. Five-tuples have the client as the source. Immutable. */
public final class PathWish {
    /** Nothing to open or to close. */
    public static final PathWish NONE = new PathWish(ImmutableList.of(), ImmutableList.of());

    private final ImmutableList<FiveTuple> add;
    private final ImmutableList<FiveTuple> drop;

    /**
     * Makes a wish.
     *
     * @param add  subflows to open once the connection's rules are in the switches; not null
     * @param drop subflows to close; not null
     */
    public PathWish(Collection<FiveTuple> add, Collection<FiveTuple> drop) {
        this.add = ImmutableList.copyOf(add);
        this.drop = ImmutableList.copyOf(drop);
    }

    /** Returns the subflows to open. */
    public ImmutableList<FiveTuple> add() {
        return add;
    }

    /** Returns the subflows to close. */
    public ImmutableList<FiveTuple> drop() {
        return drop;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PathWish && add.equals(((PathWish) other).add) && drop.equals(((PathWish) other).drop);
    }

    @Override
    public int hashCode() {
        return Objects.hash(add, drop);
    }
}
