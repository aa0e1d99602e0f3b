// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.onlab.packet.MacAddress;
import org.onosproject.net.Link;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperations;
import org.subflow.mptcp.intent.LabelledPath;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.rules.WantedRules;

/**
 * The rules of {@link LabelledPath}s that some connection takes. They belong to no intent: ONOS does not count how many intents
 * have the same rule, and the first that is withdrawn takes it away from all.
 *
 * <p>A connection uses a path from its submission until a newer submission is installed, or its own intent is gone ({@link
 * Submission#paths}). A path that nobody uses stays for two to three sweeps.
 *
 * <p>Where a link of a path is lost, the rules of the path lead around it ({@link #detour}). Connections that may use a path wait
 * until its rules follow it again.
 *
 * <p>The {@link org.subflow.mptcp.rules.Reconciler} adds what ONOS loses of the rules. It also removes those of an earlier run or
 * another node, if nobody uses them after some sweeps. Used by the submitting thread.
 */
final class SharedPaths {
    /** So many paths have labels at most; on further ones, subflows get exact rules. */
    static final int MOST = 4096;
    /** So many sweeps a path stays without a user. */
    static final int UNUSED_SWEEPS = 2;
    /** So many sweeps nothing of an earlier run goes: its connections may be about to be submitted again. */
    static final int SPARING_SWEEPS = 4;

    private final OwnRules own;
    private final Runnable changed;
    private final Runnable mayDecide;
    private final Map<MacAddress, Entry> entries = new HashMap<>();
    private int sweeps;

    /** A path with what was asked for last. */
    private static final class Entry {
        private final LabelledPath path;
        private Change newest = Change.none(true);
        private int sweepsUnused;

        private Entry(LabelledPath path) {
            this.path = path;
        }

        private boolean isInstalled() {
            return newest.outcome.equals(Optional.of(true));
        }

        /** Returns whether no switch has a rule of it, and none is on its way. */
        private boolean isGone() {
            return isInstalled() && newest.rules.isEmpty();
        }

        private boolean hasFailed() {
            return newest.outcome.equals(Optional.of(false));
        }
    }

    /** Rules that switches were asked to have; none if they are to be removed. */
    private static final class Change {
        /** The links that the rules follow: those of the path, or of a detour. */
        private final List<Link> way;
        private final List<FlowRule> rules;
        /** Whether all switches have the rules; empty while some have not answered. Threads of ONOS tell it. */
        private volatile Optional<Boolean> outcome = Optional.empty();

        private Change(List<Link> way, List<FlowRule> rules) {
            this.way = way;
            this.rules = rules;
        }

        private static Change none(boolean isDone) {
            Change none = new Change(List.of(), List.of());
            none.outcome = Optional.of(isDone);
            return none;
        }
    }

    /**
     * Makes it without any path.
     *
     * @param changed   is told when switches have or refuse the rules of a path, on threads of ONOS; not null
     * @param mayDecide throws an exception if this node may not submit now; not null
     */
    SharedPaths(OwnRules own, Runnable changed, Runnable mayDecide) {
        this.own = checkNotNull(own, "own");
        this.changed = checkNotNull(changed, "changed");
        this.mayDecide = checkNotNull(mayDecide, "mayDecide");
    }

    /** Returns whether connections may use a path: it has not failed, its label is not another one's, and there are not too many. */
    boolean admits(LabelledPath path) {
        Entry entry = entries.get(path.label);
        return entry == null ? entries.size() < MOST : entry.path.equals(path) && !entry.hasFailed();
    }

    /** Asks for the rules of those of these paths that have none. Where rules are being removed, that is to be over first. */
    void need(Set<LabelledPath> paths) {
        for (LabelledPath path : paths) {
            Entry entry = entries.computeIfAbsent(path.label, unused -> new Entry(path));
            entry.sweepsUnused = 0;
            if (entry.isGone()) {
                ask(entry, path.links);
            }
        }
    }

    /** Has the rules of a path added, changed or removed, by those that the switches were asked for before. */
    private void ask(Entry entry, List<Link> way) {
        mayDecide.run();
        Change now = new Change(way, way.isEmpty() ? List.of() : entry.path.rules(own.appId(), way));
        Set<FlowRule> before = new HashSet<>(entry.newest.rules);
        FlowRuleOperations.Builder operations = FlowRuleOperations.builder();
        now.rules.forEach(rule -> {
            if (before.remove(rule)) {
                operations.modify(rule);
            } else {
                operations.add(rule);
            }
        });
        before.forEach(operations::remove);
        entry.newest = now;
        own.apply(operations, isDone -> {
            now.outcome = Optional.of(isDone);
            changed.run();
        });
    }

    /** Returns whether the rules of a path are in the switches, and no detour. */
    boolean isReady(LabelledPath path) {
        Entry entry = entries.get(path.label);
        return entry != null && entry.path.equals(path) && entry.isInstalled() && entry.newest.way.equals(path.links);
    }

    /**
     * Leads packets around lost links, and back to their paths once these are whole.
     *
     * @param ways the links that packets on a path take now: its own, or others from its first link to its last switch; empty if
     *             there is no way, and the rules stay as they are
     */
    void detour(Function<List<Link>, Optional<List<Link>>> ways) {
        for (Entry entry : entries.values()) {
            if (!entry.newest.way.isEmpty()) {
                ways.apply(entry.path.links).filter(way -> !way.equals(entry.newest.way)).ifPresent(way -> ask(entry, way));
            }
        }
    }

    /** Returns the rules of a path as they are now. */
    List<FlowRule> rules(LabelledPath path) {
        Entry entry = entries.get(path.label);
        return entry == null ? path.rules(own.appId()) : entry.newest.rules;
    }

    /**
     * Removes paths that nobody uses, and asks once more for those that switches have not confirmed. To be called every few
     * seconds.
     *
     * @param used the paths to which rules of connections may lead; not null
     */
    void sweep(Set<LabelledPath> used) {
        sweeps = Math.min(sweeps + 1, SPARING_SWEEPS);
        entries.values().removeIf(entry -> {
            entry.sweepsUnused = used.contains(entry.path) ? 0 : entry.sweepsUnused + 1;
            if (entry.sweepsUnused == UNUSED_SWEEPS + 1) {
                ask(entry, List.of());
            } else if (entry.sweepsUnused == 0 && !entry.isInstalled()) {
                repeat(entry);
            }
            return entry.sweepsUnused > UNUSED_SWEEPS + 1;
        });
    }

    /** Asks once more for all rules: ONOS may have some of them, or none. */
    private void repeat(Entry entry) {
        List<Link> way = entry.newest.way.isEmpty() ? entry.path.links : entry.newest.way;
        entry.newest = Change.none(false);
        ask(entry, way);
    }

    /** Returns the rules of the paths that are installed. Others may stay while a path with their label is not. */
    WantedRules wanted() {
        return new WantedRules(entries.values().stream().filter(Entry::isInstalled).flatMap(entry -> entry.newest.rules.stream()),
                               rule -> LabelledPath.label(rule).filter(this::isChanging).isPresent());
    }

    private boolean isChanging(MacAddress label) {
        Entry entry = entries.get(label);
        return entry == null ? sweeps < SPARING_SWEEPS : !entry.isInstalled();
    }

    /** Forgets all paths, because all rules are removed. */
    void forget() {
        entries.clear();
    }
}
