// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.onosproject.app.ApplicationService;
import org.onosproject.cluster.ClusterService;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreService;
import org.onosproject.event.EventDeliveryService;
import org.onosproject.event.ListenerRegistry;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.host.HostListener;
import org.onosproject.net.host.HostService;
import org.onosproject.net.intent.IntentExtensionService;
import org.onosproject.net.intent.IntentService;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.packet.PacketService;
import org.onosproject.net.resource.ResourceService;
import org.onosproject.store.service.StorageService;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.BackgroundPlanService;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionListener;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.PolicyService;
import org.subflow.mptcp.api.Settings;
import org.subflow.mptcp.api.SettingsService;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.WhatIfService;
import org.subflow.mptcp.detect.DetectCounters;
import org.subflow.mptcp.detect.FlagCopies;
import org.subflow.mptcp.detect.TokenTable;
import org.subflow.mptcp.intent.ConnectionIntents;
import org.subflow.mptcp.intent.MptcpIntent;
import org.subflow.mptcp.intent.MptcpIntentCompiler;
import org.subflow.mptcp.intent.Reservations;
import org.subflow.mptcp.loop.ControlLoop;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.loop.Loops;
import org.subflow.mptcp.loop.OneByOne;
import org.subflow.mptcp.loop.Urgency;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.plain.WakeRules;
import org.subflow.mptcp.provisioning.ResourceWatch;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.store.KeyStore;
import org.subflow.mptcp.store.Uninstallation;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.NetworkView;
import org.subflow.mptcp.topology.SteadyClock;

/** Wires the parts of the application to ONOS's services, starts and stops them, and answers queries. */
@Component(immediate = true, service = {MptcpService.class, WhatIfService.class, BackgroundPlanService.class})
public final class ConnectionManager implements MptcpService, WhatIfService, BackgroundPlanService {
    /** The application's name in ONOS. */
    public static final String APP_NAME = "org.subflow.mptcp";

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionManager.class);
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
    private static final long ANSWER_MILLIS = 4000;

    @Reference
    private volatile CoreService core;
    @Reference
    private volatile ApplicationService applications;
    @Reference
    private volatile ClusterService cluster;
    @Reference
    private volatile DeviceService devices;
    @Reference
    private volatile HostService hosts;
    @Reference
    private volatile LinkService links;
    @Reference
    private volatile FlowRuleService flowRules;
    @Reference
    private volatile PacketService packets;
    @Reference
    private volatile IntentService intentService;
    @Reference
    private volatile IntentExtensionService intentExtensions;
    @Reference
    private volatile ResourceService resources;
    @Reference
    private volatile StorageService storage;
    @Reference
    private volatile EventDeliveryService eventDelivery;
    @Reference
    private volatile NetworkView network;
    @Reference
    private volatile SettingsService settings;
    @Reference
    private volatile PolicyService policies;

    private final ListenerRegistry<ConnectionEvent, ConnectionListener> listeners = new ListenerRegistry<>();
    private final DetectCounters counters = new DetectCounters();
    private ApplicationId appId;
    private Uninstallation uninstallation;
    private Loops loops;
    private ConnectionStore store;
    private KeyStore keys;
    private TokenTable tokens;
    private ConnectionIntents intents;
    private Wiring parts;
    private AgentDesk desk;
    private FlagCopies copies;
    private WakeRules wakeRules;
    private final AdmissionPace pace = new AdmissionPace(System::nanoTime);
    private BundleContext bundle;
    private TrafficWatch traffic;
    private NetworkView.Listener networkListener;
    private ResourceWatch resourceWatch;
    private HostListener hostListener;
    private OfferedServices offered;

    @Activate
    void activate(BundleContext context) {
        bundle = context;
        appId = core.registerApplication(APP_NAME);
        uninstallation = Uninstallation.watch(applications, appId);
        eventDelivery.addSink(ConnectionEvent.class,
                              new DeliverySink(listeners, event -> parts.notifier.delivered(event)));
        intentExtensions.registerCompiler(MptcpIntent.class, new MptcpIntentCompiler(
                links, core.registerApplication(MptcpIntentCompiler.RULES_APP_NAME)));
        copies = new FlagCopies(devices);
        wakeRules = new WakeRules(flowRules, appId);
        wire();
        intents.start();
        parts.unreserved.addListener(networkListener);
        resourceWatch.start();
        hosts.addListener(hostListener);
        traffic.start();
        desk.start(context);
        offered = new OfferedServices(context, parts, loops.decisions);
        if (cluster.getNodes().size() > 1) {
            LOG.warn("This version is made for one ONOS node: in a cluster of {}, a connection whose two ends are at "
                             + "switches of different masters is not seen", cluster.getNodes().size());
        }
        LOG.info("Started");
    }

    @Deactivate
    void deactivate(BundleContext bundles) {
        offered.withdraw();
        desk.stop();
        traffic.stop();
        resourceWatch.stop();
        parts.unreserved.removeListener(networkListener);
        hosts.removeListener(hostListener);
        if (bundles.getBundle(Constants.SYSTEM_BUNDLE_ID).getState() == Bundle.STOPPING) {
            leave();
        } else {
            withdraw();
        }
        if (uninstallation.isUnderWay()) {
            clearStores();
        }
        intentExtensions.unregisterCompiler(MptcpIntent.class);
        eventDelivery.removeSink(ConnectionEvent.class);
        LOG.info("Stopped");
    }

    /** Stops with ONOS itself: the switches keep their rules, and the store keeps the connections. */
    private void leave() {
        loops.stop();
        intents.stop();
    }

    /** Stops the application alone: withdraws everything but the records of connections. */
    private void withdraw() {
        // At once: packets that a rule sends to the controller are lost while nobody forwards them.
        flowRules.removeFlowRulesById(appId);
        loops.decisions.execute(Urgency.CHORE, () -> parts.provisioner.makeIdle(parts.provisioner.live()));
        loops.stop();
        intents.stop();
        new Withdrawal(flowRules, appId, intents).run();
    }

    /** Last of all, when no task writes any more: an uninstalled application leaves nothing in ONOS's stores. */
    private void clearStores() {
        try {
            keys.clear();
            store.clear();
            desk.clear();
            LOG.info("Uninstalled: connections, keys and agents are removed from ONOS's stores");
        } catch (RuntimeException e) {
            LOG.error("ONOS's stores keep entries of connections, keys or agents; install and uninstall again to remove them", e);
        }
    }

    private void wire() {
        loops = new Loops(LOG);
        ControlLoop loop = loops.decisions;
        LoopGuard guard = LoopGuard.of(loop);
        Attachments attachments = new Attachments(hosts);
        store = ConnectionStore.open(storage, task -> loops.journal.spaced(WRITE_MILLIS, task), guard);
        keys = KeyStore.open(storage, task -> loops.journal.spaced(WRITE_MILLIS, task), guard);
        keys.retain(store.all().stream().map(Connection::id).collect(Collectors.toSet()));
        tokens = new TokenTable();
        store.all().forEach(connection -> keys.get(connection.id())
                .ifPresent(known -> tokens.register(connection.first().tuple(), known)));
        intents = new ConnectionIntents(intentService, appId, flowRules, new Outcomes(
                task -> loop.coalesced(Urgency.EVENT, task),
                (id, revision) -> parts.ruleTimes.installed(id, revision, System.nanoTime()), new Decisions(() -> parts, pace)));
        desk = new AgentDesk(storage, store, loops, settings, hosts, packets, () -> parts);
        parts = new Wiring(surroundings(attachments, guard));
        resourceWatch = new ResourceWatch(intentService, resources,
                                          loops.bookings.coalesced(parts.reservationKeeper::lookAtOthers),
                                          loops.bookings.coalesced(parts.reservationKeeper::tryAgain));
        traffic = new TrafficWatch(trafficSources(), parts, new HandshakeHandler.State(store, keys, tokens, parts.awaited),
                                   settings, policies, network, attachments, loops, counters);
        loop.execute(Urgency.EVENT, () -> parts.lifecycle.recover(SteadyClock.SYSTEM.getAsLong()));
        listen(loop);
        schedule();
    }

    private void listen(ControlLoop loop) {
        Runnable networkChanged = loop.coalesced(
                Urgency.EVENT, () -> parts.lifecycle.networkChanged(SteadyClock.SYSTEM.getAsLong()));
        Runnable hostsChanged = loop.coalesced(
                Urgency.EVENT, () -> parts.lifecycle.hostsChanged(SteadyClock.SYSTEM.getAsLong()));
        // Not on the control loop: it looks at all rules of the application.
        Runnable repair = loops.estimates.coalesced(traffic::replaceBrokenRules);
        networkListener = () -> {
            parts.ruleTimes.reported(System.nanoTime());
            networkChanged.run();
            repair.run();
        };
        hostListener = event -> {
            hostsChanged.run();
            repair.run();
        };
    }

    private Wiring.Surroundings surroundings(Attachments attachments, LoopGuard guard) {
        Wiring.Surroundings from = new Wiring.Surroundings();
        from.network = network;
        from.attachments = attachments;
        from.flowRules = flowRules;
        from.store = store;
        from.keys = keys;
        from.tokens = tokens;
        from.agents = desk.agents;
        from.intents = intents;
        from.reservations = new Reservations(resources, intents::key);
        from.settings = settings;
        from.policies = policies;
        IdleWatch idleWatch = new IdleWatch(copies, wakeRules);
        from.listeners = event -> {
            idleWatch.follow(event);
            pace.follow(event);
            eventDelivery.post(event);
        };
        from.bookings = task -> loops.bookings.spaced(WRITE_MILLIS, task);
        from.shares = task -> loops.decisions.spaced(Urgency.SHARES, SHARE_MILLIS, task);
        from.news = task -> loops.decisions.spaced(Urgency.CHORE, NEWS_MILLIS, task);
        from.plans = loops.plans::rested;
        from.guard = guard;
        from.estimates = LoopGuard.of(loops.estimates);
        from.questions = LoopGuard.of(loops.questions);
        from.clockMillis = SteadyClock.SYSTEM;
        from.epochMillis = System::currentTimeMillis;
        from.times = SteadyClock.SYSTEM::at;
        from.clockNanos = System::nanoTime;
        return from;
    }

    private TrafficWatch.Sources trafficSources() {
        TrafficWatch.Sources from = new TrafficWatch.Sources();
        from.packets = packets;
        from.devices = devices;
        from.hosts = hosts;
        from.links = links;
        from.flowRules = flowRules;
        from.bundle = bundle;
        from.appId = appId;
        from.copies = copies;
        from.wakeRules = wakeRules;
        from.pace = pace;
        return from;
    }

    private void schedule() {
        loops.decisions.every(TICK_MILLIS, () -> {
            parts.lifecycle.tick(SteadyClock.SYSTEM.getAsLong());
            OneByOne.run(() -> traffic.takeBack(SteadyClock.SYSTEM.getAsLong()), "slow connections");
            if (parts.retries.tick()) {
                pace.pause();
            }
        });
        traffic.schedule();
        loops.decisions.every(SWEEP_MILLIS, parts.provisioner::sweep);
        loops.bookings.every(LOOK_MILLIS, parts.reservationKeeper::look);
        loops.estimates.every(TICK_MILLIS,
                              () -> parts.attainableRates.refresh(parts.provisioner.live(), ESTIMATE_BUDGET_NANOS));
        loops.estimates.every(TICK_MILLIS, () -> parts.bound.refresh(parts.provisioner.live()));
    }

    @Override
    public List<Connection> connections() {
        return store.all();
    }

    @Override
    public Optional<Connection> connection(ConnectionId id) {
        return store.get(id);
    }

    @Override
    public Measurement measurement(ConnectionId id) {
        return parts.meter.measurement(id);
    }

    @Override
    public Demand demand(ConnectionId id) {
        return parts.demands.of(id);
    }

    @Override
    public AttainableRate attainableRate(ConnectionId id) {
        return parts.attainableRates.attainableRate(id);
    }

    @Override
    public boolean hasAgent(ConnectionId id) {
        return store.get(id).filter(desk.agents::isReported).isPresent();
    }

    @Override
    public List<LinkUsage> links() {
        return parts.usages.now();
    }

    @Override
    public Connection whatIf(Settings assumed, Subflow first) {
        return loops.questions.ask(() -> parts.whatIf.connection(parts.provisioner.live(), assumed, first), ANSWER_MILLIS);
    }

    @Override
    public List<Connection> backgroundPlan() {
        return loops.questions.ask(() -> parts.whatIf.plan(parts.provisioner.live(), settings.settings()), ANSWER_MILLIS);
    }

    @Override
    public Map<String, Long> counters() {
        return ImmutableMap.<String, Long>builder()
                .putAll(counters.snapshot())
                .putAll(parts.counters())
                .putAll(loops.counters())
                .putAll(traffic.counters())
                .put("table.tokens", (long) tokens.size())
                .put("store.dropped", (long) store.dropped() + keys.dropped() + desk.dropped())
                .putAll(desk.counters())
                .build();
    }

    @Override
    public void addListener(ConnectionListener listener) {
        listeners.addListener(listener);
    }

    @Override
    public void removeListener(ConnectionListener listener) {
        listeners.removeListener(listener);
    }
}
