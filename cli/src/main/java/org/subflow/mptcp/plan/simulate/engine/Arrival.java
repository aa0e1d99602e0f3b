// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate.engine;

import org.subflow.mptcp.placement.PlacementTerms;

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
    private int subflows;
    private double weight = 1;

    /** Makes an arrival; its time is not negative, its bytes are finite. */
    public Arrival(int number, double at, int source, int target, double bytes, long flowKey) {
        this.number = number;
        this.at = at;
        this.source = source;
        this.target = target;
        this.bytes = bytes;
        this.flowKey = flowKey;
    }

    /**
     * Returns the same arrival with terms of its own.
     *
     * @param newSubflows how many it opens once it has earned its paths; 0 for as many as all others
     * @param newWeight   with twice the weight it is entitled to twice the rate; finite and above 0
     */
    public Arrival with(int newSubflows, double newWeight) {
        Arrival other = new Arrival(number, at, source, target, bytes, flowKey);
        other.subflows = newSubflows;
        other.weight = newWeight;
        return other;
    }

    /** Returns the same arrival with another key. */
    public Arrival withFlowKey(long newKey) {
        return new Arrival(number, at, source, target, bytes, newKey).with(subflows, weight);
    }

    /** Returns the terms of its connection, given those of all others. */
    PlacementTerms terms(PlacementTerms usual) {
        PlacementTerms opened = subflows == 0 ? usual : usual.withSubflows(subflows);
        return weight == 1 ? opened : opened.withShare(weight, Double.POSITIVE_INFINITY);
    }

    /** Returns its weight. */
    double weight() {
        return weight;
    }
}
