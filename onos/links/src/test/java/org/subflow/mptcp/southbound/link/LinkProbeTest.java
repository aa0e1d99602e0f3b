// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.onlab.packet.ChassisId;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onlab.packet.LLDP;
import org.onlab.packet.ONOSLLDP;
import org.onosproject.net.ConnectPoint;

class LinkProbeTest {

    private static final ConnectPoint FROM = ConnectPoint.deviceConnectPoint("of:00000000000000ab/65000");
    private static final String SECRET = "secret";

    @Test
    void probeTellsWhereItCameFrom() throws Exception {
        long before = System.currentTimeMillis();
        LinkProbe probe = LinkProbe.decode(frame(probe()), SECRET).orElseThrow();
        assertEquals(FROM, probe.from());
        assertTrue(before <= probe.sentMillis() && probe.sentMillis() <= System.currentTimeMillis());
    }

    @Test
    void probeOfAnotherClusterDoesNotCount() throws Exception {
        assertEquals(Optional.empty(), LinkProbe.decode(frame(probe()), "another"));
    }

    /** Another version of ONOS may have signed it. */
    @Test
    void onosTakesIt() throws Exception {
        assertTrue(ONOSLLDP.verify(ONOSLLDP.parseONOSLLDP(frame(probe())), SECRET, 60_000));
    }

    @Test
    void foreignLldpDoesNotCount() {
        Ethernet frame = new Ethernet();
        frame.setEtherType(Ethernet.TYPE_LLDP);
        frame.setPayload(new LLDP());
        assertEquals(Optional.empty(), LinkProbe.decode(frame, SECRET));
    }

    @Test
    void otherFramesDoNotCount() {
        assertEquals(Optional.empty(), LinkProbe.decode(new Ethernet().setEtherType(Ethernet.TYPE_IPV4), SECRET));
    }

    @Test
    void changedProbeNeverThrowsAndNeverLies() {
        Random random = new Random(1);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = probe();
            bytes[14 + random.nextInt(bytes.length - 14)] = (byte) random.nextInt();
            byte[] cut = Arrays.copyOf(bytes, random.nextBoolean() ? bytes.length : random.nextInt(bytes.length));
            parse(cut).flatMap(frame -> LinkProbe.decode(frame, SECRET))
                    .ifPresent(known -> assertEquals(FROM, known.from()));
        }
    }

    /** Returns the frame, empty if it does not get past the parser that comes before the decoder. */
    private static Optional<Ethernet> parse(byte[] bytes) {
        try {
            return Optional.of(frame(bytes));
        } catch (DeserializationException | RuntimeException e) {
            return Optional.empty();
        }
    }

    private static byte[] probe() {
        ByteBuffer frame = LinkProbe.encode(FROM, new ChassisId(0xab), SECRET);
        byte[] bytes = new byte[frame.capacity()];
        frame.duplicate().clear().get(bytes);
        return bytes;
    }

    private static Ethernet frame(byte[] bytes) throws DeserializationException {
        return Ethernet.deserializer().deserialize(bytes, 0, bytes.length);
    }
}
