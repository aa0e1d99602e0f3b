// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static org.onlab.util.Tools.groupedThreads;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.osgi.framework.BundleContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.Settings;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.cluster.Election;
import org.subflow.mptcp.cluster.RelaySender;
import org.subflow.mptcp.cluster.SegmentRelay;
import org.subflow.mptcp.cluster.StateClient;
import org.subflow.mptcp.detect.FlagCopies;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.store.StateSnapshot;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.SteadyClock;

/** What a node of a cluster does while another one decides: sends packets there, and asks there for what users want to know. */
final class Follower implements Answers {
    private static final Logger LOG = LoggerFactory.getLogger(Follower.class);
    private static final long LOOK_MILLIS = 500;

    private final BundleContext bundle;
    private final RelaySender sender;
    private final SegmentRelay relay;
    private final StateClient<StateSnapshot> leader;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(groupedThreads("onos/mptcp", "follower", LOG));
    /** Null while this node decides. */
    private FollowerServices offered;

    Follower(Controller.Services onos, Election election) {
        bundle = onos.bundle;
        sender = new RelaySender(onos.communication, election::leader);
        SegmentRelay.Sources from = new SegmentRelay.Sources();
        from.packets = onos.packets;
        from.attachments = new Attachments(onos.hosts);
        from.copies = new FlagCopies(onos.devices);
        from.counters = onos.counters;
        from.bundle = onos.bundle;
        from.mayBlockJoins = () -> onos.settings.settings().joinPolicy() == JoinPolicy.BLOCK || onos.policies.mayBlockJoins();
        from.sender = sender;
        relay = new SegmentRelay(from);
        leader = new StateClient<>(onos.communication, election::leader, StateSnapshot::decode, StateSnapshot.EMPTY,
                                   SteadyClock.SYSTEM);
    }

    /** Begins. */
    @SuppressWarnings("FutureReturnValueIgnored") // it runs until the end
    synchronized void start() {
        resume();
        thread.scheduleWithFixedDelay(relay::divertWhereJoinsAreBlocked, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Pauses: this node decides now. */
    synchronized void pause() {
        relay.stop();
        offered.withdraw();
        offered = null;
    }

    /** Goes on: this node decides no more. */
    synchronized void resume() {
        relay.start();
        offered = new FollowerServices(bundle, Follower::elsewhere);
    }

    /** Ends for good. */
    synchronized void stop() {
        thread.shutdownNow();
        relay.stop();
        if (offered != null) {
            offered.withdraw();
        }
    }

    @Override
    public List<Connection> connections() {
        return leader.state().connections().stream().map(StateSnapshot.Entry::connection).collect(Collectors.toList());
    }

    private Optional<StateSnapshot.Entry> entry(ConnectionId id) {
        return leader.state().connections().stream().filter(entry -> entry.connection().id().equals(id)).findFirst();
    }

    @Override
    public Optional<Connection> connection(ConnectionId id) {
        return entry(id).map(StateSnapshot.Entry::connection);
    }

    @Override
    public Measurement measurement(ConnectionId id) {
        return entry(id).map(StateSnapshot.Entry::measurement).orElse(Measurement.NONE);
    }

    @Override
    public Demand demand(ConnectionId id) {
        return entry(id).map(StateSnapshot.Entry::demand).orElse(Demand.UNLIMITED);
    }

    @Override
    public AttainableRate attainableRate(ConnectionId id) {
        return entry(id).map(StateSnapshot.Entry::attainable).orElse(AttainableRate.NONE);
    }

    @Override
    public boolean hasAgent(ConnectionId id) {
        return entry(id).filter(StateSnapshot.Entry::hasAgent).isPresent();
    }

    @Override
    public List<LinkUsage> links() {
        return leader.state().links();
    }

    /** Returns the counters of the node that decides, and what this node sent there. */
    @Override
    public Map<String, Long> counters() {
        return ImmutableMap.<String, Long>builder().putAll(leader.state().counters()).putAll(sender.counters()).build();
    }

    @Override
    public long ageMillis() {
        leader.state();
        return leader.ageMillis();
    }

    @Override
    public Connection whatIf(Settings assumed, Subflow first) {
        throw elsewhere();
    }

    @Override
    public List<Connection> backgroundPlan() {
        throw elsewhere();
    }

    private static IllegalStateException elsewhere() {
        return new IllegalStateException("only the node that decides answers this: GET cluster names it");
    }
}
