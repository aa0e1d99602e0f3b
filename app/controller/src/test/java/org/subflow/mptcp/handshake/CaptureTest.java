// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPacket;
import org.onlab.packet.IPv4;
import org.onlab.packet.IpAddress;
import org.onlab.packet.TCP;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.SegmentReader;
import org.subflow.mptcp.segment.option.MpCapable;
import org.subflow.mptcp.segment.option.MpJoin;
import org.subflow.mptcp.segment.option.MptcpOption;
import org.subflow.mptcp.segment.option.MptcpOptionParser;
import org.subflow.mptcp.segment.option.MptcpOptions;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.segment.option.Subtype;
import org.subflow.mptcp.token.Keys;
import org.subflow.mptcp.token.TokenTable;

/** Captures of kernel MPTCP against what is known to be in them. */
public class CaptureTest {
    private static final String PLAIN = "plain-tcp-no-mptcp.pcap";
    private static final String FALLBACK = "fallback-server-plain-tcp.pcap";
    private static final String ADDRESSES = "single-homed-3sf-3-addresses.pcap";
    private static final String PORTS = "single-homed-3sf-port-endpoints.pcap";

    private final DetectCounters counters = new DetectCounters();
    private final SegmentReader reader = new SegmentReader(counters);

    /**
     * Describes every segment of a capture as {@code expected.txt} does and compares, line by line: segments with SYN,
     * and those with MP_CAPABLE, MP_JOIN or ADD_ADDR.
     */
    @TestFactory
    List<DynamicTest> everyLineOfExpected() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        expected().forEach((capture, lines) -> tests.add(
                DynamicTest.dynamicTest(capture, () -> assertEquals(lines, new Describer().describe(capture)))));
        assertEquals(4, tests.size());
        return tests;
    }

    private static Map<String, List<String>> expected() throws IOException {
        Map<String, List<String>> expected = new HashMap<>();
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                CaptureTest.class.getResourceAsStream("/pcap/expected.txt"), StandardCharsets.UTF_8))) {
            List<String> lines = null;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith("# ")) {
                    lines = expected.computeIfAbsent(line.substring(2), name -> new ArrayList<>());
                } else {
                    lines.add(line.trim().replaceAll(" +", " "));
                }
            }
        }
        return expected;
    }

    /** Writes the lines of {@code expected.txt} from what parser and keys say. */
    private final class Describer {
        private final Map<Token, FiveTuple> connections = new HashMap<>();
        private final Map<FiveTuple, Long> listenerKeys = new HashMap<>();
        private final Map<Token, long[]> keysOfToken = new HashMap<>();
        private final Map<FiveTuple, MpJoin.Syn> joins = new HashMap<>();
        private final Map<FiveTuple, MpJoin.SynAck> answers = new HashMap<>();

        List<String> describe(String capture) throws IOException {
            List<String> lines = new ArrayList<>();
            for (Segment segment : segments(capture)) {
                MptcpOptions options = MptcpOptionParser.parse(segment.options(), segment.flags());
                assertTrue(options.malformed.isEmpty(), () -> segment + ": " + options);
                String prefix = flags(segment) + " " + segment.fiveTuple() + " ";
                if (options.isEmpty() && (segment.flags() & Segment.SYN) != 0) {
                    lines.add(prefix + "no MPTCP option");
                }
                for (MptcpOption option : options.options) {
                    if (option.subtype() != Subtype.DSS) {
                        lines.add((prefix + option + note(segment.fiveTuple(), option)).trim());
                    }
                }
            }
            return lines;
        }

        private String flags(Segment segment) {
            return ((segment.flags() & Segment.SYN) != 0 ? "S" : "") + ((segment.flags() & 0x08) != 0 ? "P" : "")
                    + ((segment.flags() & Segment.ACK) != 0 ? "A" : "");
        }

        private String note(FiveTuple fiveTuple, MptcpOption option) {
            if (option instanceof MpCapable) {
                return capable(fiveTuple, (MpCapable) option);
            }
            if (option instanceof MpJoin.Syn) {
                MpJoin.Syn join = (MpJoin.Syn) option;
                joins.put(fiveTuple, join);
                FiveTuple connection = connections.get(join.token);
                return String.format(" token=%s -> conn ('%s', %d, '%s', %d)", join.token, connection.source(),
                                     connection.sourcePort(), connection.destination(), connection.destinationPort());
            }
            if (option instanceof MpJoin.SynAck) {
                MpJoin.SynAck answer = (MpJoin.SynAck) option;
                MpJoin.Syn join = joins.get(fiveTuple.reversed());
                answers.put(fiveTuple.reversed(), answer);
                long[] keys = keysOfToken.get(join.token);
                byte[] hmac = Keys.synAckHmac(MptcpVersion.V1, keys[0], keys[1], join.nonce, answer.nonce);
                assertArrayEquals(hmac, answer.hmac());
                return " HMAC-B ok=True";
            }
            if (option instanceof MpJoin.Ack) {
                MpJoin.Syn join = joins.get(fiveTuple);
                long[] keys = keysOfToken.get(join.token);
                byte[] hmac = Keys.ackHmac(MptcpVersion.V1, keys[0], keys[1], join.nonce,
                                           answers.get(fiveTuple).nonce);
                assertArrayEquals(hmac, ((MpJoin.Ack) option).hmac());
                return " HMAC-A ok=True";
            }
            return "";
        }

        private String capable(FiveTuple fiveTuple, MpCapable capable) {
            if (capable.senderKey.isEmpty()) {
                return "";
            }
            long senderKey = capable.senderKey.getAsLong();
            Token token = Keys.token(capable.version, senderKey);
            if (capable.receiverKey.isEmpty()) {
                listenerKeys.put(fiveTuple.reversed(), senderKey);
                connections.put(token, fiveTuple.reversed());
                return " rkey token=" + token;
            }
            long receiverKey = capable.receiverKey.getAsLong();
            keysOfToken.put(Keys.token(capable.version, receiverKey), new long[] {senderKey, receiverKey});
            return " skey token=" + token + " rkey match="
                    + (receiverKey == listenerKeys.get(fiveTuple) ? "True" : "False");
        }
    }

    private List<Segment> segments(String capture) throws IOException {
        List<Segment> segments = new ArrayList<>();
        for (PcapReader.Frame frame : PcapReader.read(capture)) {
            reader.read(frame.octets).ifPresent(segments::add);
        }
        return segments;
    }

    /** Runs a capture through a tracker; the events, with the tokens registered as a connection layer does. */
    private List<HandshakeEvent> track(String capture) throws IOException {
        TokenTable tokens = new TokenTable();
        HandshakeTracker tracker = new HandshakeTracker(TrackerLimits.DEFAULTS, tokens, counters);
        List<HandshakeEvent> events = new ArrayList<>();
        for (PcapReader.Frame frame : PcapReader.read(capture)) {
            reader.read(frame.octets).ifPresent(segment -> {
                Decision decision = tracker.process(segment, frame.nanos);
                decision.event.filter(CapableEstablished.class::isInstance).map(CapableEstablished.class::cast)
                        .ifPresent(event -> tokens.register(event.fiveTuple, event.keys));
                decision.event.ifPresent(events::add);
                assertFalse(decision.kind == Decision.Kind.UNKNOWN_MIDSTREAM, () -> "midstream: " + segment);
            });
        }
        assertEquals(0, tracker.handshakes());
        return events;
    }

    @Test
    void plainTcpIsPlain() throws IOException {
        assertEquals(List.of("plain 10.0.0.1:35944>10.0.0.2:5201 NOT_OFFERED"), texts(track(PLAIN)));
    }

    @Test
    void fallbackIsPlain() throws IOException {
        assertEquals(List.of("plain 10.0.0.1:38130>10.0.0.2:5201 REFUSED"), texts(track(FALLBACK)));
        assertEquals(1, counters.get(Counter.ESTABLISHED_FALLBACK));
    }

    @Test
    void threeSubflowsFromThreeAddresses() throws IOException {
        List<HandshakeEvent> events = track(ADDRESSES);
        assertEquals(List.of("MP_CAPABLE 10.0.0.1:38118>10.0.0.2:5201 V1 initiator 9e8c096f listener 62c2ac68",
                             "MP_JOIN 10.0.0.11:59189>10.0.0.2:5201 token 62c2ac68 of 10.0.0.1:38118>10.0.0.2:5201",
                             "MP_JOIN 10.0.0.12:51773>10.0.0.2:5201 token 62c2ac68 of 10.0.0.1:38118>10.0.0.2:5201"),
                     texts(events));
        List<JoinEstablished> joins = events.stream().skip(1).map(JoinEstablished.class::cast)
                .collect(Collectors.toList());
        assertEquals(List.of(1, 2), joins.stream().map(event -> event.addressId).collect(Collectors.toList()));
        assertTrue(joins.stream().allMatch(join -> join.authenticated && join.owner.joins == Direction.UP && !join.backup));
    }

    @Test
    void threeSubflowsToThreePorts() throws IOException {
        assertEquals(List.of("MP_CAPABLE 10.0.0.1:38106>10.0.0.2:5201 V1 initiator 52946d32 listener a4159377",
                             "MP_JOIN 10.0.0.1:37737>10.0.0.2:5302 token a4159377 of 10.0.0.1:38106>10.0.0.2:5201",
                             "MP_JOIN 10.0.0.1:45445>10.0.0.2:5301 token a4159377 of 10.0.0.1:38106>10.0.0.2:5201"),
                     texts(track(PORTS)));
    }

    private static List<String> texts(List<HandshakeEvent> events) {
        return events.stream().map(HandshakeEvent::toString).collect(Collectors.toList());
    }

    /** What ONOS parses and what the reader reads are the same, where ONOS parses. */
    @Test
    void readsTheSameAsOnos() throws Exception {
        int compared = 0;
        for (String capture : List.of(PLAIN, FALLBACK, ADDRESSES, PORTS)) {
            for (PcapReader.Frame frame : PcapReader.read(capture)) {
                IPacket ip = Ethernet.deserializer().deserialize(frame.octets, 0, frame.octets.length).getPayload();
                IPacket tcp = ip instanceof IPv4 ? ip.getPayload() : null;
                assertEquals(tcp instanceof TCP ? full((IPv4) ip, (TCP) tcp) : "none",
                             reader.read(frame.octets).map(CaptureTest::full).orElse("none"));
                compared += tcp instanceof TCP ? 1 : 0;
            }
        }
        assertTrue(compared > 200, "only " + compared + " segments");
    }

    private static String full(IPv4 ip, TCP tcp) {
        FiveTuple tuple = FiveTuple.of(IpAddress.valueOf(ip.getSourceAddress()), tcp.getSourcePort(),
                                       IpAddress.valueOf(ip.getDestinationAddress()), tcp.getDestinationPort());
        int payload = ip.getTotalLength() - 4 * ip.getHeaderLength() - 4 * tcp.getDataOffset();
        return full(Segment.of(tuple, tcp.getFlags(), tcp.getSequence(), tcp.getAcknowledge(), tcp.getOptions(), payload));
    }

    private static String full(Segment segment) {
        return segment + " " + Arrays.toString(segment.options());
    }
}
