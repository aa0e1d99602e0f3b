// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import static org.onlab.util.Tools.groupedThreads;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.onosproject.net.packet.PacketContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.candidate.ConnectionPolicies;
import org.subflow.mptcp.cluster.Election;
import org.subflow.mptcp.cluster.LeaderContact;
import org.subflow.mptcp.cluster.Refresher;
import org.subflow.mptcp.cluster.RelayReceiver;
import org.subflow.mptcp.cluster.RelaySender;
import org.subflow.mptcp.cluster.RelayedPacket;
import org.subflow.mptcp.cluster.SegmentRelay;
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
    /** Least pause between two questions to the node that decides. */
    private static final long REFRESH_MILLIS = 2000;

    private static final Logger LOG = LoggerFactory.getLogger(Follower.class);
    private static final long LOOK_MILLIS = 200;

    /** What this node answers. */
    final FollowerAnswers answers;
    private final Services onos;
    private final SegmentRelay relay;
    private final ThreadFactory threads = groupedThreads("onos/mptcp", "follower-%d", LOG);
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(threads);
    private final Refresher refresher;
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
        refresher = new Refresher(answers::state, threads, application.clock::nanos, REFRESH_MILLIS);
    }

    /** Begins. */
    @SuppressWarnings("FutureReturnValueIgnored") // it runs until the end
    synchronized void start() {
        resume();
        thread.scheduleWithFixedDelay(relay::divertWhereJoinsAreBlocked, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        thread.scheduleWithFixedDelay(relay::retry, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        refresher.start();
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
        refresher.pause();
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
        refresher.resume();
        relay.start();
        events = new RelayReceiver<>(onos.cluster.communication, RelayReceiver.EVENTS, EventMessage::decode, threads, event -> {
            onos.cluster.eventDelivery.post(event);
            return true;
        });
        events.start();
    }

    /** Ends for good. */
    synchronized void stop() {
        thread.shutdownNow();
        refresher.stop();
        relay.stop();
        if (events != null) {
            events.stop();
        }
    }
}
