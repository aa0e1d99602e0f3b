// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate.engine;

/** A link that goes down or comes up. Immutable. */
public final class LinkChange {
    /** When, in seconds. */
    public final double at;
    /** Number of the link in the graph. */
    public final int link;
    /** Whether it comes up. */
    public final boolean up;

    /** Makes a change; the time is not negative. */
    public LinkChange(double at, int link, boolean up) {
        this.at = at;
        this.link = link;
        this.up = up;
    }
}
