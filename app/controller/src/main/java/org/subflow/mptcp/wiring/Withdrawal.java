// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.Sets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRuleOperations;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.submission.ConnectionIntents;

/** Removes the application's intents and rules when it stops. Used by one thread. */
final class Withdrawal {
    private static final Logger LOG = LoggerFactory.getLogger(Withdrawal.class);
    private static final long REMOVAL_MILLIS = 5000;
    private static final long BULK_MILLIS = 3000;
    private static final int LEAST_LOOKS = 5;
    private static final int MOST_LOOKS = 20;
    private static final long LOOK_BACK_MILLIS = 500;

    private final OwnRules own;
    private final ConnectionIntents intents;

    /**
     * Makes a withdrawal.
     *
     * @param intents the application's intents, which nobody submits any more; not null
     */
    Withdrawal(OwnRules own, ConnectionIntents intents) {
        this.own = checkNotNull(own, "own");
        this.intents = checkNotNull(intents, "intents");
    }

    /**
     * Removes all rules, those of a switch together, and waits for three seconds at most. ONOS withdraws intents one by one, and
     * with a thousand connections that takes longer than packets should wait. Rules that come meanwhile go with their intents.
     */
    void removeRules() {
        try {
            removeTogether();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            // The rest of the stop removes what it can.
            LOG.warn("Rules of connections could not be removed together ({}); they go with their intents", e.toString());
        }
    }

    private void removeTogether() throws InterruptedException {
        List<FlowEntry> rules = own.all();
        // At once: packets that a rule sends to the controller are lost while nobody forwards them.
        own.remove(rules.stream().filter(rule -> !RuleKind.SUBFLOW.includes(rule) && !RuleKind.PATH.includes(rule))
                           .collect(Collectors.toList()));
        FlowRuleOperations.Builder removal = FlowRuleOperations.builder();
        // While packets get labels, somebody has to take these off again.
        rules.stream().filter(RuleKind.SUBFLOW::includes).forEach(removal::remove);
        removal.newStage();
        rules.stream().filter(RuleKind.PATH::includes).forEach(removal::remove);
        CountDownLatch done = new CountDownLatch(1);
        // The withdrawals of the intents remove what is left.
        own.apply(removal, isDone -> done.countDown());
        if (!done.await(BULK_MILLIS, TimeUnit.MILLISECONDS)) {
            LOG.info("{} rules were not gone after {} ms; they go with their intents", rules.size(), BULK_MILLIS);
        }
    }

    /** Withdraws all intents, and looks for rules for two to ten seconds. */
    void run() {
        if (!intents.removeAll(REMOVAL_MILLIS)) {
            LOG.warn("Not all MPTCP intents were gone after {} ms; 'intents' shows the remaining ones", REMOVAL_MILLIS);
        }
        removeReinstalledRules();
    }

    /** Removes rules that ONOS puts back for a while, because no later sweep removes them. */
    private void removeReinstalledRules() {
        boolean isClean = false;
        Set<FlowEntry> left = Set.of();
        try {
            for (int look = 0; look < LEAST_LOOKS || !isClean && look < MOST_LOOKS; look++) {
                Thread.sleep(LOOK_BACK_MILLIS);
                intents.sweep();
                Set<FlowEntry> now = new HashSet<>(own.all());
                isClean = now.isEmpty();
                // The removals of the others may be on their way.
                own.remove(Set.copyOf(Sets.intersection(now, left)));
                left = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
