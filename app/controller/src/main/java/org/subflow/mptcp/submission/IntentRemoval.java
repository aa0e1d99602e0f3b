// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import com.google.common.collect.Sets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.IntentEvent;
import org.onosproject.net.intent.IntentListener;
import org.onosproject.net.intent.IntentService;
import org.onosproject.net.intent.Key;

/** Withdraws and purges intents, and waits for completion. Stateless. */
final class IntentRemoval {
    private static final Set<IntentEvent.Type> GONE =
            Sets.immutableEnumSet(IntentEvent.Type.WITHDRAWN, IntentEvent.Type.FAILED);

    private IntentRemoval() {
    }

    /**
     * Removes the intents that ONOS holds of some kind.
     *
     * @param intents       ONOS's intent service
     * @param requests      asks for what has to be done
     * @param wanted        whether an intent shall go
     * @param timeoutMillis time-out, milliseconds
     * @return whether all of them are purged
     */
    static boolean remove(IntentService intents, IntentRequests requests, Predicate<Intent> wanted, long timeoutMillis) {
        Set<Key> remaining = ConcurrentHashMap.newKeySet();
        CountDownLatch done = new CountDownLatch(1);
        IntentListener purger = event -> {
            if (wanted.test(event.subject()) && GONE.contains(event.type())) {
                requests.purge(event.subject());
                remaining.remove(event.subject().key());
                if (remaining.isEmpty()) {
                    done.countDown();
                }
            }
        };
        intents.addListener(purger);
        try {
            List<Intent> held = new ArrayList<>();
            intents.getIntents().forEach(intent -> {
                if (wanted.test(intent)) {
                    held.add(intent);
                    remaining.add(intent.key());
                }
            });
            held.forEach(requests::withdraw);
            return held.isEmpty() || done.await(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            intents.removeListener(purger);
        }
    }
}
