// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import org.onosproject.net.HostId;
import org.subflow.mptcp.api.FiveTuple;

/**
 * A five-tuple as key of a table that hosts can fill: the hash is computed once, and keys are comparable, so that a
 * hash map with chosen collisions costs O(log n) a look-up, not O(n).
 */
public final class TupleKey implements Comparable<TupleKey> {
    private final FiveTuple fiveTuple;
    private final int hash;

    private TupleKey(FiveTuple fiveTuple) {
        this.fiveTuple = fiveTuple;
        this.hash = fiveTuple.hashCode();
    }

    /** Returns the key of one direction. */
    public static TupleKey directed(FiveTuple fiveTuple) {
        return new TupleKey(fiveTuple);
    }

    /** Returns the same key for both directions. */
    static TupleKey undirected(FiveTuple fiveTuple) {
        TupleKey there = new TupleKey(fiveTuple);
        TupleKey back = new TupleKey(fiveTuple.reversed());
        return there.compareTo(back) <= 0 ? there : back;
    }

    FiveTuple fiveTuple() {
        return fiveTuple;
    }

    @Override
    public int compareTo(TupleKey other) {
        FiveTuple that = other.fiveTuple;
        int order = Integer.compare(fiveTuple.sourcePort(), that.sourcePort());
        if (order == 0) {
            order = Integer.compare(fiveTuple.destinationPort(), that.destinationPort());
        }
        if (order == 0) {
            order = fiveTuple.source().compareTo(that.source());
        }
        if (order == 0) {
            order = fiveTuple.destination().compareTo(that.destination());
        }
        if (order == 0) {
            order = compare(fiveTuple.sourceHost(), that.sourceHost());
        }
        return order == 0 ? compare(fiveTuple.destinationHost(), that.destinationHost()) : order;
    }

    private static int compare(HostId one, HostId other) {
        int order = Long.compare(one.mac().toLong(), other.mac().toLong());
        return order == 0 ? Short.compare(one.vlanId().toShort(), other.vlanId().toShort()) : order;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TupleKey && hash == ((TupleKey) other).hash
                && fiveTuple.equals(((TupleKey) other).fiveTuple);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
