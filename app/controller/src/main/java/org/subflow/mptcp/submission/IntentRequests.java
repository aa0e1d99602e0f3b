// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.IntentService;

/** Asks ONOS to install, withdraw and purge intents. Thread-safe. */
interface IntentRequests {
    /** Asks for the installation of an intent, in place of the one with its key. */
    void submit(Intent intent);

    /** Asks for the removal of an intent's rules. */
    void withdraw(Intent intent);

    /** Asks ONOS to forget an intent that has no rules. */
    void purge(Intent intent);

    /** Returns requests as ONOS's intent service makes them. */
    static IntentRequests of(IntentService intents) {
        return new IntentRequests() {
            @Override
            public void submit(Intent intent) {
                intents.submit(intent);
            }

            @Override
            public void withdraw(Intent intent) {
                intents.withdraw(intent);
            }

            @Override
            public void purge(Intent intent) {
                intents.purge(intent);
            }
        };
    }
}
