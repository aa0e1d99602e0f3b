// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plain;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.PortCriterion;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.intent.FlowEntries;
import org.subflow.mptcp.intent.SubflowPathIntents;

/**
 * Rules that bring a connection's next packet to the controller: one exact rule at the switch where the packet enters. A
 * connection without rules of its own shows so that it is alive, at a switch that sends only SYN, FIN and RST otherwise.
 *
 * <p>A switch has {@link #MOST_PER_SWITCH} of these rules at most. Where more connections wait, they take turns. Thread-safe.
 */
public final class WakeRules {
    /** Priority of the rules: above all plain forwarding, below intents (100). */
    public static final int PRIORITY = 60;
    /** Limit of rules in a switch. */
    public static final int MOST_PER_SWITCH = 32;
    /** Limit of connections that wait for their turn at a switch; the oldest are forgotten first. */
    static final int MOST_WAITING = 10_000;

    private final FlowRuleService flowRules;
    private final ApplicationId appId;
    private final Map<FiveTuple, ConnectPoint> wanted = new ConcurrentHashMap<>();
    private final Map<DeviceId, Turns> switches = new HashMap<>();

    /** The five-tuples of a switch: those with a rule, oldest first, and those that wait. */
    private static final class Turns {
        private final Set<FiveTuple> armed = new LinkedHashSet<>();
        private final Set<FiveTuple> waiting = new LinkedHashSet<>();
    }

    /**
     * Makes a keeper of wake rules.
     *
     * @param flowRules ONOS's flow rule service; not null
     * @param appId     the application that owns the rules; not null
     */
    public WakeRules(FlowRuleService flowRules, ApplicationId appId) {
        this.flowRules = checkNotNull(flowRules, "flowRules");
        this.appId = checkNotNull(appId, "appId");
    }

    /**
     * Takes over the rules that an earlier run of the application left.
     *
     * @param isWanted whether packets of a five-tuple are still asked for; the other rules are removed
     */
    public synchronized void recover(Predicate<FiveTuple> isWanted) {
        for (FlowEntry entry : FlowEntries.of(flowRules, appId)) {
            Optional<FiveTuple> tuple = SubflowPathIntents.tuple(entry.selector());
            PortCriterion port = (PortCriterion) entry.selector().getCriterion(Criterion.Type.IN_PORT);
            if (entry.priority() != PRIORITY || !entry.isPermanent() || !tuple.isPresent() || port == null) {
                continue;
            }
            if (isWanted.test(tuple.get())) {
                ConnectPoint ingress = new ConnectPoint(entry.deviceId(), port.port());
                wanted.put(tuple.get(), ingress);
                switches.computeIfAbsent(entry.deviceId(), device -> new Turns()).armed.add(tuple.get());
            } else {
                flowRules.removeFlowRules(entry);
            }
        }
    }

    /**
     * Asks for the next packet of a five-tuple.
     *
     * @param tuple   its source sends the packet; not null
     * @param ingress where its source is attached; not null
     */
    public synchronized void watch(FiveTuple tuple, ConnectPoint ingress) {
        ConnectPoint before = wanted.put(tuple, ingress);
        if (ingress.equals(before)) {
            return;
        }
        if (before != null) {
            forget(tuple, before);
        }
        Turns turns = switches.computeIfAbsent(ingress.deviceId(), device -> new Turns());
        if (turns.armed.size() < MOST_PER_SWITCH) {
            arm(turns, tuple, ingress);
        } else {
            turns.waiting.add(tuple);
            if (turns.waiting.size() > MOST_WAITING) {
                wanted.remove(first(turns.waiting));
            }
        }
    }

    /** Asks no longer for packets of a five-tuple; without effect if nobody did. */
    public synchronized void ignore(FiveTuple tuple) {
        ConnectPoint ingress = wanted.remove(tuple);
        if (ingress != null) {
            forget(tuple, ingress);
        }
    }

    /** Returns whether packets of a five-tuple are asked for. */
    public boolean isWatched(FiveTuple tuple) {
        return wanted.containsKey(tuple);
    }

    /** Gives the rules of the oldest to those that wait; to be called every few seconds. */
    public synchronized void takeTurns() {
        for (Turns turns : switches.values()) {
            int free = Math.min(turns.waiting.size(), MOST_PER_SWITCH / 2);
            for (Iterator<FiveTuple> oldest = turns.armed.iterator(); free > 0 && oldest.hasNext(); free--) {
                FiveTuple tuple = oldest.next();
                oldest.remove();
                flowRules.removeFlowRules(rule(tuple, wanted.get(tuple)));
                turns.waiting.add(tuple);
            }
            fill(turns);
        }
    }

    private void forget(FiveTuple tuple, ConnectPoint ingress) {
        Turns turns = switches.get(ingress.deviceId());
        if (turns.armed.remove(tuple)) {
            flowRules.removeFlowRules(rule(tuple, ingress));
            fill(turns);
        } else {
            turns.waiting.remove(tuple);
        }
    }

    private void fill(Turns turns) {
        while (turns.armed.size() < MOST_PER_SWITCH && !turns.waiting.isEmpty()) {
            FiveTuple tuple = first(turns.waiting);
            arm(turns, tuple, wanted.get(tuple));
        }
    }

    private static FiveTuple first(Set<FiveTuple> tuples) {
        Iterator<FiveTuple> each = tuples.iterator();
        FiveTuple first = each.next();
        each.remove();
        return first;
    }

    private void arm(Turns turns, FiveTuple tuple, ConnectPoint ingress) {
        turns.armed.add(tuple);
        flowRules.applyFlowRules(rule(tuple, ingress));
    }

    private FlowRule rule(FiveTuple tuple, ConnectPoint ingress) {
        return DefaultFlowRule.builder()
                .forDevice(ingress.deviceId())
                .withSelector(DefaultTrafficSelector.builder(SubflowPathIntents.selector(tuple))
                                      .matchInPort(ingress.port())
                                      .build())
                .withTreatment(DefaultTrafficTreatment.builder().punt().build())
                .withPriority(PRIORITY)
                .fromApp(appId)
                .makePermanent()
                .build();
    }
}
