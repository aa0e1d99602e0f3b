// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import java.util.List;
import java.util.Random;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.option.MpCapable;
import org.subflow.mptcp.segment.option.MpJoin;
import org.subflow.mptcp.segment.option.MptcpOption;
import org.subflow.mptcp.segment.option.MptcpOptionEncoder;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.segment.option.OtherOptions;
import org.subflow.mptcp.token.Keys;

/** The segments of one TCP connection between two hosts: an MPTCP connection's first subflow, or one that joins it. */
final class Talk {
    /** Which hash of an MP_JOIN is wrong. */
    enum Wrong { NONE, ANSWER, ACK }

    private static final int NONCE = 7;

    final FiveTuple tuple;
    /** The first subflow of its connection: itself, unless it joins another one. */
    final Talk first;
    final MptcpVersion version;
    final Wrong wrong;
    /** Whether the server answers as one without MPTCP. */
    final boolean isRefused;
    private final long clientKey;
    private final long serverKey;
    private final int sequence;
    private final int answerSequence;
    private int octets;
    boolean isBegun;
    boolean isAnswered;
    /** Whether its second segment has come after its first. */
    boolean isInOrder;
    /** Whether its third segment has come after these and before its data, so that all keys are known. */
    boolean hasShownKeys;
    boolean hasSent;
    boolean isManaged;

    private Talk(FiveTuple tuple, Talk first, MptcpVersion version, Wrong wrong, boolean isRefused, Random random) {
        this.tuple = tuple;
        this.first = first == null ? this : first;
        this.version = version;
        this.wrong = wrong;
        this.isRefused = isRefused;
        clientKey = random.nextLong();
        serverKey = random.nextLong();
        sequence = random.nextInt();
        answerSequence = random.nextInt();
    }

    static Talk opens(FiveTuple tuple, Random random) {
        return new Talk(tuple, null, random.nextBoolean() ? MptcpVersion.V0 : MptcpVersion.V1, Wrong.NONE, random.nextInt(8) == 0, random);
    }

    static Talk joins(Talk first, FiveTuple tuple, Random random) {
        Wrong wrong = random.nextInt(3) == 0 ? random.nextBoolean() ? Wrong.ANSWER : Wrong.ACK : Wrong.NONE;
        return new Talk(tuple, first, first.version, wrong, false, random);
    }

    boolean isJoin() {
        return first != this;
    }

    Token token() {
        return Keys.token(version, first.serverKey);
    }

    private Segment segment(boolean isOfClient, int flags, int number, int acknowledgement, int payload, MptcpOption... options) {
        return Segment.of(isOfClient ? tuple : tuple.reversed(), flags, number, acknowledgement, MptcpOptionEncoder.encode(List.of(options)), payload);
    }

    Segment syn() {
        MptcpOption option = isJoin() ? new MpJoin.Syn(false, 3, token(), NONCE)
                : version == MptcpVersion.V0 ? MpCapable.oneKey(version, MpCapable.HMAC, clientKey) : MpCapable.synV1(MpCapable.HMAC);
        return segment(true, Segment.SYN, sequence, 0, 0, option);
    }

    Segment answer() {
        if (isRefused) {
            return segment(false, Segment.SYN | Segment.ACK, answerSequence, sequence + 1, 0);
        }
        byte[] hash = Keys.synAckHmac(version, first.clientKey, first.serverKey, NONCE, NONCE);
        hash[0] = (byte) (hash[0] ^ (wrong == Wrong.ANSWER ? 1 : 0));
        return segment(false, Segment.SYN | Segment.ACK, answerSequence, sequence + 1, 0,
                       isJoin() ? new MpJoin.SynAck(false, 4, hash, NONCE) : MpCapable.oneKey(version, MpCapable.HMAC, serverKey));
    }

    Segment ack() {
        if (isRefused) {
            return segment(true, Segment.ACK, sequence + 1, answerSequence + 1, 0);
        }
        byte[] hash = Keys.ackHmac(version, first.clientKey, first.serverKey, NONCE, NONCE);
        hash[0] = (byte) (hash[0] ^ (wrong == Wrong.NONE ? 0 : 1));
        return segment(true, Segment.ACK, sequence + 1, answerSequence + 1, 0,
                       isJoin() ? new MpJoin.Ack(hash) : MpCapable.twoKeys(version, MpCapable.HMAC, clientKey, serverKey));
    }

    /** Data of its client, which shows that MPTCP works. */
    Segment data(int more) {
        Segment data = segment(true, Segment.ACK, sequence + 1 + octets, answerSequence + 1, more,
                               isRefused ? new MptcpOption[0] : new MptcpOption[] {OtherOptions.dss()});
        octets += more;
        return data;
    }

    Segment end(boolean isOfClient, boolean isReset) {
        int flags = isReset ? Segment.RST : Segment.FIN | Segment.ACK;
        return isOfClient ? segment(true, flags, sequence + 1 + octets, answerSequence + 1, 0)
                : segment(false, flags, answerSequence + 1, sequence + 1 + octets, 0);
    }

    /** What somebody else sends who does not know the numbers. */
    Segment forged(Random random) {
        switch (random.nextInt(4)) {
            case 0:
                return segment(false, Segment.SYN | Segment.ACK, random.nextInt(), sequence + 2 + random.nextInt(1000), 0,
                               MpCapable.oneKey(version, MpCapable.HMAC, random.nextLong()));
            case 1:
                return segment(random.nextBoolean(), Segment.RST, random.nextInt(), 0, 0);
            case 2:
                return segment(true, Segment.ACK, random.nextInt(), random.nextInt(), 100, OtherOptions.dss());
            default:
                return segment(true, Segment.SYN, random.nextInt(), 0, 0, MpCapable.synV1(MpCapable.HMAC));
        }
    }
}
