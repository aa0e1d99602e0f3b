// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

/** Where the capacity of a directed link is from. The first of these that says one counts. */
public enum CapacitySource {
    /** {@code bandwidthCapacity} of the source port, in ONOS's network configuration. */
    BANDWIDTH_CAPACITY("bandwidthCapacity"),
    /** {@code basic.bandwidth} of the link, in ONOS's network configuration. */
    BASIC_BANDWIDTH("basic.bandwidth"),
    /** The speed of the source port, as its switch tells it. */
    PORT_SPEED("portSpeed"),
    /** Nothing says a capacity. */
    UNKNOWN("unknown");

    private final String text;

    CapacitySource(String text) {
        this.text = text;
    }

    /** Returns the source as users read it. */
    @Override
    public String toString() {
        return text;
    }
}
