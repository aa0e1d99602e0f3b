// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import java.util.function.Supplier;
import org.onosproject.openflow.controller.Dpid;

/** What bounds the segments that switches bring: by port, and by service. */
final class Pauses {

    private final PausedPorts ports;
    private final PausedServices services;

    Pauses(PausedPorts ports, PausedServices services) {
        this.ports = ports;
        this.services = services;
    }

    PausedPorts ports() {
        return ports;
    }

    PausedServices services() {
        return services;
    }

    /**
     * Counts a segment, and tells whether it is to be looked at.
     *
     * @param isByService whether it counts for its service, too
     * @param frame the frame, which is read only if the port is not paused
     */
    boolean admits(Dpid dpid, int port, boolean isByService, Supplier<byte[]> frame) {
        return ports.admits(dpid, port, frame) && (!isByService || services.admits(dpid, port, frame.get()));
    }
}
