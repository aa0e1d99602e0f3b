// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.link;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import org.onlab.packet.ChassisId;
import org.onlab.packet.Ethernet;
import org.onlab.packet.LLDP;
import org.onlab.packet.MacAddress;
import org.onlab.packet.ONOSLLDP;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;

/**
 * The LLDP frame that finds links. It names the port that sent it and is signed, so that neither another controller's
 * probes nor forged ones make links.
 */
final class LinkProbe {

    private LinkProbe() {
    }

    /**
     * {@return the frame to send out of a port}
     *
     * @param secret with which probes are signed, not null
     */
    static ByteBuffer encode(ConnectPoint from, ChassisId chassis, String secret) {
        ONOSLLDP probe = ONOSLLDP.onosSecureLLDP(
                from.deviceId().toString(), chassis, (int) from.port().toLong(), secret);
        Ethernet frame = new Ethernet();
        frame.setEtherType(Ethernet.TYPE_LLDP)
                .setDestinationMACAddress(MacAddress.ONOS_LLDP)
                .setSourceMACAddress(MacAddress.ONOS)
                .setPad(true);
        frame.setPayload(probe);
        return ByteBuffer.wrap(frame.serialize());
    }

    /**
     * {@return where a frame was sent from, empty if it is no probe with our signature}
     *
     * @param frame any frame
     * @param secret with which probes are signed, not null
     * @param maxAge older probes do not count
     */
    static Optional<ConnectPoint> decode(Ethernet frame, String secret, Duration maxAge) {
        if (frame.getEtherType() != Ethernet.TYPE_LLDP || !(frame.getPayload() instanceof LLDP)) {
            return Optional.empty();
        }
        try {
            ONOSLLDP probe = ONOSLLDP.parseONOSLLDP(frame);
            if (probe == null || !ONOSLLDP.verify(probe, secret, maxAge.toMillis())) {
                return Optional.empty();
            }
            return Optional.of(new ConnectPoint(DeviceId.deviceId(probe.getDeviceString()),
                    PortNumber.portNumber(Integer.toUnsignedLong(probe.getPort()))));
        } catch (RuntimeException e) {
            // The parser trusts lengths and formats inside the frame.
            return Optional.empty();
        }
    }
}
