// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.base.Suppliers;
import com.google.common.collect.ImmutableMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.onosproject.net.packet.PacketService;
import org.onosproject.store.service.StorageService;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.subflow.mptcp.api.agent.AgentService;
import org.subflow.mptcp.api.policy.AgentSubflows;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.host.AgentSettings;
import org.subflow.mptcp.host.Decider;
import org.subflow.mptcp.host.HostAgents;
import org.subflow.mptcp.host.Later;
import org.subflow.mptcp.host.ThroughputAnnouncer;
import org.subflow.mptcp.loop.Clock;
import org.subflow.mptcp.loop.Loops;
import org.subflow.mptcp.store.AgentStore;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.store.GreatestNumber;
import org.subflow.mptcp.subflows.RequestRule;
import org.subflow.mptcp.topology.Attachments;

/** Builds, offers and stops what hosts' agents talk to. */
final class AgentWiring implements AgentSettings {
    private static final long WRITE_MILLIS = 500;
    /** So often {@link RequestRule} needs reports. */
    private static final long SAMPLE_MILLIS = 1000;
    private static final long REPORT_MILLIS = 2000;
    private static final long ANNOUNCE_MILLIS = 1000;

    private final ConnectionStore connections;
    private final Loops loops;
    private final SettingsService settings;
    private final Attachments attachments;
    private final PacketService packets;
    private final Clock clock;
    private final AgentStore store;
    private final Later.OnThread later;
    /** Opened by the first announcement. */
    private final Supplier<GreatestNumber> announced;
    private HostAgents agents;
    private ThroughputAnnouncer announcer;
    private ServiceRegistration<?> offered;

    /**
     * Makes it; {@link #agents} must follow.
     *
     * @param mayWrite gives the term in which this node writes to ONOS's stores; throws an exception if it may not
     */
    AgentWiring(StorageService storage, ConnectionStore connections, Loops loops, SettingsService settings, Attachments attachments,
              PacketService packets, LongSupplier mayWrite, Clock clock) {
        this.clock = checkNotNull(clock, "clock");
        this.connections = checkNotNull(connections, "connections");
        this.loops = checkNotNull(loops, "loops");
        this.settings = checkNotNull(settings, "settings");
        this.attachments = checkNotNull(attachments, "attachments");
        this.packets = checkNotNull(packets, "packets");
        store = AgentStore.open(storage, task -> loops.journal.spaced(WRITE_MILLIS, task), mayWrite);
        later = new Later.OnThread(loops.threads);
        announced = Suppliers.memoize(() -> new GreatestNumber(storage, GreatestNumber.ANNOUNCED));
    }

    /** Makes the agents around who decides; called once. */
    HostAgents agents(Decider decider) {
        agents = new HostAgents(store, connections, decider, this, attachments::isItself, later, clock::millis);
        announcer = new ThroughputAnnouncer(connections, agents, attachments, packets,
                                            () -> settings.get(Settings.ANNOUNCE_SECONDS), clock::epochMillis,
                                            number -> announced.get().applyAsLong(number));
        loops.journal.every(ANNOUNCE_MILLIS, announcer::tick);
        return agents;
    }

    @Override
    public boolean managesPaths() {
        return settings.get(Settings.AGENT_SUBFLOWS) != AgentSubflows.OFF;
    }

    @Override
    public long reportMillis() {
        return settings.get(Settings.AGENT_SUBFLOWS) == AgentSubflows.NEEDED ? SAMPLE_MILLIS : REPORT_MILLIS;
    }

    /** Begins to take reports. */
    void start(BundleContext bundle) {
        String[] types = Stream.of(AgentService.class, HostAgents.class).map(Class::getName).toArray(String[]::new);
        offered = bundle.registerService(types, agents, null);
    }

    /** Takes no further report. */
    void stop() {
        if (offered != null) {
            offered.unregister();
        }
        agents.stop();
        later.stop();
    }

    /** Removes all hosts from ONOS's store, for good. */
    void clear() {
        store.clear();
        announced.get().clear();
    }

    Map<String, Long> counters() {
        return ImmutableMap.<String, Long>builder().putAll(agents.counters()).putAll(announcer.counters()).build();
    }

    /** Returns how many stored hosts could not be read, and were dropped. */
    int dropped() {
        return store.dropped();
    }
}
