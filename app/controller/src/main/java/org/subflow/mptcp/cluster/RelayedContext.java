// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import org.onosproject.net.packet.DefaultPacketContext;
import org.onosproject.net.packet.InboundPacket;
import org.subflow.mptcp.loop.SteadyClock;

/** A packet that another ONOS node got, and that no other application handles here. */
public final class RelayedContext extends DefaultPacketContext {
    public RelayedContext(InboundPacket in) {
        super(SteadyClock.SYSTEM.epochMillis(), in, null, false);
    }

    @Override
    public void send() {
        // It is forwarded by packet-out.
    }
}
