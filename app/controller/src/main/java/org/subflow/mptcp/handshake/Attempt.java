// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import java.util.Optional;
import org.onosproject.net.ConnectPoint;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.option.MpCapable;
import org.subflow.mptcp.segment.option.MpJoin;
import org.subflow.mptcp.segment.option.MptcpOptions;

/** One SYN and what answered it: sequence numbers and MPTCP options of a handshake. Confined to the tracker. */
final class Attempt {
    /** How far beyond the handshake a segment's numbers may be: the largest window without a scale is 64 KiB. */
    private static final int WINDOW = 1 << 20;

    private final int initiatorSequence;
    private final int synPayload;
    private final ConnectPoint port;
    private Optional<MpCapable> capable;
    private Optional<MpJoin.Syn> join;

    private boolean answered;
    private int listenerSequence;
    private Optional<MpCapable> listenerCapable = Optional.empty();
    private Optional<MpJoin.SynAck> listenerJoin = Optional.empty();

    /** What the two hosts agreed on by SYN and SYN/ACK. */
    enum Agreed {
        /** Nothing was offered. */
        PLAIN,
        /** Something was offered and not taken. */
        REFUSED,
        CAPABLE,
        JOIN
    }

    Attempt(Segment syn, MptcpOptions options) {
        this.initiatorSequence = syn.sequence();
        this.synPayload = syn.payloadLength();
        this.port = syn.port();
        this.capable = options.get(MpCapable.class);
        this.join = options.get(MpJoin.Syn.class);
    }

    /**
     * Takes the SYN sent again. Hosts leave MP_CAPABLE out after some trials, in case it is what gets lost; the answer
     * tells which of the SYNs arrived, so an option once offered stays offered.
     */
    void offerAgain(MptcpOptions options) {
        if (capable.isEmpty() && join.isEmpty()) {
            capable = options.get(MpCapable.class);
            join = options.get(MpJoin.Syn.class);
        }
    }

    void answer(Segment synAck, MptcpOptions options) {
        answered = true;
        listenerSequence = synAck.sequence();
        listenerCapable = options.get(MpCapable.class);
        listenerJoin = options.get(MpJoin.SynAck.class);
    }

    Agreed agreed() {
        if (capable.isPresent() && listenerCapable.isPresent() && !answersWithoutOffer()) {
            return Agreed.CAPABLE;
        }
        if (join.isPresent() && listenerJoin.isPresent()) {
            return Agreed.JOIN;
        }
        return capable.isPresent() || join.isPresent() ? Agreed.REFUSED : Agreed.PLAIN;
    }

    /** Returns whether the SYN/ACK has an MP_CAPABLE that the SYN did not ask for, or of another version. */
    boolean answersWithoutOffer() {
        return listenerCapable.isPresent()
                && !listenerCapable.map(option -> option.version).equals(capable.map(option -> option.version));
    }

    Optional<MpCapable> capable() {
        return capable;
    }

    Optional<MpJoin.Syn> join() {
        return join;
    }

    Optional<MpCapable> listenerCapable() {
        return listenerCapable;
    }

    Optional<MpJoin.SynAck> listenerJoin() {
        return listenerJoin;
    }

    boolean answered() {
        return answered;
    }

    /** Returns the switch port where the SYN came in. */
    ConnectPoint port() {
        return port;
    }

    InitialNumbers numbers() {
        return new InitialNumbers(initiatorSequence, listenerSequence);
    }

    int initiatorSequence() {
        return initiatorSequence;
    }

    boolean isAnsweredBy(Segment synAck) {
        return answered && listenerSequence == synAck.sequence();
    }

    /** Returns whether a segment acknowledges the SYN, with none, some or all of the data in it (RFC 7413). */
    boolean isAcknowledgedBy(Segment segment) {
        int beyond = segment.acknowledgement() - (initiatorSequence + 1);
        return Integer.compareUnsigned(beyond, synPayload) <= 0;
    }

    /** Returns whether a segment of the initiator follows this handshake. */
    boolean isFollowedBy(Segment segment) {
        return answered && isWithin(segment.sequence(), initiatorSequence)
                && isWithin(segment.acknowledgement(), listenerSequence);
    }

    /** Returns whether a segment of the listener follows this handshake. */
    boolean isFollowedByListeners(Segment segment) {
        return answered && isWithin(segment.sequence(), listenerSequence)
                && isWithin(segment.acknowledgement(), initiatorSequence);
    }

    /** Returns whether a reset of the initiator ends this handshake. */
    boolean isResetBy(Segment reset) {
        return isWithin(reset.sequence(), initiatorSequence);
    }

    /** Returns whether a reset of the listener ends this handshake: it refuses the SYN or takes its answer back. */
    boolean isResetByListeners(Segment reset) {
        boolean refuses = (reset.flags() & Segment.ACK) != 0 && isAcknowledgedBy(reset);
        return refuses || answered && isWithin(reset.sequence(), listenerSequence);
    }

    private static boolean isWithin(int number, int initial) {
        return Integer.compareUnsigned(number - (initial + 1), WINDOW) < 0;
    }
}
