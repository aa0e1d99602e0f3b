// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import com.google.common.base.Ticker;
import com.google.common.collect.ImmutableMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.onosproject.net.host.HostService;
import org.onosproject.net.packet.DefaultPacketContext;
import org.onosproject.net.packet.InboundPacket;
import org.onosproject.net.packet.PacketContext;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketService;
import org.subflow.mptcp.admission.Admissions;
import org.subflow.mptcp.admission.Demotions;
import org.subflow.mptcp.admission.HandshakeHandler;
import org.subflow.mptcp.admission.ManagedTraffic;
import org.subflow.mptcp.admission.Openings;
import org.subflow.mptcp.admission.Promotion;
import org.subflow.mptcp.admission.UnmanagedTraffic;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.candidate.CandidateTable;
import org.subflow.mptcp.candidate.ConnectionPolicies;
import org.subflow.mptcp.cluster.RelayedPacket;
import org.subflow.mptcp.handshake.HandshakeTracker;
import org.subflow.mptcp.handshake.TrackerLimits;
import org.subflow.mptcp.handshake.Tracking;
import org.subflow.mptcp.lifecycle.IdleWatch;
import org.subflow.mptcp.loop.Clock;
import org.subflow.mptcp.loop.Loops;
import org.subflow.mptcp.plain.BusyServices;
import org.subflow.mptcp.plain.PlainTraffic;
import org.subflow.mptcp.plain.WakeRules;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.rules.WantedRules;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.segment.FlagCopies;
import org.subflow.mptcp.segment.FlaggedSegments;
import org.subflow.mptcp.segment.Ignored;
import org.subflow.mptcp.segment.PacketInterceptor;
import org.subflow.mptcp.segment.SourceCheck;
import org.subflow.mptcp.segment.WatchRules;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.LinkPorts;
import org.subflow.mptcp.topology.SourceValidation;

/** Builds, starts and stops what sees packets: rules that bring them, the tracking of handshakes, and candidates. */
final class TrafficWatch {
    private static final int MOST_SEGMENTS_WAITING = 32_768;
    private static final long EXPIRE_MILLIS = 5000;
    private static final long AGE_MILLIS = 50;
    /** A connection that is worth paths sends within this time; half of the turns at wake rules may end after it. */
    private static final long TURN_MILLIS = 200;
    private static final long SWEEP_MILLIS = 10_000;
    private static final long IDLE_MILLIS = 1000;
    private static final long DIVERT_MILLIS = 50;

    private final ConnectionPolicies policies;
    private final Loops loops;
    private final FlaggedSegments segments;
    private final BooleanSupplier mayDecide;
    private final Optional<PacketProcessor> whileUndecided;
    private final FlagCopies copies;
    private final WakeRules wakeRules;
    private final CandidateTable candidates;
    private final HandshakeHandler handler;
    private final HandshakeTracker tracker;
    private final Tracking tracking;
    private final HostService hosts;
    private final LinkPorts linkPorts;
    private final SourceCheck sources;
    private final PacketInterceptor interceptor;
    private final WatchRules watchRules;
    private final PlainTraffic plain;
    private final Admissions admissions;
    private final Demotions demotions;
    private final IdleWatch idleWatch;
    private final Clock clock;
    private boolean stopped;

    /**
     * Makes it; nothing happens before {@link #start}.
     *
     * @param mayDecide      whether this node may decide just now
     * @param whileUndecided takes copies of segments while it may not, if anybody does
     */
    TrafficWatch(Services onos, Stores stores, Wiring parts, Attachments attachments, Loops loops, FlagCopies copies,
                 WakeRules wakeRules, BusyServices services, BooleanSupplier mayDecide,
                 Optional<PacketProcessor> whileUndecided) {
        this.loops = loops;
        this.copies = copies;
        this.wakeRules = wakeRules;
        this.policies = parts.policies;
        this.mayDecide = mayDecide;
        this.whileUndecided = whileUndecided;
        this.segments = onos.application.segments;
        clock = onos.application.clock;
        DetectCounters counters = onos.application.counters;
        PacketService packets = onos.network.packets;
        HandshakeHandler.State known = new HandshakeHandler.State(stores.connections, stores.keys, stores.tokens, parts.awaited);
        Ignored ignored = new Ignored(counters);
        // Not on the control loop: it looks at all rules of the application.
        plain = new PlainTraffic(onos.rules, onos.application.network, attachments, onos.application.settings,
                                 loops.estimates::coalesced, clock::nanos);
        UnmanagedTraffic unmanaged = new UnmanagedTraffic(plain, services, wakeRules, copies, attachments, ignored, counters);
        demotions = new Demotions(stores.connections, parts.meter, parts.provisioner, parts.policies, unmanaged,
                                  services::wasBusyWithin);
        idleWatch = new IdleWatch(stores.connections, parts.endings, unmanaged);
        admissions = parts.admissions();
        Openings openings = new Openings(loops.decisions::execute, known, admissions, parts.endings, unmanaged, demotions, clock);
        candidates = new CandidateTable(CandidateTable.MOST, CandidateTable.MOST_PER_HOST, attachments::sender,
                                        services::wasBusyWithin, openings::forgotten);
        Promotion promotion = new Promotion(loops.decisions::execute, candidates, openings, unmanaged, parts.ruleTimes, parts.gate, clock);
        ManagedTraffic managed = new ManagedTraffic(loops.decisions::execute, stores.connections, admissions, parts.endings, unmanaged,
                                                    demotions, clock);
        handler = new HandshakeHandler(candidates, known, managed, unmanaged, promotion, parts.policies, clock);
        tracker = new HandshakeTracker(TrackerLimits.DEFAULTS, stores.tokens, counters);
        tracking = new Tracking(tracker, counters, handler, loops.threads, MOST_SEGMENTS_WAITING, clock::nanos);
        hosts = onos.network.hosts;
        linkPorts = new LinkPorts(onos.network.links, Ticker.systemTicker());
        sources = new SourceCheck(new SourceValidation(hosts, linkPorts), attachments, copies, tracking, counters,
                                  clock::nanos, packets);
        interceptor = new PacketInterceptor(packets, attachments, copies, counters, sources, handler, clock::nanos);
        watchRules = new WatchRules(onos.rules, onos.network.devices, copies);
    }

    /** Returns what is wanted of the rules that bring packets. */
    Map<RuleKind, Supplier<WantedRules>> wantedRules() {
        return Map.of(RuleKind.WAKE, wakeRules::wanted, RuleKind.WATCH, () -> watchRules.wanted(RuleKind.WATCH),
                      RuleKind.LAST_WATCH, () -> watchRules.wanted(RuleKind.LAST_WATCH));
    }

    /** Begins to take packets in. */
    void start() {
        linkPorts.start();
        hosts.addListener(sources);
        interceptor.start();
        segments.give(this::processCopy, interceptor::processDiverted);
        watchRules.start();
    }

    /** Takes no further packet in. */
    synchronized void stop() {
        admissions.close();
        watchRules.stop();
        stopped = true;
        interceptor.stop();
        hosts.removeListener(sources);
        linkPorts.stop();
        tracking.stop();
    }

    /** Takes in a packet that another node got. */
    void relayed(RelayedPacket relayed) {
        InboundPacket in = relayed.packet();
        PacketContext context = new DefaultPacketContext(clock.epochMillis(), in, null, false) {
            @Override
            public void send() {
                // It is forwarded by packet-out.
            }
        };
        switch (relayed.kind()) {
            case OBSERVED:
                interceptor.observe(in);
                break;
            case TAKEN:
                interceptor.process(context);
                break;
            case UNCLAIMED:
                interceptor.processUnclaimed(context);
                break;
            case COPY:
                interceptor.processCopy(context);
                break;
            default:
                interceptor.processDiverted(context);
                break;
        }
    }

    /** Has rules replaced that no longer lead to their host; to be called when links or hosts change. */
    void replaceBrokenRules() {
        plain.replaceBrokenRules();
    }

    /**
     * Demotes connections that send little; to be called on the control loop after each reading of the counters.
     *
     * @param nowMillis milliseconds of the Unix epoch
     */
    void demote(long nowMillis) {
        demotions.tick(nowMillis);
    }

    /** Follows what happens to a connection. */
    void follow(ConnectionEvent event) {
        idleWatch.follow(event);
    }

    /** Begins what happens again and again. */
    void schedule() {
        loops.decisions.every(EXPIRE_MILLIS, tracking::expire);
        loops.decisions.every(AGE_MILLIS, tracking::age);
        loops.decisions.every(SWEEP_MILLIS, tracking::sweep);
        loops.decisions.every(IDLE_MILLIS, () -> idleWatch.look(id -> demotions.isPausing(id, clock.millis())));
        loops.decisions.every(AGE_MILLIS, sources::age);
        loops.decisions.every(TURN_MILLIS, wakeRules::takeTurns);
        loops.decisions.every(DIVERT_MILLIS, this::divertWhereJoinsAreBlocked);
    }

    /** What is tracked by a node whose mandate has lapsed is lost with it; the next node that decides wants it. */
    private void processCopy(PacketContext context) {
        if (whileUndecided.isPresent() && !mayDecide.getAsBoolean()) {
            whileUndecided.get().process(context);
        } else {
            interceptor.processCopy(context);
        }
    }

    /** A SYN waits in the controller only while a policy or the settings may block an MP_JOIN. */
    private synchronized void divertWhereJoinsAreBlocked() {
        if (stopped) {
            return;
        }
        segments.divert(policies.mayBlockJoins());
    }

    /** Returns the sizes of the tables, and how many switches copy segments. */
    Map<String, Long> counters() {
        return ImmutableMap.<String, Long>builder()
                .put("table.handshakes", (long) tracker.handshakes())
                .put("table.recent", (long) tracker.recent())
                .put("table.midstream", (long) tracker.midstream())
                .put("table.candidates", (long) candidates.size())
                .put("candidates.demoted", demotions.total())
                .put("candidates.evicted", candidates.evicted())
                .put("candidates.probes", candidates.probes())
                .put("table.held-back", (long) sources.held())
                .put("switches.copying", copies.count())
                .putAll(sources.spoofedByPort())
                .putAll(tracker.uncheckedByPort())
                .build();
    }
}
