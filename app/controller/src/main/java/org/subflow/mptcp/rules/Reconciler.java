// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rules;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.Sets;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the application's rules that ONOS has with those that are wanted, again and again. It adds what is missing and removes
 * what nobody wants, whoever has left it: another node, an earlier run, or ONOS itself. Of ONOS these defects are known:
 *
 * <ul>
 * <li>A removed rule comes back. If counters of the switch arrive during the removal, ONOS may treat the rule as one to keep.
 * <li>A rule outlives its removal. ONOS may carry out concurrent operations in any order: the removal before the installation.
 * <li>A rule leads elsewhere: of two concurrent changes of one rule, the older one was carried out last.
 * <li>A rule is lost while its switch goes and comes back. ONOS's store does not have it at all.
 * <li>In a cluster, a switch's table may stand still: ONOS keeps all changes of it for later, and takes no counters. Two changes of
 *     the master within a tenth of a second have done that. Only another master ends it, so the log asks for one.
 * </ul>
 *
 * <p>So a rule has to be missing, or to be there unwanted, at two looks. What is on its way at the first one has come by the
 * second. The looks read ONOS's store and follow no events: ONOS tells a rule's events on its switch's master alone, and one event
 * for each rule with each report of a switch. Used by the control loop of the node that decides.
 */
public final class Reconciler {
    /** After so many rules a look reads no further switch; the next one goes on there. */
    static final int MOST_RULES_IN_A_LOOK = 10_000;

    /** If ONOS has not done in so many looks what it was asked for at each of them, its table of the switch stands still. */
    static final int STANDS_STILL = 6;

    private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);

    private final OwnRules own;
    private final Map<RuleKind, Supplier<WantedRules>> owners;
    /** The switches that the present round still has to read. */
    private Queue<DeviceId> round = new ArrayDeque<>();
    private final Map<DeviceId, Difference> differences = new HashMap<>();
    private volatile boolean isStopped;

    /** What one look at a switch has found. */
    private static final class Difference {
        private final Set<FlowRule> missing = new HashSet<>();
        private final Set<FlowRule> unwanted = new HashSet<>();
        /** Wanted rules that ONOS has, and the switch has not confirmed. */
        private final Set<FlowRule> unconfirmed = new HashSet<>();
        /** The rules that ONOS was asked to add or to remove. */
        private final Set<FlowRule> asked = new HashSet<>();
        /** At how many looks, one after the other, it was asked for some of these. */
        private int times;
    }

    /**
     * Makes it; nothing happens before {@link #look()}.
     *
     * @param owners says of each kind what is wanted now. Rules of other kinds end by time-outs; not null
     */
    public Reconciler(OwnRules own, Map<RuleKind, Supplier<WantedRules>> owners) {
        this.own = checkNotNull(own, "own");
        this.owners = new EnumMap<>(owners);
    }

    /** Removes the rules of a kind that nobody wants, at one look: before this run asks for any, none is on its way. */
    public void begin(RuleKind kind) {
        WantedRules wanted = owners.get(kind).get();
        own.remove(own.all(kind).stream()
                .filter(rule -> !wanted.at(rule.deviceId()).containsKey(rule) && !wanted.mayStay(rule)).collect(Collectors.toSet()));
    }

    /** Looks at nothing any more: what was wanted is about to be removed. Any thread may say so. */
    public void stop() {
        isStopped = true;
    }

    /**
     * Looks at the switches that are up, or at some of them if there are many rules; to be called every few seconds.
     *
     * @return those that have not confirmed a wanted rule from one look to the next: they may refuse it
     */
    public Set<DeviceId> look() {
        Set<DeviceId> unconfirmed = new HashSet<>();
        if (isStopped) {
            return unconfirmed;
        }
        if (round.isEmpty()) {
            round = own.switches();
            differences.keySet().retainAll(Set.copyOf(round));
        }
        Map<RuleKind, WantedRules> wanted = new EnumMap<>(RuleKind.class);
        owners.forEach((kind, owner) -> wanted.put(kind, owner.get()));
        RuleReading reading = own.read();
        for (int read = 0; !round.isEmpty() && read < MOST_RULES_IN_A_LOOK;) {
            DeviceId device = round.remove();
            if (reading.isKnown(device)) {
                Difference now = compare(device, reading.own(device), wanted);
                Difference before = differences.put(device, now);
                if (before != null) {
                    mend(device, before, now);
                    if (!Sets.intersection(now.unconfirmed, before.unconfirmed).isEmpty()) {
                        unconfirmed.add(device);
                    }
                }
                read += reading.own(device).size();
            }
        }
        return unconfirmed;
    }

    /** Returns the switches whose tables stand still in ONOS. */
    Set<DeviceId> standingStill() {
        return differences.keySet().stream().filter(device -> differences.get(device).times >= STANDS_STILL).collect(Collectors.toSet());
    }

    private static Difference compare(DeviceId device, Collection<FlowEntry> rules, Map<RuleKind, WantedRules> wanted) {
        Difference found = new Difference();
        Map<RuleKind, Map<FlowRule, FlowRule>> here = new EnumMap<>(RuleKind.class);
        wanted.forEach((kind, of) -> here.put(kind, of.at(device)));
        here.values().forEach(rulesOf -> found.missing.addAll(rulesOf.keySet()));
        for (FlowEntry rule : rules) {
            RuleKind kind = RuleKind.of(rule).filter(wanted::containsKey).orElse(null);
            if (kind == null || rule.state() == FlowEntryState.REMOVED) {
                continue;
            }
            FlowRule ours = here.get(kind).get(rule);
            if (ours != null && rule.state() != FlowEntryState.PENDING_REMOVE && ours.treatment().equals(rule.treatment())) {
                found.missing.remove(rule);
                if (rule.state() != FlowEntryState.ADDED) {
                    found.unconfirmed.add(rule);
                }
            } else if (ours == null && !wanted.get(kind).mayStay(rule)) {
                found.unwanted.add(rule);
            }
        }
        return found;
    }

    private void mend(DeviceId device, Difference before, Difference now) {
        Set<FlowRule> lost = Set.copyOf(Sets.intersection(now.missing, before.missing));
        if (!lost.isEmpty()) {
            LOG.info("ONOS has lost {} rules of {}; they are applied again", lost.size(), device);
            own.add(lost);
        }
        Set<FlowRule> left = Set.copyOf(Sets.intersection(now.unwanted, before.unwanted));
        own.remove(left);
        now.asked.addAll(lost);
        now.asked.addAll(left);
        now.times = Collections.disjoint(now.asked, before.asked) ? 1 : before.times + 1;
        if (now.times == STANDS_STILL) {
            LOG.warn("ONOS changes no rule of {}, asked {} times: its table of that switch stands still. Give the switch another "
                     + "master: device-role {} NODE master", device, STANDS_STILL, device);
        }
    }
}
