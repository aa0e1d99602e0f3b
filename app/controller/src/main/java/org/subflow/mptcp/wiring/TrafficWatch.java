// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import com.google.common.base.Ticker;
import com.google.common.collect.ImmutableMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.host.HostService;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.packet.InboundPacket;
import org.onosproject.net.packet.PacketContext;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketService;
import org.subflow.mptcp.admission.AdmissionPace;
import org.subflow.mptcp.admission.ConnectionPolicies;
import org.subflow.mptcp.admission.ForgottenCandidates;
import org.subflow.mptcp.admission.HandshakeHandler;
import org.subflow.mptcp.admission.Openings;
import org.subflow.mptcp.admission.Promotion;
import org.subflow.mptcp.admission.SlowConnections;
import org.subflow.mptcp.admission.UnmanagedTraffic;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.candidate.CandidateTable;
import org.subflow.mptcp.cluster.RelayedPacket;
import org.subflow.mptcp.handshake.HandshakeTracker;
import org.subflow.mptcp.handshake.TrackerLimits;
import org.subflow.mptcp.handshake.Tracking;
import org.subflow.mptcp.loop.Loops;
import org.subflow.mptcp.plain.BusyServices;
import org.subflow.mptcp.plain.PlainTcpForwarder;
import org.subflow.mptcp.plain.WakeRules;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.segment.FlagCopies;
import org.subflow.mptcp.segment.FlaggedSegments;
import org.subflow.mptcp.segment.Ignored;
import org.subflow.mptcp.segment.PacketInterceptor;
import org.subflow.mptcp.segment.RelayLimit;
import org.subflow.mptcp.segment.SourceCheck;
import org.subflow.mptcp.segment.WatchRules;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.LinkPorts;
import org.subflow.mptcp.topology.NetworkView;
import org.subflow.mptcp.topology.SourceValidation;
import org.subflow.mptcp.topology.SteadyClock;

/** Builds, starts and stops what sees packets: rules that bring them, the tracking of handshakes, and candidates. */
final class TrafficWatch {
    private static final int MOST_SEGMENTS_WAITING = 32_768;
    private static final long EXPIRE_MILLIS = 5000;
    private static final long AGE_MILLIS = 50;
    /** A connection that is worth paths sends within this time; half of the turns at wake rules may end after it. */
    private static final long TURN_MILLIS = 200;
    private static final long SWEEP_MILLIS = 10_000;
    private static final long DIVERT_MILLIS = 50;

    private final ConnectionPolicies policies;
    private final Loops loops;
    private final Sources from;
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
    private final UnmanagedTraffic unmanaged;
    private final SlowConnections slow;
    private boolean stopped;

    /** The services of ONOS and OSGi that it needs; every field must be set. */
    static final class Sources {
        PacketService packets;
        DeviceService devices;
        HostService hosts;
        LinkService links;
        FlowRuleService flowRules;
        FlaggedSegments segments;
        /** Whether this node may decide just now. */
        BooleanSupplier mayDecide;
        /** Takes copies of segments while it may not, if anybody does. */
        Optional<PacketProcessor> whileUndecided;
        ApplicationId appId;
        FlagCopies copies;
        WakeRules wakeRules;
        BusyServices services;
        AdmissionPace pace;
    }

    TrafficWatch(Sources from, Wiring parts, HandshakeHandler.State known, SettingsService settings,
                 NetworkView network, Attachments attachments, Loops loops,
                 DetectCounters counters) {
        this.policies = parts.policies;
        this.loops = loops;
        this.from = from;
        this.copies = from.copies;
        this.wakeRules = from.wakeRules;
        Ignored ignored = new Ignored(counters);
        unmanaged = new UnmanagedTraffic(new PlainTcpForwarder(from.flowRules, from.appId), from.services, wakeRules,
                                         copies, network, attachments, settings, ignored, counters);
        slow = new SlowConnections(known.store, known.keys, parts.meter, parts.provisioner, parts.policies, unmanaged);
        Openings openings = new Openings(known, parts.gate(), parts.endings, unmanaged, slow);
        candidates = new CandidateTable(CandidateTable.MOST, CandidateTable.MOST_PER_HOST, from.services::wasBusyWithin,
                                        new ForgottenCandidates(loops.decisions, known.tokens, unmanaged, openings));
        Promotion promotion = new Promotion(loops.decisions, candidates, known, openings, parts.endings, unmanaged,
                                            parts.ruleTimes, from.pace, SteadyClock.SYSTEM);
        handler = new HandshakeHandler(loops.decisions, candidates, known, parts.gate(), parts.endings, unmanaged, slow,
                                       parts.policies, parts.ruleTimes, promotion, SteadyClock.SYSTEM);
        tracker = new HandshakeTracker(TrackerLimits.defaults(), known.tokens, counters);
        tracking = new Tracking(tracker, counters, handler, loops.threads, MOST_SEGMENTS_WAITING);
        hosts = from.hosts;
        linkPorts = new LinkPorts(from.links, Ticker.systemTicker());
        sources = new SourceCheck(new SourceValidation(hosts, linkPorts), attachments, copies, tracking, counters,
                                  System::nanoTime, from.packets);
        interceptor = new PacketInterceptor(from.packets, attachments, copies, counters, sources, handler,
                                            new RelayLimit(System::nanoTime));
        watchRules = new WatchRules(from.flowRules, from.devices, copies, from.appId);
    }

    /** Begins to take packets in. */
    void start() {
        wakeRules.recover(handler::isAwaited);
        slow.awaitIdleBefore();
        linkPorts.start();
        hosts.addListener(sources);
        interceptor.start();
        from.segments.give(this::processCopy, interceptor::processDiverted);
        watchRules.start();
    }

    /** Takes no further packet in. */
    synchronized void stop() {
        handler.stop();
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
        PacketContext context = new RelayedContext(in);
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

    /** Replaces rules that no longer lead to their host; to be called when links or hosts change. */
    void replaceBrokenRules() {
        unmanaged.replaceBrokenRules();
    }

    /**
     * Takes paths back from connections that send little; to be called on the control loop after each reading of the counters.
     *
     * @param nowMillis milliseconds of the Unix epoch
     */
    void takeBack(long nowMillis) {
        slow.tick(nowMillis);
    }

    /** Begins what happens again and again. */
    void schedule() {
        loops.decisions.every(EXPIRE_MILLIS, tracking::expire);
        loops.decisions.every(AGE_MILLIS, tracking::age);
        loops.decisions.every(SWEEP_MILLIS, tracking::sweep);
        loops.decisions.every(AGE_MILLIS, sources::age);
        loops.decisions.every(TURN_MILLIS, wakeRules::takeTurns);
        loops.decisions.every(DIVERT_MILLIS, this::divertWhereJoinsAreBlocked);
    }

    /** What is tracked by a node whose mandate has lapsed is lost with it; the next node that decides wants it. */
    private void processCopy(PacketContext context) {
        if (from.whileUndecided.isPresent() && !from.mayDecide.getAsBoolean()) {
            from.whileUndecided.get().process(context);
        } else {
            interceptor.processCopy(context);
        }
    }

    /** A SYN waits in the controller only while a policy or the settings may block an MP_JOIN. */
    private synchronized void divertWhereJoinsAreBlocked() {
        if (stopped) {
            return;
        }
        from.segments.divert(policies.mayBlockJoins());
    }

    /** Returns the sizes of the tables, and how many switches copy segments. */
    Map<String, Long> counters() {
        return ImmutableMap.<String, Long>builder()
                .put("table.handshakes", (long) tracker.handshakes())
                .put("table.recent", (long) tracker.recent())
                .put("table.midstream", (long) tracker.midstream())
                .put("table.candidates", (long) candidates.size())
                .put("candidates.evicted", candidates.evicted())
                .put("candidates.given-back", slow.total())
                .put("candidates.looks", candidates.looks())
                .put("table.held-back", (long) sources.held())
                .put("switches.copying", copies.count())
                .putAll(sources.spoofedByPort())
                .build();
    }
}
