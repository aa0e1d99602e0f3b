// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

/** A reason why a connection or subflow stays unmanaged. */
public enum Refusal {
    /** At an end of it there is no host with one attachment point. */
    WITHOUT_PORTS("ONOS does not know exactly one attachment point of each of its hosts"),
    /** Its policy says so. */
    POLICY("its policy leaves it unmanaged"),
    /** There are as many connections as there may be, in all or of its client. */
    TOO_MANY("there are as many managed connections as there may be, in all or of its client"),
    /** Its fair share is below the least rate of its policy. */
    SHORT("its fair share would be below the least rate of its policy"),
    /** Its connection has as many subflows as it may have. */
    TOO_MANY_SUBFLOWS("its connection has as many subflows as it may have"),
    /** In a cluster, another node decides by now. */
    NO_MANDATE("this node does not lead any more"),
    /** A flow table on its paths has no room. */
    FLOW_TABLES("a switch on its paths has no room for its rules");

    private final String text;

    Refusal(String text) {
        this.text = text;
    }

    /** Returns the reason for users, as a clause. */
    @Override
    public String toString() {
        return text;
    }
}
