// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plain;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
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
import org.subflow.mptcp.intent.SubflowRules;

/**
 * Rules that bring a connection's next packet to the controller: one exact rule at the switch where the packet enters. A
 * connection without rules of its own shows so that it is alive, at a switch that sends only SYN, FIN and RST otherwise.
 *
 * <p>A switch has {@link #MOST_PER_SWITCH} of these rules at most. Where more connections wait, they take turns: at once
 * whoever has had none, and slowly those that were silent in an earlier turn. Thread-safe.
 */
public final class WakeRules {
    /**
     * Priority of the rules: above all plain forwarding and other applications' intents (100), whose rules would hide the
     * packet, and below the exact rules of subflows.
     */
    public static final int PRIORITY = 105;
    /** Limit of rules in a switch. */
    public static final int MOST_PER_SWITCH = 32;
    /** Limit of connections that wait for their turn at a switch; the oldest are forgotten first. */
    static final int MOST_WAITING = 10_000;

    /** How many of those that were silent in an earlier turn get another one when turns change. */
    private static final int MOST_SILENT_AT_ONCE = 4;

    private final FlowRuleService flowRules;
    private final ApplicationId appId;
    private final Map<FiveTuple, ConnectPoint> wanted = new ConcurrentHashMap<>();
    private final Map<DeviceId, Turns> switches = new HashMap<>();
    /** The rules that the last sweep found without a five-tuple. */
    private Set<FlowEntry> leftovers = Set.of();

    /** The five-tuples of a switch, oldest first in each set. */
    private static final class Turns {
        /** Those with a rule: in their first turn, and in a later one. */
        private final Set<FiveTuple> first = new LinkedHashSet<>();
        private final Set<FiveTuple> again = new LinkedHashSet<>();
        /** Those that wait: for their first turn, and for a later one. */
        private final Set<FiveTuple> fresh = new LinkedHashSet<>();
        private final Set<FiveTuple> silent = new LinkedHashSet<>();

        private int armed() {
            return first.size() + again.size();
        }

        private boolean disarm(FiveTuple tuple) {
            return first.remove(tuple) || again.remove(tuple);
        }

        private void leave(FiveTuple tuple) {
            if (!fresh.remove(tuple)) {
                silent.remove(tuple);
            }
        }
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
            Optional<FiveTuple> tuple = tupleOf(entry);
            if (!tuple.isPresent()) {
                continue;
            }
            if (isWanted.test(tuple.get())) {
                PortCriterion port = (PortCriterion) entry.selector().getCriterion(Criterion.Type.IN_PORT);
                ConnectPoint ingress = new ConnectPoint(entry.deviceId(), port.port());
                wanted.put(tuple.get(), ingress);
                switches.computeIfAbsent(entry.deviceId(), device -> new Turns()).first.add(tuple.get());
            } else {
                flowRules.removeFlowRules(entry);
            }
        }
    }

    /**
     * Forgets the five-tuples for which nobody waits any more, and removes the rules that two calls have found without a
     * five-tuple. ONOS may carry out a rule's removal before its installation, if one soon follows the other; then the rule
     * stays. To be called every few seconds.
     *
     * @param isWanted whether somebody waits for packets of a five-tuple
     */
    public synchronized void sweep(Predicate<FiveTuple> isWanted) {
        List.copyOf(wanted.keySet()).stream().filter(isWanted.negate()).forEach(this::ignore);
        Set<FlowEntry> found = new HashSet<>();
        for (FlowEntry entry : FlowEntries.of(flowRules, appId)) {
            Optional<FiveTuple> tuple = tupleOf(entry);
            if (tuple.isPresent() && !isArmed(entry.deviceId(), tuple.get())) {
                found.add(entry);
            }
        }
        found.stream().filter(leftovers::contains).forEach(flowRules::removeFlowRules);
        leftovers = found;
    }

    private boolean isArmed(DeviceId device, FiveTuple tuple) {
        Turns turns = switches.get(device);
        return turns != null && (turns.first.contains(tuple) || turns.again.contains(tuple));
    }

    /** Returns the five-tuple of a rule if it is a wake rule. */
    private static Optional<FiveTuple> tupleOf(FlowEntry entry) {
        boolean isWakeRule = entry.priority() == PRIORITY && entry.isPermanent()
                && entry.selector().getCriterion(Criterion.Type.IN_PORT) != null;
        return isWakeRule ? SubflowRules.tuple(entry.selector()) : Optional.empty();
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
        if (turns.armed() >= MOST_PER_SWITCH && !turns.again.isEmpty()) {
            silence(turns, turns.again);
        }
        turns.fresh.add(tuple);
        fill(turns);
        if (turns.fresh.size() + turns.silent.size() > MOST_WAITING) {
            wanted.remove(first(turns.silent.isEmpty() ? turns.fresh : turns.silent));
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
            int places = Math.min(turns.fresh.size() + Math.min(turns.silent.size(), MOST_SILENT_AT_ONCE), MOST_PER_SWITCH / 2);
            for (int taken = MOST_PER_SWITCH - turns.armed(); taken < places; taken++) {
                silence(turns, turns.again.isEmpty() ? turns.first : turns.again);
            }
            fill(turns);
        }
    }

    /** Ends the turn of the oldest of these, which was silent. */
    private void silence(Turns turns, Set<FiveTuple> from) {
        FiveTuple tuple = first(from);
        flowRules.removeFlowRules(rule(tuple, wanted.get(tuple)));
        turns.silent.add(tuple);
    }

    private void forget(FiveTuple tuple, ConnectPoint ingress) {
        Turns turns = switches.get(ingress.deviceId());
        if (turns.disarm(tuple)) {
            flowRules.removeFlowRules(rule(tuple, ingress));
            fill(turns);
        } else {
            turns.leave(tuple);
        }
    }

    private void fill(Turns turns) {
        while (turns.armed() < MOST_PER_SWITCH && !(turns.fresh.isEmpty() && turns.silent.isEmpty())) {
            boolean isFresh = !turns.fresh.isEmpty();
            FiveTuple tuple = first(isFresh ? turns.fresh : turns.silent);
            (isFresh ? turns.first : turns.again).add(tuple);
            flowRules.applyFlowRules(rule(tuple, wanted.get(tuple)));
        }
    }

    private static FiveTuple first(Set<FiveTuple> tuples) {
        Iterator<FiveTuple> each = tuples.iterator();
        FiveTuple first = each.next();
        each.remove();
        return first;
    }

    private FlowRule rule(FiveTuple tuple, ConnectPoint ingress) {
        return DefaultFlowRule.builder()
                .forDevice(ingress.deviceId())
                .withSelector(DefaultTrafficSelector.builder(SubflowRules.selector(tuple))
                                      .matchInPort(ingress.port())
                                      .build())
                .withTreatment(DefaultTrafficTreatment.builder().punt().build())
                .withPriority(PRIORITY)
                .fromApp(appId)
                .makePermanent()
                .build();
    }
}
