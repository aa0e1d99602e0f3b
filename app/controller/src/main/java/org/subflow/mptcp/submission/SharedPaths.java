// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.Sets;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.onlab.packet.MacAddress;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.Link;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.IntentService;
import org.onosproject.net.intent.IntentState;
import org.onosproject.net.intent.Key;
import org.subflow.mptcp.intent.LabelledPath;
import org.subflow.mptcp.rules.WantedRules;

/**
 * The rules of {@link LabelledPath}s: a core intent for each path that some connection takes.
 *
 * <p>ONOS does not count how many intents have the same rule: the first that is withdrawn takes it away from all. So these
 * rules have intents of their own. A connection uses a path from its submission until a newer submission is installed, or its
 * own intent is gone ({@link Submission#paths}). A path that nobody uses stays for two to three sweeps.
 *
 * <p>Where a link of a path is lost, the rules of the path lead around it ({@link #detour}). Connections that may use a path wait
 * until its rules follow it again.
 *
 * <p>Intents of paths that an earlier run or another node has left go if nobody uses them after some sweeps. Used by the
 * submitting thread.
 */
final class SharedPaths {
    /** So many paths have labels at most; on further ones, subflows get exact rules. */
    static final int MOST = 4096;
    /** So many sweeps a path stays without a user. */
    static final int UNUSED_SWEEPS = 2;
    /** So many sweeps nothing of an earlier run goes: its connections may be about to be submitted again. */
    static final int SPARING_SWEEPS = 4;

    private static final Set<IntentState> LEAVING =
            Sets.immutableEnumSet(IntentState.WITHDRAW_REQ, IntentState.WITHDRAWING, IntentState.WITHDRAWN);

    private final IntentService intents;
    private final IntentRequests requests;
    private final ApplicationId appId;
    private final Runnable mayDecide;
    private final Map<MacAddress, Entry> entries = new HashMap<>();
    private int sweeps;

    /** A path with its newest intent. */
    private static final class Entry {
        private final LabelledPath path;
        /** The links that its rules follow: those of the path, or of a detour. */
        private List<Link> way;
        private List<FlowRule> rules;
        private Intent intent;
        private boolean isInstalled;
        private boolean hasFailed;
        private int sweepsUnused;

        private Entry(LabelledPath path) {
            this.path = path;
            this.way = path.links();
        }

        private boolean isDetour() {
            return !way.equals(path.links());
        }
    }

    /**
     * Makes it without any path.
     *
     * @param mayDecide throws an exception if this node may not submit now; not null
     */
    SharedPaths(IntentService intents, IntentRequests requests, ApplicationId appId, Runnable mayDecide) {
        this.intents = checkNotNull(intents, "intents");
        this.requests = checkNotNull(requests, "requests");
        this.appId = checkNotNull(appId, "appId");
        this.mayDecide = checkNotNull(mayDecide, "mayDecide");
    }

    /** Returns whether connections may use a path: it has not failed, its label is not another one's, and there are not too many. */
    boolean admits(LabelledPath path) {
        Entry entry = entries.get(path.label());
        if (entry == null) {
            return entries.size() < MOST;
        }
        look(entry);
        return entry.path.equals(path) && !entry.hasFailed;
    }

    /** Submits those of these paths that are new. */
    void need(Set<LabelledPath> paths) {
        for (LabelledPath path : paths) {
            if (!entries.containsKey(path.label())) {
                Entry entry = new Entry(path);
                submit(entry, path.links());
                entries.put(path.label(), entry);
            }
        }
    }

    private void submit(Entry entry, List<Link> way) {
        mayDecide.run();
        entry.way = way;
        entry.isInstalled = false;
        entry.rules = entry.path.rules(appId, entry.way);
        entry.intent = entry.path.intent(appId, entry.rules);
        requests.submit(entry.intent);
    }

    /** Returns whether the rules of a path are in the switches, and no detour. */
    boolean isReady(LabelledPath path) {
        Entry entry = entries.get(path.label());
        if (entry == null || !entry.path.equals(path)) {
            return false;
        }
        look(entry);
        return entry.isInstalled && !entry.isDetour();
    }

    /**
     * Leads packets around lost links, and back to their paths once these are whole.
     *
     * @param ways the links that packets on a path take now: its own, or others from its first link to its last switch; empty if
     *             there is no way, and the rules stay as they are
     */
    void detour(Function<List<Link>, Optional<List<Link>>> ways) {
        for (Entry entry : entries.values()) {
            ways.apply(entry.path.links()).filter(way -> !way.equals(entry.way))
                    .ifPresent(way -> submit(entry, way));
        }
    }

    /** Looks at what has become of a path's newest intent, until it is known. */
    private void look(Entry entry) {
        if (!entry.isInstalled && holds(entry)) {
            IntentState state = intents.getIntentState(entry.path.key(appId));
            entry.isInstalled = state == IntentState.INSTALLED;
            entry.hasFailed = state == IntentState.FAILED || state == IntentState.CORRUPT;
        }
    }

    /** Returns whether it is the newest intent of a path that ONOS holds. */
    private boolean holds(Entry entry) {
        Intent held = intents.getIntent(entry.path.key(appId));
        return held != null && held.id().equals(entry.intent.id());
    }

    /** Returns the rules of a path as they are now. */
    List<FlowRule> rules(LabelledPath path) {
        Entry entry = entries.get(path.label());
        return entry == null ? path.rules(appId) : entry.rules;
    }

    /**
     * Withdraws paths that nobody uses, repeats those that ONOS has lost, and removes what is left of others. To be called every
     * few seconds.
     *
     * @param held the intents that ONOS holds; not null
     * @param used the paths to which rules of connections may lead; not null
     */
    void sweep(Collection<Intent> held, Set<LabelledPath> used) {
        sweeps = Math.min(sweeps + 1, SPARING_SWEEPS);
        for (Iterator<Entry> each = entries.values().iterator(); each.hasNext();) {
            Entry entry = each.next();
            if (used.contains(entry.path)) {
                entry.sweepsUnused = 0;
                repeatIfLost(entry);
            } else if (++entry.sweepsUnused > UNUSED_SWEEPS) {
                each.remove();
                requests.withdraw(entry.intent);
            }
        }
        removeLeftovers(held);
    }

    private void repeatIfLost(Entry entry) {
        IntentState state = intents.getIntentState(entry.path.key(appId));
        boolean isLost = state == null || state == IntentState.WITHDRAWN || state == IntentState.FAILED;
        if (isLost) {
            submit(entry, entry.way);
        }
        entry.hasFailed = false;
    }

    /** Withdraws or purges what is not, or no more, among the paths. */
    private void removeLeftovers(Collection<Intent> held) {
        Set<String> known = new HashSet<>();
        entries.values().forEach(entry -> known.add(entry.path.key(appId).toString()));
        for (Intent intent : held) {
            if (!isPath(intent) || known.contains(intent.key().toString())) {
                continue;
            }
            IntentState state = intents.getIntentState(intent.key());
            if (state == IntentState.WITHDRAWN) {
                requests.purge(intent);
            } else if (sweeps >= SPARING_SWEEPS
                    && (state == IntentState.INSTALLED || state == IntentState.FAILED || state == IntentState.CORRUPT)) {
                requests.withdraw(intent);
            }
        }
    }

    /** Returns the rules of the paths that are installed. All others may stay while ONOS has an intent for their label. */
    WantedRules wanted() {
        return new WantedRules(entries.values().stream().filter(this::isInstalled).flatMap(entry -> entry.rules.stream()),
                               rule -> LabelledPath.label(rule).filter(this::isChanging).isPresent());
    }

    private boolean isChanging(MacAddress label) {
        Entry entry = entries.get(label);
        return (entry == null || !entry.isInstalled) && isHeld(LabelledPath.key(label, appId));
    }

    private boolean isInstalled(Entry entry) {
        look(entry);
        return entry.isInstalled;
    }

    private boolean isHeld(Key key) {
        IntentState state = intents.getIntentState(key);
        return state != null && !LEAVING.contains(state);
    }

    /** Returns whether an intent is that of some path of this application. */
    boolean isPath(Intent intent) {
        return intent.appId().equals(appId) && LabelledPath.isKey(intent.key());
    }

    /** Forgets all paths, because all intents are withdrawn. */
    void forget() {
        entries.clear();
    }
}
