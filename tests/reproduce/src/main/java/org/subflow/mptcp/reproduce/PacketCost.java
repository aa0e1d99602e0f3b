// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reproduce;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onlab.packet.IpAddress;
import org.onlab.packet.TCP;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.SegmentReader;
import org.subflow.mptcp.segment.option.MpCapable;
import org.subflow.mptcp.segment.option.MpJoin;
import org.subflow.mptcp.segment.option.MptcpOption;
import org.subflow.mptcp.segment.option.MptcpOptionEncoder;
import org.subflow.mptcp.segment.option.MptcpOptionParser;
import org.subflow.mptcp.segment.option.MptcpOptions;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.token.ConnectionKeys;
import org.subflow.mptcp.token.TokenOwner;
import org.subflow.mptcp.token.TokenTable;

/**
 * The controller's processing time for a SYN (Multiflow, Fig. 9), with its own reader and parser. The SYNs are as Linux sends
 * them: without MPTCP, with MP_CAPABLE, and with MP_JOIN.
 *
 * <p>The paper says that it measures only parsing. But it explains the differences with finding a route, and with recovering
 * and pruning the topology. So both are here. {@code parse…} reads the segment and its options. {@code answer…} also does
 * Multiflow's next step: nothing; a route; or the token's connection and a route disjoint from its first path.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class PacketCost {
    /** The options that Linux sends before the MPTCP option: maximum segment size, SACK, timestamps, window scale. */
    private static final byte[] USUAL = {2, 4, 5, (byte) 0xb4, 4, 2, 8, 10, 1, 2, 3, 4, 0, 0, 0, 0, 1, 3, 3, 7};
    private static final long LISTENER_KEY = 0x0123456789abcdefL;

    private final SegmentReader reader = new SegmentReader(new DetectCounters());
    private final TokenTable tokens = new TokenTable();
    private final Graph graph = Multiflow.topology();
    private final Map<FiveTuple, List<Path>> pathsOf = new HashMap<>();
    private byte[] plain;
    private byte[] capable;
    private byte[] join;

    /** Makes the frames and a connection that the MP_JOIN belongs to. */
    @Setup
    public void prepare() {
        FiveTuple connection = FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 40000, IpAddress.valueOf("10.0.0.2"), 5201);
        ConnectionKeys keys = new ConnectionKeys(MptcpVersion.V1, OptionalLong.empty(), OptionalLong.of(LISTENER_KEY));
        Token token = keys.listenerToken.orElseThrow();
        tokens.register(connection, keys);
        pathsOf.put(connection, List.of(Multiflow.next(graph, List.of()).get(0)));
        plain = frame(40001, List.of());
        capable = frame(40002, List.of(MpCapable.synV1(MpCapable.HMAC)));
        join = frame(40003, List.of(new MpJoin.Syn(false, 1, token, 42)));
        check();
    }

    /** Checks that the parser reads the frames as intended; otherwise the times would be meaningless. */
    private void check() {
        if (!parse(plain).isEmpty() || parse(capable).get(MpCapable.class).isEmpty()
                || parse(join).get(MpJoin.Syn.class).isEmpty()) {
            throw new IllegalStateException("parsed as " + parse(plain) + ", " + parse(capable) + ", " + parse(join));
        }
        if (answer(capable).size() != 1 || answer(join).size() != 1 || answer(join).equals(answer(capable))) {
            throw new IllegalStateException("the MP_JOIN got " + answer(join) + " beside " + answer(capable));
        }
    }

    /** Reads a SYN without MPTCP. */
    @Benchmark
    public MptcpOptions parsePlain() {
        return parse(plain);
    }

    /** Reads a SYN with MP_CAPABLE. */
    @Benchmark
    public MptcpOptions parseCapable() {
        return parse(capable);
    }

    /** Reads a SYN with MP_JOIN. */
    @Benchmark
    public MptcpOptions parseJoin() {
        return parse(join);
    }

    /** Reads a SYN without MPTCP, which needs no next step. */
    @Benchmark
    public PathSet answerPlain() {
        return answer(plain);
    }

    /** Reads a SYN with MP_CAPABLE and finds a route. */
    @Benchmark
    public PathSet answerCapable() {
        return answer(capable);
    }

    /** Reads a SYN with MP_JOIN, finds its connection and a route disjoint from the first. */
    @Benchmark
    public PathSet answerJoin() {
        return answer(join);
    }

    private MptcpOptions parse(byte[] frame) {
        Segment segment = reader.read(frame).orElseThrow();
        return MptcpOptionParser.parse(segment.options(), segment.flags());
    }

    private PathSet answer(byte[] frame) {
        MptcpOptions options = parse(frame);
        if (options.get(MpCapable.class).isPresent()) {
            return Multiflow.next(graph, List.of());
        }
        Optional<MpJoin.Syn> asked = options.get(MpJoin.Syn.class);
        if (asked.isEmpty()) {
            return null;
        }
        List<Path> siblings = new ArrayList<>();
        for (TokenOwner owner : tokens.find(asked.get().token)) {
            siblings.addAll(pathsOf.get(owner.connection));
        }
        return Multiflow.next(graph, siblings);
    }

    private static byte[] frame(int sourcePort, List<MptcpOption> options) {
        byte[] mptcp = options.isEmpty() ? new byte[0] : MptcpOptionEncoder.encode(options);
        byte[] all = ByteBuffer.allocate(USUAL.length + mptcp.length).put(USUAL).put(mptcp).array();
        TCP tcp = new TCP();
        tcp.setSourcePort(sourcePort).setDestinationPort(5201).setFlags((short) Segment.SYN)
                .setDataOffset((byte) ((20 + all.length) / 4)).setOptions(all);
        IPv4 ip = new IPv4();
        ip.setSourceAddress("10.0.0.1").setDestinationAddress("10.0.0.2").setTtl((byte) 64)
                .setProtocol(IPv4.PROTOCOL_TCP).setPayload(tcp);
        Ethernet ethernet = new Ethernet();
        ethernet.setSourceMACAddress("00:00:00:00:00:01").setDestinationMACAddress("00:00:00:00:00:02")
                .setEtherType(Ethernet.TYPE_IPV4).setPayload(ip);
        return ethernet.serialize();
    }
}
