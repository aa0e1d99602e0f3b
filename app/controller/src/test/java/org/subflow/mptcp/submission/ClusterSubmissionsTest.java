// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.intent.FlowRuleIntent;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.Key;
import org.subflow.mptcp.api.policy.PathLabels;
import org.subflow.mptcp.intent.MptcpIntentCompiler;

/** What a node that decides in a cluster keeps of a connection's submission, until ONOS has none of it any more. */
class ClusterSubmissionsTest extends SharedPathsScenario {
    private static final ApplicationId OTHER = new DefaultApplicationId(3, "org.onosproject.net.intent");


    @Override
    void start() {
        setting = PathLabels.OFF;
        MptcpIntentCompiler compiler = new MptcpIntentCompiler();
        intents = ConnectionIntents.inCluster(store, new VersionedIntentStore(), own, heard, compiler, () -> { },
                                              () -> setting);
        intents.start();
    }

    @Test
    void nothingIsKeptOnceAnIntentIsPurged() {
        Intent intent = installed();
        intents.withdraw(ONE);
        store.withdrawAll();
        assertEquals(1, intents.revision(ONE), "its withdrawal may fail");
        intents.purge(ONE);
        assertUnknown(intent);
    }

    @Test
    void norOnceASweepHasPurgedIt() {
        Intent intent = installed();
        intents.withdraw(ONE);
        store.withdrawAll();
        intents.sweep();
        assertUnknown(intent);
    }

    @Test
    void norIfOnosHasLostIt() {
        Intent intent = installed();
        store.purge(intent);
        intents.withdraw(ONE);
        assertUnknown(intent);
    }

    @Test
    void norIfOnosHasLostItSinceItWasAsked() {
        Intent intent = installed();
        intents.withdraw(ONE);
        store.purge(intent);
        intents.sweep();
        assertUnknown(intent);
    }

    @Test
    void intentsOfOtherApplicationsStay() {
        FlowRuleIntent ours = (FlowRuleIntent) installed();
        Intent other = new FlowRuleIntent(OTHER, Key.of("mptcp-other", OTHER), ours.flowRules(), Set.of(), ours.type(), null);
        store.submit(other);
        store.installAll();
        intents.sweep();
        assertEquals(List.of(1L), heard.installed);
        assertEquals(List.of(), store.withdrawn);
    }

    private Intent installed() {
        intents.submit(connection(ONE, 2));
        store.installAll();
        assertEquals(1, intents.revision(ONE));
        return store.getIntent(intents.key(ONE));
    }

    /** Another node could have submitted this intent, for all that is known of it. */
    private void assertUnknown(Intent intent) {
        store.intents.put(intent.key(), intent);
        assertEquals(Submission.UNKNOWN, intents.revision(ONE));
    }
}
