// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.link.LinkServiceAdapter;
import org.subflow.mptcp.api.policy.PathLabels;
import org.subflow.mptcp.intent.MptcpIntentCompiler;
import org.subflow.mptcp.topology.Nets;

/** What a node that decides in a cluster keeps of a connection's submission, until ONOS has none of it any more. */
class ClusterSubmissionsTest extends SharedPathsScenario {
    @Override
    void start() {
        setting = PathLabels.OFF;
        MptcpIntentCompiler compiler = new MptcpIntentCompiler(new LinkServiceAdapter() {
            @Override
            public Link getLink(ConnectPoint src, ConnectPoint dst) {
                return Nets.diamondLinks().stream().filter(link -> link.src().equals(src)).findFirst().orElse(null);
            }
        }, OWNER);
        intents = ConnectionIntents.inCluster(store, new VersionedIntentStore(), APP, switches, heard, compiler, () -> { },
                                              new LabelChoice(() -> setting));
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

    private Intent installed() {
        intents.submit(connection(ONE, 2));
        store.installAll();
        assertEquals(1, intents.revision(ONE));
        return store.getIntent(intents.key(ONE));
    }

    /** Another node could have submitted this intent, for all that is known of it. */
    private void assertUnknown(Intent intent) {
        store.intents.put(intent.key(), intent);
        assertEquals(ConnectionSubmission.UNKNOWN, intents.revision(ONE));
    }
}
