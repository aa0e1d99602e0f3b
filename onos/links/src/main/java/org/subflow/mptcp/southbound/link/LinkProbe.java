// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.link;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.onlab.packet.ChassisId;
import org.onlab.packet.Ethernet;
import org.onlab.packet.LLDP;
import org.onlab.packet.MacAddress;
import org.onlab.packet.ONOSLLDP;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;

/**
 * The LLDP frame that finds links. It names the port that sent it and the time, and is signed, so that neither another
 * controller's probes nor forged ones make links.
 */
final class LinkProbe {
    private static final String SIGNATURE = "HmacSHA256";

    private final ConnectPoint from;
    private final long sentMillis;

    private LinkProbe(ConnectPoint from, long sentMillis) {
        this.from = from;
        this.sentMillis = sentMillis;
    }

    /** {@return the port that sent it} */
    ConnectPoint from() {
        return from;
    }

    /** {@return when it was sent by the clock of the node that made it, milliseconds of the Unix epoch} */
    long sentMillis() {
        return sentMillis;
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
     * {@return the probe in a frame, empty if it is none with our signature}
     *
     * @param frame any frame
     * @param secret with which probes are signed, not null
     */
    static Optional<LinkProbe> decode(Ethernet frame, String secret) {
        if (frame.getEtherType() != Ethernet.TYPE_LLDP || !(frame.getPayload() instanceof LLDP)) {
            return Optional.empty();
        }
        try {
            ONOSLLDP probe = ONOSLLDP.parseONOSLLDP(frame);
            if (probe == null || !isSigned(probe, secret)) {
                return Optional.empty();
            }
            return Optional.of(new LinkProbe(
                    new ConnectPoint(DeviceId.deviceId(probe.getDeviceString()),
                            PortNumber.portNumber(Integer.toUnsignedLong(probe.getPort()))),
                    probe.getTimestamp()));
        } catch (RuntimeException e) {
            // The parser trusts lengths and formats inside the frame.
            return Optional.empty();
        }
    }

    /** ONOS's own check would also compare the time on the probe with the clock here, and refuse one that is ahead. */
    private static boolean isSigned(ONOSLLDP probe, String secret) {
        if (probe.getDeviceString() == null || probe.getSig() == null) {
            return false;
        }
        try {
            Mac mac = Mac.getInstance(SIGNATURE);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), SIGNATURE));
            mac.update(probe.getDeviceString().getBytes(StandardCharsets.UTF_8));
            mac.update(ByteBuffer.allocate(2 * Long.BYTES).putLong(probe.getPort()).putLong(probe.getTimestamp()).array());
            return MessageDigest.isEqual(mac.doFinal(), probe.getSig());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Java lacks " + SIGNATURE, e);
        }
    }
}
