// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.option.MpCapable;
import org.subflow.mptcp.segment.option.MpJoin;
import org.subflow.mptcp.segment.option.MptcpOption;
import org.subflow.mptcp.segment.option.MptcpOptionEncoder;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.segment.option.OtherOptions;
import org.subflow.mptcp.token.ConnectionKeys;
import org.subflow.mptcp.token.Keys;
import org.subflow.mptcp.token.TokenTable;

/** A tracker with its surroundings and a clock of its own, and hosts that say what the test wants. */
public final class Bench {
    public static final int CLIENT_ISN = 0x7fffff00;
    public static final int SERVER_ISN = -2;
    public static final long CLIENT_KEY = 0x0123456789abcdefL;
    public static final long SERVER_KEY = 0xfedcba9876543210L;
    public static final int CLIENT_NONCE = 0x11112222;
    public static final int SERVER_NONCE = 0x33334444;

    public final DetectCounters counters = new DetectCounters();
    public final TokenTable tokens = new TokenTable();
    public final HandshakeTracker tracker;
    long now = 1_000_000_000L;

    public Bench() {
        this(TrackerLimits.DEFAULTS);
    }

    public Bench(TrackerLimits limits) {
        tracker = new HandshakeTracker(limits, tokens, counters);
    }

    public static FiveTuple tuple(String client, int clientPort) {
        return FiveTuple.of(IpAddress.valueOf(client), clientPort,
                            IpAddress.valueOf(client.contains(":") ? "fd00::2" : "10.0.0.2"), 5201);
    }

    void pass(long time, TimeUnit unit) {
        now += unit.toNanos(time);
    }

    public long count(Counter counter) {
        return counters.get(counter);
    }

    /** Gives a segment to the tracker, and what is established to the tokens, as the connection layer does. */
    Decision give(Segment segment) {
        now += 1000;
        Decision decision = tracker.process(segment, now);
        decision.event.filter(CapableEstablished.class::isInstance).map(CapableEstablished.class::cast)
                .ifPresent(event -> tokens.register(event.fiveTuple, event.keys));
        return decision;
    }

    Decision give(FiveTuple fiveTuple, int flags, int sequence, int acknowledgement, int payload,
                  MptcpOption... options) {
        return give(Segment.of(fiveTuple, flags, sequence, acknowledgement,
                               MptcpOptionEncoder.encode(List.of(options)), payload));
    }

    Decision syn(FiveTuple fiveTuple, MptcpOption... options) {
        return give(fiveTuple, Segment.SYN, CLIENT_ISN, 0, 0, options);
    }

    /** The SYN/ACK to the SYN of this five-tuple: sent the other way. */
    Decision synAck(FiveTuple fiveTuple, MptcpOption... options) {
        return give(fiveTuple.reversed(), Segment.SYN | Segment.ACK, SERVER_ISN, CLIENT_ISN + 1, 0, options);
    }

    Decision ack(FiveTuple fiveTuple, MptcpOption... options) {
        return give(fiveTuple, Segment.ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 0, options);
    }

    Decision data(FiveTuple fiveTuple, MptcpOption... options) {
        return give(fiveTuple, Segment.ACK | 0x08, CLIENT_ISN + 1, SERVER_ISN + 1, 100, options);
    }

    /** Data of the listener of this five-tuple, sent the other way. */
    Decision listenersData(FiveTuple fiveTuple, MptcpOption... options) {
        return give(fiveTuple.reversed(), Segment.ACK, SERVER_ISN + 1, CLIENT_ISN + 1, 100, options);
    }

    public static MptcpOption capableSyn(MptcpVersion version, long key) {
        return version == MptcpVersion.V0 ? MpCapable.oneKey(version, MpCapable.HMAC, key)
                : MpCapable.synV1(MpCapable.HMAC);
    }

    public static MptcpOption capableSynAck(MptcpVersion version, long key) {
        return MpCapable.oneKey(version, MpCapable.HMAC, key);
    }

    public static MptcpOption capableAck(MptcpVersion version, long clientKey, long serverKey) {
        return MpCapable.twoKeys(version, MpCapable.HMAC, clientKey, serverKey);
    }

    static MptcpOption dss() {
        return OtherOptions.dss();
    }

    /** Runs a whole MP_CAPABLE handshake. */
    CapableEstablished capable(FiveTuple fiveTuple, MptcpVersion version, long clientKey, long serverKey) {
        syn(fiveTuple, capableSyn(version, clientKey));
        synAck(fiveTuple, capableSynAck(version, serverKey));
        return (CapableEstablished) ack(fiveTuple, capableAck(version, clientKey, serverKey)).event.orElseThrow();
    }

    CapableEstablished capable(FiveTuple fiveTuple) {
        return capable(fiveTuple, MptcpVersion.V1, CLIENT_KEY, SERVER_KEY);
    }

    /** An MP_JOIN's handshake by hosts that know two keys: the joining host's and the other's. */
    public static final class Joiner {
        final MptcpVersion version;
        final long ownKey;
        final long otherKey;

        Joiner(MptcpVersion version, long ownKey, long otherKey) {
            this.version = version;
            this.ownKey = ownKey;
            this.otherKey = otherKey;
        }

        Token token() {
            return Keys.token(version, otherKey);
        }

        public MpJoin.Syn syn(boolean backup) {
            return new MpJoin.Syn(backup, 3, token(), CLIENT_NONCE);
        }

        MpJoin.SynAck synAck() {
            return new MpJoin.SynAck(false, 4,
                    Keys.synAckHmac(version, ownKey, otherKey, CLIENT_NONCE, SERVER_NONCE), SERVER_NONCE);
        }

        MpJoin.Ack ack() {
            return new MpJoin.Ack(Keys.ackHmac(version, ownKey, otherKey, CLIENT_NONCE, SERVER_NONCE));
        }
    }

    public static Joiner joiner() {
        return new Joiner(MptcpVersion.V1, CLIENT_KEY, SERVER_KEY);
    }

    /** Runs a whole MP_JOIN handshake; what its last segment is. */
    Decision join(FiveTuple fiveTuple, Joiner joiner) {
        syn(fiveTuple, joiner.syn(false));
        synAck(fiveTuple, joiner.synAck());
        return ack(fiveTuple, joiner.ack());
    }

    public static ConnectionKeys keys(long initiatorKey, long listenerKey) {
        return new ConnectionKeys(MptcpVersion.V1, OptionalLong.of(initiatorKey), OptionalLong.of(listenerKey));
    }
}
