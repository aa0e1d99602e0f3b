// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.onosproject.net.DeviceId;
import org.onosproject.net.MastershipRole;
import org.onosproject.net.host.HostListener;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.resource.ResourceService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.cluster.Mandate;
import org.subflow.mptcp.cluster.RelayedPacket;
import org.subflow.mptcp.cluster.ResourcesWithDeadline;
import org.subflow.mptcp.loop.Clock;
import org.subflow.mptcp.loop.ControlLoop;
import org.subflow.mptcp.loop.Guards;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.loop.Loops;
import org.subflow.mptcp.loop.OneByOne;
import org.subflow.mptcp.loop.Urgency;
import org.subflow.mptcp.measure.MasterClocks;
import org.subflow.mptcp.plain.BusyServices;
import org.subflow.mptcp.plain.WakeRules;
import org.subflow.mptcp.query.LeaderAnswers;
import org.subflow.mptcp.reservation.LinkResources;
import org.subflow.mptcp.reservation.ResourceWatch;
import org.subflow.mptcp.routing.SubflowEndpoints;
import org.subflow.mptcp.rules.Reconciler;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.rules.RuleReading;
import org.subflow.mptcp.rules.WantedRules;
import org.subflow.mptcp.segment.AddressProbe;
import org.subflow.mptcp.segment.FlagCopies;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.store.KeyStore;
import org.subflow.mptcp.token.TokenTable;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.NetworkView;
import org.subflow.mptcp.topology.OwnInterfaces;

/**
 * All that decides about connections, for one mandate: built when this node begins to decide, and dropped when it decides no
 * more. With one ONOS node that is while the application runs.
 */
final class Controller {
    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);
    private static final long TICK_MILLIS = 1000;
    private static final long ESTIMATE_BUDGET_NANOS = 50_000_000;
    private static final long SWEEP_MILLIS = 5000;
    private static final long LOOK_MILLIS = 5000;
    /**
     * ONOS keeps its stores in a log, and each change of a port's reservations writes all reservations of that port. Many
     * short connections change the shares all the time. Without a pause their writes would fill disk and heap before ONOS
     * compacts the log.
     */
    private static final long WRITE_MILLIS = 500;
    /** Least pause between two computations of shares, so that admissions get their turns. */
    private static final long SHARE_MILLIS = 50;
    /** Least pause between two batches of reports that the control loop applies. */
    private static final long REPORTS_MILLIS = 50;
    /** Least pause between two events of a connection of a frequent type. */
    private static final long NEWS_MILLIS = 500;

    private final Services onos;
    private final Clock clock;
    private final Mandate mandate;
    private final Loops loops;
    private final ResourceService resources;
    private final Optional<PacketProcessor> whileUndecided;
    private Stores stores;
    private Wiring parts;
    private AgentWiring agents;
    private final FlagCopies copies;
    private final WakeRules wakeRules;
    private TrafficWatch traffic;
    private Reconciler reconciler;
    private LeaderAnswers answers;
    /** What this node does for the others; null with one node. */
    private LeaderDuties duties;
    private NetworkView.Listener networkListener;
    private ResourceWatch resourceWatch;
    private LinkResources links;
    private HostListener hostListener;
    private final Runnable followHosts;

    /**
     * Builds it; nothing happens before {@link #start}.
     *
     * @param whileUndecided takes copies of segments while this node may not decide; empty with one node; not null
     * @throws IllegalStateException if it is a node of a cluster, and the storage nodes do not give the connections out
     */
    Controller(Services onos, Optional<PacketProcessor> whileUndecided, Mandate mandate) {
        this.onos = onos;
        this.clock = onos.application.clock;
        this.whileUndecided = whileUndecided;
        this.mandate = mandate;
        resources = onos.cluster.isCluster ? ResourcesWithDeadline.of(
                onos.intents.resources, clock::nanos, ResourcesWithDeadline.MOST_MILLIS) : onos.intents.resources;
        copies = new FlagCopies(onos.network.devices);
        wakeRules = new WakeRules(onos.rules, clock::nanos, this::tableIsFull);
        loops = new Loops(LOG, clock);
        followHosts = loops.decisions.spaced(
                Urgency.EVENT, SubflowEndpoints.ANSWER_MILLIS, () -> parts.changes.hostsChanged());
        try {
            wire();
        } catch (RuntimeException e) {
            loops.stop();
            throw e;
        }
    }

    /** Begins to decide. */
    void start() {
        parts.intents.start();
        parts.unreserved.addListener(networkListener);
        resourceWatch.start();
        onos.network.hosts.addListener(hostListener);
        traffic.start();
        reconciler.begin(RuleKind.WAKE);
        agents.start(onos.application.bundle);
        parts.ruleTimes.addListener(onos.application.waits);
        if (duties != null) {
            parts.reservationKeeper.mayBeLocked();
            duties.start();
        }
    }

    /** Takes no further event; what waits is still done. */
    private void stopListening() {
        if (duties != null) {
            duties.stop();
        }
        agents.stop();
        traffic.stop();
        resourceWatch.stop();
        parts.unreserved.removeListener(networkListener);
        onos.network.hosts.removeListener(hostListener);
    }

    /** Stops with ONOS itself: the switches keep their rules, the store the connections. */
    void leave() {
        stop(loops::stop);
    }

    /** Stops because this node may not decide any more. What waits is dropped: the next leader begins with what is stored. */
    void drop() {
        stop(loops::cancel);
    }

    private void stop(Runnable stopLoops) {
        stopListening();
        stopLoops.run();
        parts.intents.stop();
    }

    /** Stops the application alone: withdraws everything but the records of connections. */
    void withdraw() {
        stopListening();
        reconciler.stop();
        Withdrawal withdrawal = new Withdrawal(onos.rules, parts.intents);
        withdrawal.removeRules();
        loops.decisions.execute(Urgency.CHORE, () -> parts.provisioner.makeIdle(parts.provisioner.live()));
        loops.decisions.stop();
        parts.intents.stop();
        try {
            // Rules do not wait for ONOS's stores, where a thousand connections are written meanwhile.
            withdrawal.run();
        } finally {
            loops.stop();
        }
    }

    /** Last of all, when no task writes any more: an uninstalled application leaves nothing in ONOS's stores. */
    void clearStores() {
        try {
            stores.keys.clear();
            stores.connections.clear();
            agents.clear();
            LOG.info("Uninstalled: connections, keys and agents are removed from ONOS's stores");
        } catch (RuntimeException e) {
            LOG.error("ONOS's stores keep entries of connections, keys or agents; install and uninstall again to remove them", e);
        }
    }

    /** Notes that the listeners have an event. */
    void delivered(ConnectionEvent event) {
        parts.notifier.delivered(event);
    }

    private void wire() {
        ControlLoop loop = loops.decisions;
        LongSupplier mayWrite = mandate::check;
        Attachments attachments = new Attachments(onos.network.hosts, onos.application.network::isUp,
                                                  new OwnInterfaces(onos.network.interfaces, onos.application.network::snapshot),
                                                  followHosts);
        stores = stores(LoopGuard.of(loop), mayWrite);
        agents = new AgentWiring(onos.cluster.storage, stores.connections, loops, onos.application.settings, attachments,
                             onos.network.packets, mayWrite, clock);
        BusyServices services = new BusyServices(attachments::isOwn, clock::nanos);
        parts = new Wiring(stores, new NetworkAccess(onos.application.network, attachments, onos.rules,
                                                     new AddressProbe(onos.network.packets)::ask, followHosts,
                                                     services::wasBusyWithin),
                           onos.application.settings, onos.application.policies,
                           new OnosSubmissions(onos, resources, loop, mandate), agents::agents, this::tell, triggers(),
                           new Guards(LoopGuard.of(loop), LoopGuard.of(loops.estimates), LoopGuard.of(loops.questions)), clock,
                           new MasterClocks(clock, device -> onos.network.devices.getRole(device) == MastershipRole.MASTER));
        resourceWatch = new ResourceWatch(onos.intents.intents, resources, onos.application.id,
                                          loops.bookings.coalesced(mandated(parts.reservationKeeper::lookAtOthers)),
                                          loops.bookings.coalesced(mandated(parts.reservationKeeper::tryAgain)));
        links = new LinkResources(resources, onos.intents.resourceAdmin, onos.application.network);
        traffic = new TrafficWatch(onos, stores, parts, attachments, loops, copies, wakeRules, services, mandate::isValid,
                                   whileUndecided);
        reconciler = new Reconciler(onos.rules, ImmutableMap.<RuleKind, Supplier<WantedRules>>builder()
                .putAll(traffic.wantedRules()).putAll(parts.intents.wantedRules()).build());
        answers = parts.answers(loops, onos.application.settings, clock, this::counters);
        duties = onos.cluster.isCluster ? new LeaderDuties(onos, loops.threads, this::relayed, answers) : null;
        loop.execute(Urgency.EVENT, () -> parts.changes.recover(clock.millis()));
        listen(loop);
        schedule();
    }

    private Stores stores(LoopGuard guard, LongSupplier mayWrite) {
        ConnectionStore store = ConnectionStore.open(
                onos.cluster.storage, task -> loops.journal.spaced(WRITE_MILLIS, task), guard, mayWrite);
        KeyStore keys = KeyStore.open(onos.cluster.storage, task -> loops.journal.spaced(WRITE_MILLIS, task), guard, mayWrite);
        // Whoever began with nothing would take the rules of all connections for left over.
        checkState(!onos.cluster.isCluster || store.isRead() && keys.isRead(), "the storage nodes do not give the connections out");
        keys.retain(store.all().stream().map(Connection::id).collect(Collectors.toSet()));
        TokenTable tokens = new TokenTable();
        store.all().forEach(connection -> keys.get(connection.id())
                .ifPresent(known -> tokens.register(connection.first().tuple(), known)));
        return new Stores(store, keys, tokens);
    }

    /** A switch refuses rules. A lost one does, too. */
    private void tableIsFull(DeviceId device) {
        loops.decisions.execute(Urgency.EVENT, () -> {
            if (onos.network.devices.isAvailable(device)) {
                parts.retries.tableIsFull(device);
            }
        });
    }

    private void listen(ControlLoop loop) {
        Runnable networkChanged = loop.coalesced(
                Urgency.EVENT, () -> parts.changes.networkChanged(clock.millis()));
        networkListener = () -> {
            parts.ruleTimes.reported(clock.nanos());
            networkChanged.run();
            traffic.replaceBrokenRules();
        };
        hostListener = event -> {
            followHosts.run();
            traffic.replaceBrokenRules();
        };
    }

    private void tell(ConnectionEvent event) {
        traffic.follow(event);
        parts.pace.follow(event);
        onos.cluster.eventDelivery.post(event);
        if (duties != null) {
            duties.tell(event);
        }
    }

    private Triggers triggers() {
        return new Triggers(task -> loops.bookings.spaced(WRITE_MILLIS, mandated(task)),
                            task -> loops.decisions.rested(Urgency.SHARES, SHARE_MILLIS, loops.shares, task),
                            loops.shares::coalesced,
                            task -> loops.decisions.coalesced(Urgency.SHARES, task),
                            task -> loops.decisions.spaced(Urgency.CHORE, NEWS_MILLIS, task),
                            task -> loops.plans.rested(Urgency.CHORE, 0, loops.plans, task),
                            task -> loops.decisions.spaced(Urgency.SHARES, REPORTS_MILLIS, task));
    }

    /** Returns a task that runs only while this node may decide. */
    private Runnable mandated(Runnable task) {
        return () -> {
            if (mandate.isValid()) {
                task.run();
            }
        };
    }

    private void schedule() {
        loops.decisions.every(TICK_MILLIS, () -> {
            RuleReading reading = onos.rules.read();
            parts.lifecycle.tick(clock.millis(), reading);
            OneByOne.run(() -> traffic.demote(clock.millis()), "demotions");
            parts.pace.pause(parts.retries.tick(reading));
        });
        traffic.schedule();
        loops.decisions.every(SWEEP_MILLIS, parts.provisioner::sweep);
        loops.decisions.every(SWEEP_MILLIS, mandated(() -> parts.retries.unconfirmedAt(reconciler.look())));
        loops.bookings.every(LOOK_MILLIS, mandated(parts.reservationKeeper::look));
        loops.bookings.every(TICK_MILLIS, mandated(parts.reservationKeeper::tryLocked));
        loops.bookings.every(TICK_MILLIS, mandated(() -> links.takeOut(parts.reservationKeeper.vacated())));
        loops.bookings.every(LOOK_MILLIS, mandated(() -> links.look(parts.reservationKeeper.isAnyUnwritten())));
        loops.estimates.every(TICK_MILLIS, () -> parts.attainableRates.refresh(parts.provisioner.live(), ESTIMATE_BUDGET_NANOS));
        loops.estimates.every(TICK_MILLIS, () -> parts.bound.refresh(parts.provisioner.live()));
    }

    long term() {
        return mandate.term();
    }

    /** Takes in a packet that another node got, or this one when nobody decided; returns false if this node may not decide. */
    boolean relayed(RelayedPacket packet) {
        boolean mayDecide = mandate.isValid();
        if (mayDecide) {
            traffic.relayed(packet);
        }
        return mayDecide;
    }

    /** Returns what this node answers. */
    LeaderAnswers answers() {
        return answers;
    }

    private Map<String, Long> counters() {
        ImmutableMap.Builder<String, Long> all = ImmutableMap.<String, Long>builder()
                .putAll(onos.application.counters.snapshot())
                .putAll(parts.counters())
                .putAll(loops.counters())
                .putAll(traffic.counters())
                .put("table.tokens", (long) stores.tokens.size())
                .put("store.dropped", (long) stores.connections.dropped() + stores.keys.dropped() + agents.dropped())
                .putAll(agents.counters());
        if (duties != null) {
            all.putAll(duties.counters());
        }
        return all.build();
    }
}
