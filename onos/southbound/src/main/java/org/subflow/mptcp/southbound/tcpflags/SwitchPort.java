// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import java.util.Objects;
import org.onosproject.openflow.controller.Dpid;

/** A port of a switch. Immutable. */
final class SwitchPort {

    private final Dpid dpid;
    private final int port;

    SwitchPort(Dpid dpid, int port) {
        this.dpid = dpid;
        this.port = port;
    }

    Dpid dpid() {
        return dpid;
    }

    int port() {
        return port;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SwitchPort && port == ((SwitchPort) other).port && dpid.equals(((SwitchPort) other).dpid);
    }

    @Override
    public int hashCode() {
        return Objects.hash(dpid, port);
    }
}
