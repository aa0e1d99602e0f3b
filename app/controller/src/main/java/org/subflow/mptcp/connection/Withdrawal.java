// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Set;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRuleService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.intent.ConnectionIntents;
import org.subflow.mptcp.intent.FlowEntries;

/** Removes the application's intents and rules when it stops. Used by one thread. */
final class Withdrawal {
    private static final Logger LOG = LoggerFactory.getLogger(Withdrawal.class);
    private static final long REMOVAL_MILLIS = 5000;
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
                intents.sweep(Set.of());
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
