// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.cluster.EventSender;
import org.subflow.mptcp.cluster.RelayReceiver;
import org.subflow.mptcp.cluster.RelayedPacket;
import org.subflow.mptcp.query.LeaderAnswers;
import org.subflow.mptcp.wire.EventMessage;

/** What the node that decides does for the other ones: takes in their packets, answers them, and tells them of events. */
final class LeaderDuties {
    private static final int MOST_PACKETS = 8192;
    private static final int MOST_QUESTIONS = 16;

    private final RelayReceiver<RelayedPacket> packets;
    private final RelayReceiver<byte[]> state;
    private final RelayReceiver<byte[]> questions;
    private final EventSender events;

    LeaderDuties(Services onos, ThreadFactory threads, Predicate<RelayedPacket> receiver, LeaderAnswers answers) {
        packets = new RelayReceiver<>(onos.cluster.communication, RelayReceiver.PACKETS, RelayedPacket::decode, threads, MOST_PACKETS,
                                      packet -> RelayReceiver.answer(receiver.test(packet)));
        state = new RelayReceiver<>(onos.cluster.communication, RelayReceiver.STATE, UnaryOperator.identity(), threads,
                                    MOST_QUESTIONS, question -> answers.state());
        questions = new RelayReceiver<>(onos.cluster.communication, RelayReceiver.QUESTIONS, UnaryOperator.identity(), threads,
                                        MOST_QUESTIONS, answers::reply);
        events = new EventSender(onos.cluster.communication, onos.cluster.cluster);
    }

    void start() {
        packets.startAnswering();
        state.startAnswering();
        questions.startAnswering();
    }

    void stop() {
        packets.stop();
        state.stop();
        questions.stop();
    }

    /** Tells the other nodes of an event. */
    void tell(ConnectionEvent event) {
        events.send(EventMessage.encode(event));
    }

    Map<String, Long> counters() {
        return ImmutableMap.<String, Long>builder()
                .putAll(packets.counters())
                .put("relay.events-dropped", events.dropped())
                .build();
    }
}
