// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleOperationsContext;
import org.onosproject.net.flow.FlowRuleService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.intent.FlowEntries;
import org.subflow.mptcp.submission.ConnectionIntents;

/** Removes the application's intents and rules when it stops. Used by one thread. */
final class Withdrawal {
    private static final Logger LOG = LoggerFactory.getLogger(Withdrawal.class);
    private static final long REMOVAL_MILLIS = 5000;
    private static final long BULK_MILLIS = 3000;
    private static final int LEAST_LOOKS = 5;
    private static final int MOST_LOOKS = 20;
    private static final long LOOK_BACK_MILLIS = 500;

    private final FlowRuleService flowRules;
    private final ApplicationId appId;
    private final ConnectionIntents intents;

    /**
     * Makes a withdrawal.
     *
     * @param flowRules ONOS's flow rule service; not null
     * @param appId     the application; not null
     * @param intents   the application's intents, which nobody submits any more; not null
     */
    Withdrawal(FlowRuleService flowRules, ApplicationId appId, ConnectionIntents intents) {
        this.flowRules = checkNotNull(flowRules, "flowRules");
        this.appId = checkNotNull(appId, "appId");
        this.intents = checkNotNull(intents, "intents");
    }

    /**
     * Removes the rules of all connections, those of a switch together, and waits for three seconds at most. ONOS withdraws
     * intents one by one, and with a thousand connections that takes longer than packets should wait. Rules that come meanwhile
     * go with their intents.
     */
    void removeRules() {
        try {
            List<FlowRule> rules = intents.ownRules();
            if (!rules.isEmpty()) {
                remove(rules);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("Rules of connections could not be removed together ({}); they go with their intents", e.toString());
        }
    }

    private void remove(List<FlowRule> rules) throws InterruptedException {
        FlowRuleOperations.Builder removal = FlowRuleOperations.builder();
        rules.forEach(removal::remove);
        CountDownLatch done = new CountDownLatch(1);
        flowRules.apply(removal.build(new FlowRuleOperationsContext() {
            @Override
            public void onSuccess(FlowRuleOperations removed) {
                done.countDown();
            }

            @Override
            public void onError(FlowRuleOperations left) {
                // The withdrawals of the intents remove what is left.
                done.countDown();
            }
        }));
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
        try {
            for (int look = 0; look < LEAST_LOOKS || !isClean && look < MOST_LOOKS; look++) {
                Thread.sleep(LOOK_BACK_MILLIS);
                intents.sweep();
                FlowEntry[] left = FlowEntries.of(flowRules, appId).toArray(new FlowEntry[0]);
                isClean = left.length == 0;
                if (!isClean) {
                    flowRules.removeFlowRules(left);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
