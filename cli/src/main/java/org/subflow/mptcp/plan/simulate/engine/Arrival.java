// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate.engine;

/** A connection that begins, with what it has to send from source to target. The same for every strategy. Immutable. */
public final class Arrival {
    /** Its place among all arrivals, from 0. */
    public final int number;
    /** When it begins, in seconds. */
    public final double at;
    /** The node that sends. */
    public final int source;
    /** The node that receives, another. */
    public final int target;
    /** What it sends: payload in bytes, above 0. */
    public final double bytes;
    /** Stands for the hash key of its five-tuple. */
    public final long flowKey;

    /**
     * Makes an arrival.
     *
     * @param number  its place among all arrivals, from 0
     * @param at      when it begins, in seconds, not negative
     * @param source  the node that sends
     * @param target  the node that receives, another
     * @param bytes   payload in bytes, finite and above 0
     * @param flowKey stands for the hash key of its five-tuple
     */
    public Arrival(int number, double at, int source, int target, double bytes, long flowKey) {
        this.number = number;
        this.at = at;
        this.source = source;
        this.target = target;
        this.bytes = bytes;
        this.flowKey = flowKey;
    }
}
