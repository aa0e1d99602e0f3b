// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import com.google.common.collect.ImmutableMap;
import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketService;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.subflow.mptcp.api.PolicyService;
import org.subflow.mptcp.api.SettingsService;
import org.subflow.mptcp.candidate.Candidate;
import org.subflow.mptcp.candidate.CandidateTable;
import org.subflow.mptcp.detect.DetectCounters;
import org.subflow.mptcp.detect.FlagCopies;
import org.subflow.mptcp.detect.HandshakeTracker;
import org.subflow.mptcp.detect.Ignored;
import org.subflow.mptcp.detect.PacketInterceptor;
import org.subflow.mptcp.detect.TrackerLimits;
import org.subflow.mptcp.detect.Tracking;
import org.subflow.mptcp.detect.WatchRules;
import org.subflow.mptcp.loop.Loops;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.plain.PlainTcpForwarder;
import org.subflow.mptcp.plain.WakeRules;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.NetworkView;

/** Builds, starts and stops what sees packets: rules that bring them, the tracking of handshakes, and candidates. */
final class TrafficWatch {
    private static final int MOST_SEGMENTS_WAITING = 4_096;
    private static final long EXPIRE_MILLIS = 5000;
    private static final long AGE_MILLIS = 50;
    private static final long TURN_MILLIS = 500;
    private static final long DIVERT_MILLIS = 50;

    private final SettingsService settings;
    private final PolicyService policies;
    private final Loops loops;
    private final BundleContext bundle;
    private final FlagCopies copies;
    private final WakeRules wakeRules;
    private final CandidateTable candidates;
    private final HandshakeHandler handler;
    private final HandshakeTracker tracker;
    private final Tracking tracking;
    private final PacketInterceptor interceptor;
    private final WatchRules watchRules;
    private final UnmanagedTraffic unmanaged;
    private ServiceRegistration<PacketProcessor> copied;
    private ServiceRegistration<PacketProcessor> diverted;
    private boolean stopped;

    /** The services of ONOS and OSGi that it needs; every field must be set. */
    static final class Sources {
        PacketService packets;
        DeviceService devices;
        FlowRuleService flowRules;
        BundleContext bundle;
        ApplicationId appId;
        FlagCopies copies;
        WakeRules wakeRules;
    }

    TrafficWatch(Sources from, Wiring parts, HandshakeHandler.State known, SettingsService settings,
                 PolicyService policies, NetworkView network, Attachments attachments, Loops loops,
                 DetectCounters counters) {
        this.settings = settings;
        this.policies = policies;
        this.loops = loops;
        this.bundle = from.bundle;
        this.copies = from.copies;
        this.wakeRules = from.wakeRules;
        Ignored ignored = new Ignored(counters);
        unmanaged = new UnmanagedTraffic(new PlainTcpForwarder(from.flowRules, from.appId), wakeRules,
                                                          copies, network, attachments, settings, ignored);
        AtomicReference<HandshakeHandler> forgets = new AtomicReference<>();
        candidates = new CandidateTable(CandidateTable.MOST, CandidateTable.MOST_PER_HOST,
                                        (Candidate forgotten) -> forgets.get().forgotten(forgotten));
        handler = new HandshakeHandler(loops.decisions, candidates, known, parts.admission,
                                                        parts.lifecycle, unmanaged, settings, policies,
                                                        parts.setupTimes, System::currentTimeMillis);
        forgets.set(handler);
        tracker = new HandshakeTracker(TrackerLimits.defaults(), known.tokens, counters);
        tracking = new Tracking(tracker, counters, handler, loops.threads, MOST_SEGMENTS_WAITING);
        interceptor = new PacketInterceptor(from.packets, attachments, copies, ignored, counters, tracking, handler);
        watchRules = new WatchRules(from.flowRules, from.devices, copies, from.appId);
    }

    /** Begins to take packets in. */
    void start() {
        wakeRules.recover(handler::isAwaited);
        interceptor.start();
        copied = register(FlagCopies.COPIES, interceptor::processCopy);
        watchRules.start();
    }

    /** Takes no further packet in. */
    synchronized void stop() {
        handler.stop();
        watchRules.stop();
        copied.unregister();
        if (diverted != null) {
            diverted.unregister();
        }
        stopped = true;
        interceptor.stop();
        tracking.stop();
    }

    /** Removes rules that no longer lead to their host; to be called when links or hosts change. */
    void removeBrokenRules() {
        unmanaged.removeBrokenRules();
    }

    /** Begins what happens again and again. */
    void schedule() {
        loops.decisions.every(EXPIRE_MILLIS, tracking::expire);
        loops.decisions.every(AGE_MILLIS, tracking::age);
        loops.decisions.every(TURN_MILLIS, wakeRules::takeTurns);
        loops.decisions.every(DIVERT_MILLIS, this::divertWhereJoinsAreBlocked);
    }

    /** Offers a packet processor to a southbound that matches TCP flags; see {@link FlagCopies}. */
    private ServiceRegistration<PacketProcessor> register(String segments, PacketProcessor processor) {
        return bundle.registerService(PacketProcessor.class, processor,
                                      new Hashtable<>(Map.of(FlagCopies.PROPERTY, segments)));
    }

    /** A SYN waits in the controller only while a policy or the settings may block an MP_JOIN. */
    private synchronized void divertWhereJoinsAreBlocked() {
        if (stopped) {
            return;
        }
        boolean blocks = settings.settings().joinPolicy() == JoinPolicy.BLOCK || policies.mayBlockJoins();
        if (blocks && diverted == null) {
            diverted = register(FlagCopies.DIVERTED_SYNS, interceptor::processDiverted);
        } else if (!blocks && diverted != null) {
            diverted.unregister();
            diverted = null;
        }
    }

    /** Returns the sizes of the tables, and how many switches copy segments. */
    Map<String, Long> counters() {
        return ImmutableMap.<String, Long>builder()
                .put("table.handshakes", (long) tracker.handshakes())
                .put("table.recent", (long) tracker.recent())
                .put("table.midstream", (long) tracker.midstream())
                .put("table.candidates", (long) candidates.size())
                .put("candidates.evicted", candidates.evicted())
                .put("switches.copying", copies.count())
                .build();
    }
}
