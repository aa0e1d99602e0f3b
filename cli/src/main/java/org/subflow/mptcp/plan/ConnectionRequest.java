// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

/** A connection to be placed, with traffic from source to target only. Immutable. */
final class ConnectionRequest {
    /** The most subflows of a connection; far above what kernels open. */
    static final int MOST_SUBFLOWS = 1000;

    final String id;
    final int source;
    final int target;
    final int subflows;
    final double weight;
    final double cap;

    /**
     * Makes a request.
     *
     * @param id       its name
     * @param source   node where it starts
     * @param target   node where it ends, another
     * @param subflows how many it opens, 1 to {@link #MOST_SUBFLOWS}
     * @param weight   with twice the weight it is entitled to twice the rate; finite and above 0
     * @param cap      the most that it sends in bit/s, positive infinity for no limit
     */
    ConnectionRequest(String id, int source, int target, int subflows, double weight, double cap) {
        this.id = id;
        this.source = source;
        this.target = target;
        this.subflows = subflows;
        this.weight = weight;
        this.cap = cap;
    }
}
