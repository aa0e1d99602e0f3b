// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.onlab.packet.MacAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.PortCriterion;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.intent.LabelledPath;
import org.subflow.mptcp.intent.MptcpIntent;
import org.subflow.mptcp.intent.SubflowPathInstaller;
import org.subflow.mptcp.rules.FlowEntries;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.rules.TupleMatch;

/**
 * Removes leftover rules that connections, or paths with labels, no longer have.
 *
 * <p>ONOS can put a removed rule back: if counters of the switch arrive during the removal, ONOS may treat the rule as one
 * to keep, without any intent. A rule can also outlive its removal: if the removal overtakes the installation, ONOS waits
 * for ever for its end. {@link SubflowPathInstaller} leaves the rules of a path whose packets are still on their way. The
 * submissions say at which switches a subflow may have rules, because ONOS's own records may be late.
 *
 * <p>A node that decided before this one may have left rules as well. The first rounds look for them.
 *
 * <p>A sweep reads the rules of the switches concerned. Where there are many, it reads some of them, and the next sweep goes on
 * there. Used by one thread.
 */
final class DepartedRules {
    /** Rounds over the switches in which a rule may go by itself. */
    private static final int GRACE_ROUNDS = 1;
    /** Rounds without a leftover rule after which a subflow is no longer watched. */
    private static final int WATCHED_ROUNDS = 12;
    /** Rounds that begin with a look for rules of another node: some may still be on their way. */
    private static final int SEARCHED_ROUNDS = 3;
    /** After so many rules a sweep reads no further switch. */
    static final int MOST_RULES_IN_A_SWEEP = 10_000;
    /** Limit of watched subflows and paths; the oldest ones go first. */
    private static final int MOST = 50_000;

    private final FlowRuleService flowRules;
    private final Supplier<List<FlowEntry>> earlier;
    /** The switches that the present round still has to read. */
    private final Set<DeviceId> round = new LinkedHashSet<>();
    private int searched;
    /** What has had rules: subflows by five-tuple, and paths by label. */
    private final Map<Object, Departure> departures = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Departure> oldest) {
            return size() > MOST;
        }
    };

    /** Makes it; {@code earlier} gives the rules of intents, where another node may have made some. */
    DepartedRules(FlowRuleService flowRules, Supplier<List<FlowEntry>> earlier) {
        this.flowRules = checkNotNull(flowRules, "flowRules");
        this.earlier = checkNotNull(earlier, "earlier");
    }

    /** Notes that nobody wants the rules of a request from now on. */
    void withdrawn(MptcpIntent before) {
        before.routes().forEach(route -> {
            Set<DeviceId> devices = new HashSet<>();
            before.matchingPorts(route.tuple()).forEach(port -> devices.add(port.deviceId()));
            before.matchingPorts(route.tuple().reversed()).forEach(port -> devices.add(port.deviceId()));
            depart(route.tuple(), devices);
        });
    }

    /** Notes that nobody wants the rules of a path from now on, which has had some in these switches. */
    void departs(MacAddress label, Set<DeviceId> devices) {
        depart(label, new HashSet<>(devices));
    }

    private void depart(Object what, Set<DeviceId> devices) {
        Departure before = departures.remove(what);
        if (before != null) {
            devices.addAll(before.devices);
        }
        departures.put(what, new Departure(devices));
    }

    /**
     * Removes leftover rules.
     *
     * @param submissions all submissions
     * @param isSettled   whether a connection's submission is installed
     * @param isPath      whether a label is that of a path that is wanted now
     */
    void sweep(Collection<Submission> submissions, Predicate<MptcpIntent> isSettled, Predicate<MacAddress> isPath) {
        if (round.isEmpty()) {
            beginRound();
        }
        if (round.isEmpty()) {
            return;
        }
        Map<FiveTuple, MptcpIntent> wanted = new HashMap<>();
        submissions.forEach(one -> one.wanted().ifPresent(
                intent -> intent.routes().forEach(route -> wanted.put(route.tuple(), intent))));
        int read = 0;
        for (Iterator<DeviceId> devices = round.iterator(); devices.hasNext() && read < MOST_RULES_IN_A_SWEEP;) {
            for (FlowEntry entry : FlowEntries.at(flowRules, devices.next())) {
                read++;
                tuple(entry).ifPresent(tuple -> removeUnless(entry, either(departures, tuple),
                                                             () -> isWanted(entry, tuple, either(wanted, tuple), isSettled)));
                LabelledPath.label(entry).ifPresent(label -> removeUnless(entry, departures.get(label), () -> isPath.test(label)));
            }
            devices.remove();
        }
        if (round.isEmpty()) {
            departures.values().removeIf(departure -> departure.rounds > WATCHED_ROUNDS);
        }
    }

    private void beginRound() {
        if (searched < SEARCHED_ROUNDS) {
            searched++;
            search();
        }
        departures.values().forEach(departure -> {
            departure.rounds = departure.hadRules ? 1 : departure.rounds + 1;
            departure.hadRules = false;
            round.addAll(departure.devices);
        });
    }

    private void search() {
        for (FlowEntry entry : earlier.get()) {
            tuple(entry).ifPresent(tuple -> {
                Departure known = either(departures, tuple);
                if (known == null) {
                    known = new Departure(new HashSet<>());
                    departures.put(tuple, known);
                }
                known.devices.add(entry.deviceId());
            });
        }
    }

    private static Optional<FiveTuple> tuple(FlowEntry entry) {
        return entry.priority() == RuleKind.SUBFLOW.priority() ? TupleMatch.tuple(entry.selector()) : Optional.empty();
    }

    private void removeUnless(FlowEntry entry, Departure departure, BooleanSupplier isWanted) {
        boolean isWatched = departure != null && departure.rounds > GRACE_ROUNDS && entry.state() != FlowEntryState.REMOVED;
        if (isWatched && !isWanted.getAsBoolean()) {
            flowRules.removeFlowRules(entry);
            departure.hadRules = true;
        }
    }

    private static boolean isWanted(FlowEntry entry, FiveTuple tuple, MptcpIntent now, Predicate<MptcpIntent> isSettled) {
        return now != null
                && (!isSettled.test(now) || inPort(entry).filter(now.matchingPorts(tuple)::contains).isPresent());
    }

    private static <T> T either(Map<?, T> map, FiveTuple tuple) {
        T found = map.get(tuple);
        return found != null ? found : map.get(tuple.reversed());
    }

    private static Optional<ConnectPoint> inPort(FlowEntry entry) {
        return Optional.ofNullable(entry.selector().getCriterion(Criterion.Type.IN_PORT))
                .map(criterion -> ((PortCriterion) criterion).port())
                .map((PortNumber port) -> new ConnectPoint(entry.deviceId(), port));
    }

    /** A subflow or a path that had rules on these switches. */
    private static final class Departure {
        private final Set<DeviceId> devices;
        private int rounds;
        /** Whether the present round has found leftover rules. */
        private boolean hadRules;

        private Departure(Set<DeviceId> devices) {
            this.devices = devices;
        }
    }
}
