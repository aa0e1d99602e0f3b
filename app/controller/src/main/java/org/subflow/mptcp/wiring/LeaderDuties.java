// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.Predicate;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.cluster.EventSender;
import org.subflow.mptcp.cluster.RelayReceiver;
import org.subflow.mptcp.cluster.RelayedPacket;
import org.subflow.mptcp.cluster.Responder;
import org.subflow.mptcp.query.LeaderAnswers;
import org.subflow.mptcp.wire.EventMessage;

/** What the node that decides does for the other ones: takes in their packets, answers them, and tells them of events. */
final class LeaderDuties {
    private final RelayReceiver<RelayedPacket> packets;
    private final Responder state;
    private final Responder questions;
    private final EventSender events;

    LeaderDuties(Services onos, ThreadFactory threads, Predicate<RelayedPacket> receiver, LeaderAnswers answers) {
        packets = new RelayReceiver<>(onos.cluster.communication, RelayReceiver.PACKETS, RelayedPacket::decode, threads, receiver);
        state = new Responder(onos.cluster.communication, Responder.STATE, threads, question -> answers.state());
        questions = new Responder(onos.cluster.communication, Responder.QUESTIONS, threads, answers::reply);
        events = new EventSender(onos.cluster.communication, onos.cluster.cluster);
    }

    void start() {
        packets.startAnswering();
        state.start();
        questions.start();
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
