// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.file;

/** A demand of a file: what one node sends to another. Immutable. */
public final class FileDemand {
    /** Its name in the file. */
    public final String id;
    /** The node that sends, by its name. */
    public final String source;
    /** The node that gets it, by its name. */
    public final String target;
    /** How much at most, in Mbit/s; infinite if that is unknown. */
    public final double mbps;
    /** How many subflows its connection has; 0 if the file does not say. */
    public final int subflows;

    FileDemand(String id, String source, String target, double mbps) {
        this(id, source, target, mbps, 0);
    }

    private FileDemand(String id, String source, String target, double mbps, int subflows) {
        this.id = id;
        this.source = source;
        this.target = target;
        this.mbps = mbps;
        this.subflows = subflows;
    }

    /** Returns the same demand of a connection with so many subflows. */
    FileDemand subflows(int count) {
        return new FileDemand(id, source, target, mbps, count);
    }
}
