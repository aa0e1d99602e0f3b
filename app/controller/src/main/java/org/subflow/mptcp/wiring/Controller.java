// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.onosproject.cluster.ClusterService;
import org.onosproject.core.ApplicationId;
import org.onosproject.event.EventDeliveryService;
import org.onosproject.net.DeviceId;
import org.onosproject.net.MastershipRole;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.host.HostListener;
import org.onosproject.net.host.HostService;
import org.onosproject.net.intent.IntentService;
import org.onosproject.net.intent.IntentStore;
import org.onosproject.net.intf.InterfaceService;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketService;
import org.onosproject.net.resource.ResourceAdminService;
import org.onosproject.net.resource.ResourceService;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.service.StorageService;
import org.osgi.framework.BundleContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.admission.AdmissionPace;
import org.subflow.mptcp.admission.HandshakeHandler;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.monitoring.RuleTimesService;
import org.subflow.mptcp.api.policy.PolicyService;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.candidate.UnseenEnds;
import org.subflow.mptcp.cluster.ImpatientResources;
import org.subflow.mptcp.cluster.Mandate;
import org.subflow.mptcp.cluster.RelayedPacket;
import org.subflow.mptcp.intent.ConnectionIntents;
import org.subflow.mptcp.intent.LabelChoice;
import org.subflow.mptcp.intent.MptcpIntentCompiler;
import org.subflow.mptcp.intent.Reservations;
import org.subflow.mptcp.lifecycle.IdleWatch;
import org.subflow.mptcp.loop.ControlLoop;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.loop.Loops;
import org.subflow.mptcp.loop.OneByOne;
import org.subflow.mptcp.loop.Urgency;
import org.subflow.mptcp.measure.MasterClocks;
import org.subflow.mptcp.plain.BusyServices;
import org.subflow.mptcp.plain.WakeRules;
import org.subflow.mptcp.provisioning.LostPorts;
import org.subflow.mptcp.provisioning.ResourceBooks;
import org.subflow.mptcp.provisioning.ResourceWatch;
import org.subflow.mptcp.query.LeaderAnswers;
import org.subflow.mptcp.routing.SubflowEndpoints;
import org.subflow.mptcp.segment.AddressProbe;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.segment.FlagCopies;
import org.subflow.mptcp.segment.FlaggedSegments;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.store.KeyStore;
import org.subflow.mptcp.token.TokenTable;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.NetworkView;
import org.subflow.mptcp.topology.OwnInterfaces;
import org.subflow.mptcp.topology.SteadyClock;

/**
 * All that decides about connections, for one mandate: built when this node begins to decide, and dropped when it decides no
 * more. With one ONOS node that is while the application runs.
 */
final class Controller {
    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);
    private static final long TICK_MILLIS = 1000;
    private static final long ESTIMATE_BUDGET_NANOS = 200_000_000;
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
    /** Least pause between two events of a connection of a frequent type. */
    private static final long NEWS_MILLIS = 500;

    private final Services onos;
    private final Mandate mandate;
    private final Loops loops;
    private final ResourceService resources;
    private ConnectionStore store;
    private KeyStore keys;
    private TokenTable tokens;
    private ConnectionIntents intents;
    private Wiring parts;
    private AgentDesk desk;
    private final FlagCopies copies;
    private final WakeRules wakeRules;
    private AdmissionPace pace;
    private TrafficWatch traffic;
    private LeaderAnswers answers;
    /** What this node does for the others; null with one node. */
    private LeaderDuties duties;
    private NetworkView.Listener networkListener;
    private ResourceWatch resourceWatch;
    private ResourceBooks books;
    private LostPorts lostPorts;
    private HostListener hostListener;
    private final Runnable followHosts;

    /** The services of ONOS and of the application that it needs; every field must be set. */
    static final class Services {
        DeviceService devices;
        HostService hosts;
        InterfaceService interfaces;
        LinkService links;
        FlowRuleService flowRules;
        PacketService packets;
        IntentService intentService;
        IntentStore intentStore;
        ResourceService resources;
        ResourceAdminService resourceAdmin;
        StorageService storage;
        ClusterCommunicationService communication;
        ClusterService cluster;
        EventDeliveryService eventDelivery;
        NetworkView network;
        SettingsService settings;
        PolicyService policies;
        DetectCounters counters;
        MptcpIntentCompiler compiler;
        /** Hears of waits for rules. */
        RuleTimesService.Listener waits;
        BundleContext bundle;
        FlaggedSegments segments;
        /** Takes copies of segments while this node may not decide; empty with one node. */
        Optional<PacketProcessor> whileUndecided;
        ApplicationId appId;
        boolean isCluster;
    }

    /**
     * Builds it; nothing happens before {@link #start}.
     *
     * @param onos    the services; not null
     * @param mandate this node's right to decide; not null
     * @throws IllegalStateException if it is a node of a cluster, and the storage nodes do not give the connections out
     */
    Controller(Services onos, Mandate mandate) {
        this.onos = onos;
        this.mandate = mandate;
        resources = onos.isCluster ? new ImpatientResources(onos.resources, System::nanoTime) : onos.resources;
        copies = new FlagCopies(onos.devices);
        wakeRules = new WakeRules(onos.flowRules, onos.appId, System::nanoTime, this::tableIsFull);
        loops = new Loops(LOG);
        followHosts = loops.decisions.spaced(
                Urgency.EVENT, SubflowEndpoints.ANSWER_MILLIS, () -> parts.lifecycle.hostsChanged());
        try {
            wire();
        } catch (RuntimeException e) {
            loops.stop();
            throw e;
        }
    }

    /** Begins to decide. */
    void start() {
        intents.start();
        parts.unreserved.addListener(networkListener);
        resourceWatch.start();
        onos.devices.addListener(lostPorts);
        onos.hosts.addListener(hostListener);
        traffic.start();
        desk.start(onos.bundle);
        parts.ruleTimes.addListener(onos.waits);
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
        desk.stop();
        traffic.stop();
        resourceWatch.stop();
        onos.devices.removeListener(lostPorts);
        parts.unreserved.removeListener(networkListener);
        onos.hosts.removeListener(hostListener);
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
        intents.stop();
    }

    /** Stops the application alone: withdraws everything but the records of connections. */
    void withdraw() {
        stopListening();
        // At once: packets that a rule sends to the controller are lost while nobody forwards them.
        onos.flowRules.removeFlowRulesById(onos.appId);
        Withdrawal withdrawal = new Withdrawal(onos.flowRules, onos.appId, intents);
        withdrawal.removeRules();
        loops.decisions.execute(Urgency.CHORE, () -> parts.provisioner.makeIdle(parts.provisioner.live()));
        loops.decisions.stop();
        intents.stop();
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
            keys.clear();
            store.clear();
            desk.clear();
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
        LoopGuard guard = LoopGuard.of(loop);
        Attachments attachments = new Attachments(onos.hosts, onos.network::isUp,
                                                  new OwnInterfaces(onos.interfaces, onos.network::snapshot));
        pace = new AdmissionPace(attachments, System::nanoTime);
        store = ConnectionStore.open(onos.storage, task -> loops.journal.spaced(WRITE_MILLIS, task), guard, mandate::check);
        keys = KeyStore.open(onos.storage, task -> loops.journal.spaced(WRITE_MILLIS, task), guard, mandate::check);
        // Whoever began with nothing would take the rules of all connections for left over.
        checkState(!onos.isCluster || store.isRead() && keys.isRead(), "the storage nodes do not give the connections out");
        keys.retain(store.all().stream().map(Connection::id).collect(Collectors.toSet()));
        tokens = new TokenTable();
        store.all().forEach(connection -> keys.get(connection.id())
                .ifPresent(known -> tokens.register(connection.first().tuple(), known)));
        intents = intents(loop);
        desk = new AgentDesk(onos.storage, store, loops, onos.settings, attachments, onos.packets, () -> parts, mandate::check);
        BusyServices services = new BusyServices(attachments::isOwn, System::nanoTime);
        parts = new Wiring(surroundings(attachments, services::wasBusyWithin, guard));
        resourceWatch = new ResourceWatch(onos.intentService, resources, onos.appId,
                                          loops.bookings.coalesced(mandated(parts.reservationKeeper::lookAtOthers)),
                                          loops.bookings.coalesced(mandated(parts.reservationKeeper::tryAgain)));
        books = new ResourceBooks(resources, onos.resourceAdmin, onos.network);
        lostPorts = new LostPorts(parts.reservationKeeper, books, task -> loops.bookings.coalesced(mandated(task)));
        traffic = new TrafficWatch(trafficSources(services), parts, new HandshakeHandler.State(store, keys, tokens, parts.awaited),
                                   onos.settings, onos.network, attachments, loops, onos.counters);
        answers = parts.answers(loops, onos.settings, this::counters);
        duties = onos.isCluster ? new LeaderDuties(onos, loops.threads, this::relayed, answers) : null;
        loop.execute(Urgency.EVENT, () -> parts.lifecycle.recover(SteadyClock.SYSTEM.getAsLong()));
        listen(loop);
        schedule();
    }

    /** A switch refuses rules. A lost one does, too. */
    private void tableIsFull(DeviceId device) {
        loops.decisions.execute(Urgency.EVENT, () -> {
            if (onos.devices.isAvailable(device)) {
                parts.retries.tableIsFull(device);
            }
        });
    }

    private ConnectionIntents intents(ControlLoop loop) {
        Outcomes outcomes = new Outcomes(
                task -> loop.coalesced(Urgency.EVENT, task),
                (id, revision) -> parts.ruleTimes.installed(id, revision, System.nanoTime()), new Decisions(() -> parts));
        LabelChoice labels = new LabelChoice(() -> onos.settings.settings().pathLabels());
        if (!onos.isCluster) {
            return new ConnectionIntents(onos.intentService, onos.appId, onos.flowRules, outcomes, onos.compiler.owner(),
                                         labels);
        }
        return ConnectionIntents.inCluster(onos.intentService, onos.intentStore, onos.appId, onos.flowRules, outcomes,
                                           onos.compiler, mandate::check, labels);
    }

    private void listen(ControlLoop loop) {
        Runnable networkChanged = loop.coalesced(
                Urgency.EVENT, () -> parts.lifecycle.networkChanged(SteadyClock.SYSTEM.getAsLong()));
        // Not on the control loop: it looks at all rules of the application.
        Runnable repair = loops.estimates.coalesced(traffic::replaceBrokenRules);
        networkListener = () -> {
            parts.ruleTimes.reported(System.nanoTime());
            networkChanged.run();
            repair.run();
        };
        hostListener = event -> {
            followHosts.run();
            repair.run();
        };
    }

    private Wiring.Surroundings surroundings(Attachments attachments, UnseenEnds unseenEnds, LoopGuard guard) {
        Wiring.Surroundings from = new Wiring.Surroundings();
        from.network = onos.network;
        from.attachments = attachments;
        from.flowRules = onos.flowRules;
        from.store = store;
        from.keys = keys;
        from.tokens = tokens;
        from.agents = desk.agents;
        from.intents = intents;
        from.reservations = new Reservations(resources, intents::key, mandate::check);
        from.settings = onos.settings;
        from.policies = onos.policies;
        from.hostAsker = new AddressProbe(onos.packets)::ask;
        from.followHosts = followHosts;
        from.unseenEnds = unseenEnds;
        IdleWatch idleWatch = new IdleWatch(copies, wakeRules);
        from.listeners = event -> {
            idleWatch.follow(event);
            pace.follow(event);
            onos.eventDelivery.post(event);
            if (duties != null) {
                duties.tell(event);
            }
        };
        from.bookings = task -> loops.bookings.spaced(WRITE_MILLIS, mandated(task));
        from.shares = task -> loops.decisions.spaced(Urgency.SHARES, SHARE_MILLIS, task);
        from.news = task -> loops.decisions.spaced(Urgency.CHORE, NEWS_MILLIS, task);
        from.plans = loops.plans::rested;
        from.guard = guard;
        from.estimates = LoopGuard.of(loops.estimates);
        from.questions = LoopGuard.of(loops.questions);
        from.clockMillis = SteadyClock.SYSTEM;
        from.epochMillis = System::currentTimeMillis;
        from.stamps = new MasterClocks(SteadyClock.SYSTEM, device -> onos.devices.getRole(device) == MastershipRole.MASTER,
                                       System::nanoTime);
        from.clockNanos = System::nanoTime;
        return from;
    }

    /** Returns a task that runs only while this node may decide. */
    private Runnable mandated(Runnable task) {
        return () -> {
            if (mandate.isValid()) {
                task.run();
            }
        };
    }

    private TrafficWatch.Sources trafficSources(BusyServices services) {
        TrafficWatch.Sources from = new TrafficWatch.Sources();
        from.packets = onos.packets;
        from.devices = onos.devices;
        from.hosts = onos.hosts;
        from.links = onos.links;
        from.flowRules = onos.flowRules;
        from.segments = onos.segments;
        from.mayDecide = mandate::isValid;
        from.whileUndecided = onos.whileUndecided;
        from.appId = onos.appId;
        from.copies = copies;
        from.wakeRules = wakeRules;
        from.services = services;
        from.pace = pace;
        return from;
    }

    private void schedule() {
        loops.decisions.every(TICK_MILLIS, () -> {
            parts.lifecycle.tick(SteadyClock.SYSTEM.getAsLong());
            OneByOne.run(() -> traffic.takeBack(SteadyClock.SYSTEM.getAsLong()), "slow connections");
            pace.pause(parts.retries.tick());
        });
        traffic.schedule();
        loops.decisions.every(SWEEP_MILLIS, parts.provisioner::sweep);
        loops.bookings.every(LOOK_MILLIS, mandated(parts.reservationKeeper::look));
        loops.bookings.every(TICK_MILLIS, mandated(parts.reservationKeeper::tryLocked));
        loops.bookings.every(LOOK_MILLIS, mandated(() -> books.look(parts.reservationKeeper.isAnyUnwritten())));
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
                .putAll(onos.counters.snapshot())
                .putAll(parts.counters())
                .putAll(loops.counters())
                .putAll(traffic.counters())
                .put("table.tokens", (long) tokens.size())
                .put("store.dropped", (long) store.dropped() + keys.dropped() + desk.dropped())
                .putAll(desk.counters());
        if (duties != null) {
            all.putAll(duties.counters());
        }
        return all.build();
    }
}
