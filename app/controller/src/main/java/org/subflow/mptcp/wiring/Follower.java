// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import static org.onlab.util.Tools.groupedThreads;

import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.onosproject.net.packet.PacketContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.candidate.ConnectionPolicies;
import org.subflow.mptcp.cluster.Election;
import org.subflow.mptcp.cluster.LeaderContact;
import org.subflow.mptcp.cluster.RelayReceiver;
import org.subflow.mptcp.cluster.RelaySender;
import org.subflow.mptcp.cluster.RelayedPacket;
import org.subflow.mptcp.cluster.SegmentRelay;
import org.subflow.mptcp.loop.ControlLoop;
import org.subflow.mptcp.query.FollowerAnswers;
import org.subflow.mptcp.query.LeaderAnswers;
import org.subflow.mptcp.segment.FlagCopies;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.OwnInterfaces;
import org.subflow.mptcp.wire.EventMessage;

/**
 * What a node of a cluster does while another one decides: sends packets there, tells listeners of the events there, and asks
 * there for what users want to know.
 */
final class Follower {
    /** Least pause between two questions to the node that decides; it is longer where an answer takes long. */
    private static final long REFRESH_MILLIS = 2000;
    private static final int MOST_WAITING = 16;
    private static final int MOST_EVENTS = 8192;

    private static final Logger LOG = LoggerFactory.getLogger(Follower.class);
    private static final long LOOK_MILLIS = 200;

    /** What this node answers. */
    final FollowerAnswers answers;
    private final Services onos;
    private final SegmentRelay relay;
    private final ThreadFactory threads = groupedThreads("onos/mptcp", "follower-%d", LOG);
    private final ControlLoop relaying;
    /** Has a state to tell when the node that decides is lost, although nobody has asked this node before. */
    private final ControlLoop refresher;
    private volatile boolean decides;
    /** Null while this node decides. */
    private RelayReceiver<ConnectionEvent> events;

    Follower(Services onos, Election election) {
        this.onos = onos;
        RelaySender sender = new RelaySender(onos.cluster.communication, election::leader, onos.application.clock::nanos);
        Application application = onos.application;
        Attachments attachments = new Attachments(onos.network.hosts, application.network::isUp,
                                                  new OwnInterfaces(onos.network.interfaces, application.network::snapshot),
                                                  () -> { });
        relay = new SegmentRelay(onos.network.packets, attachments, new FlagCopies(onos.network.devices), application.counters,
                                 application.segments,
                                 new ConnectionPolicies(application.settings, application.policies)::mayBlockJoins, sender);
        answers = new FollowerAnswers(new LeaderContact(onos.cluster.communication, election::leader), sender::counters, application.clock);
        relaying = new ControlLoop(threads, MOST_WAITING, application.clock::nanos);
        refresher = new ControlLoop(threads, MOST_WAITING, application.clock::nanos);
    }

    /** Begins. */
    synchronized void start() {
        resume();
        relaying.every(LOOK_MILLIS, relay::divertWhereJoinsAreBlocked);
        relaying.every(LOOK_MILLIS, relay::retry);
        refresher.execute(this::refresh);
        refresher.every(REFRESH_MILLIS, this::refresh);
    }

    private void refresh() {
        if (!decides) {
            answers.state();
        }
    }

    /** Takes the copy of a segment while no node decides. */
    void processCopy(PacketContext context) {
        relay.processCopy(context);
    }

    /** Takes the southbound's segments from now on: this node is about to decide no more. */
    void takeSegments() {
        relay.takeSegments();
    }

    /** Gives the copies that came without a node that decided to this one, which decides now. */
    void handOver(Consumer<RelayedPacket> receiver) {
        relay.handOver(receiver);
    }

    /** Pauses: this node decides now. */
    synchronized void pause() {
        decides = true;
        relay.stop();
        if (events != null) {
            events.stop();
            events = null;
        }
    }

    /** Goes on: this node decides no more. Until another one answers, it tells what it knew itself. */
    synchronized void resume(LeaderAnswers own) {
        refresher.execute(() -> answers.keep(own.snapshot()));
        resume();
    }

    /** Goes on: this node could not begin to decide. */
    synchronized void resume() {
        decides = false;
        relay.start();
        events = new RelayReceiver<>(onos.cluster.communication, RelayReceiver.EVENTS, EventMessage::decode, threads, MOST_EVENTS, event -> {
            onos.cluster.eventDelivery.post(event);
            return RelayReceiver.answer(true);
        });
        events.start();
    }

    /** Ends for good. */
    synchronized void stop() {
        relaying.cancel(true);
        refresher.cancel(true);
        relay.stop();
        if (events != null) {
            events.stop();
        }
    }
}
