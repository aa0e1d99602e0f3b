// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.intent.FlowRuleIntent;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.IntentData;
import org.onosproject.net.intent.IntentServiceAdapter;
import org.onosproject.net.intent.IntentState;
import org.onosproject.net.intent.Key;
import org.onosproject.net.intent.PathIntent;
import org.onosproject.store.service.WallClockTimestamp;
import org.subflow.mptcp.intent.IntentIds;

/** Requests of nodes whose clocks are apart, for the same intents. */
class OrderedRequestsTest {
    static {
        IntentIds.bind();
    }

    private static final ApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");
    private static final ApplicationId OTHER = new DefaultApplicationId(8, "org.example");
    private static final long MINUTE = 60_000;
    private static final long NOW = 1_700_000_000_000L;

    private final VersionedIntentStore store = new VersionedIntentStore();
    private final AtomicLong clock = new AtomicLong(NOW);
    private int served;

    @Test
    void aRequestOfANodeWhoseClockIsBehindTakesThePlaceOfTheOneBefore() {
        node(MINUTE).submit(intent(APP, "c"));
        Intent next = intent(APP, "c");
        node(0).submit(next);
        assertSame(next, store.getIntent(next.key()));
    }

    @Test
    void whatAnotherNodeHasAskedForSinceCountsToo() {
        OrderedRequests behind = node(0);
        behind.submit(intent(APP, "a"));
        node(MINUTE).submit(intent(APP, "c"));
        Intent next = intent(APP, "c");
        behind.submit(next);
        assertSame(next, store.getIntent(next.key()));
    }

    @Test
    void soDoesARequestThatOnosHasNotTakenYet() {
        Intent next = intent(APP, "c");
        OrderedRequests behind = node(0);
        behind.submit(intent(APP, "a"));
        store.pending.put(next.key(), IntentData.copy(IntentData.submit(intent(APP, "c")), new WallClockTimestamp(NOW + MINUTE)));
        behind.submit(next);
        assertEquals(NOW + MINUTE + 1, version(next));
    }

    @Test
    void ofTwoRequestsAtTheSameTimeTheLaterOneIsLater() {
        store.write(IntentData.copy(IntentData.submit(intent(APP, "c")), new WallClockTimestamp(NOW)));
        Intent next = intent(APP, "c");
        node(0).submit(next);
        assertSame(next, store.getIntent(next.key()));
        assertEquals(NOW + 1, version(next));
    }

    @Test
    void soDoRemovalAndPurge() {
        Intent intent = intent(APP, "c");
        node(MINUTE).submit(intent);
        OrderedRequests behind = node(0);
        behind.withdraw(intent);
        assertEquals(IntentState.WITHDRAW_REQ, store.getIntentState(intent.key()));
        behind.purge(intent);
        assertEquals(IntentState.PURGE_REQ, store.getIntentState(intent.key()));
    }

    @Test
    void aNewKeyGetsALaterVersionToo() {
        // ONOS may have purged an intent with this key a moment ago, and remembers that one's version.
        node(MINUTE).submit(intent(APP, "c"));
        Intent again = intent(APP, "d");
        node(0).submit(again);
        assertEquals(NOW + MINUTE + 1, version(again));
    }

    @Test
    void requestsGoToOnosOnceTheClockHasCaughtUp() {
        node(MINUTE).submit(intent(APP, "c"));
        OrderedRequests behind = node(0);
        behind.submit(intent(APP, "c"));
        assertEquals(1, served, "the first node's alone");
        clock.addAndGet(2 * MINUTE);
        Intent last = intent(APP, "c");
        behind.submit(last);
        assertEquals(2, served);
        assertEquals(clock.get(), version(last));
    }

    @Test
    void intentsOfOtherApplicationsDoNotCount() {
        store.write(IntentData.copy(IntentData.submit(intent(OTHER, "x")), new WallClockTimestamp(NOW + MINUTE)));
        node(0).submit(intent(APP, "c"));
        assertEquals(1, served);
    }

    /** A node whose clock is ahead by so many milliseconds. */
    private OrderedRequests node(long aheadMillis) {
        IntentServiceAdapter service = new IntentServiceAdapter() {
            @Override
            public void submit(Intent intent) {
                served++;
                store.addPending(IntentData.copy(IntentData.submit(intent), new WallClockTimestamp(clock.get() + aheadMillis)));
            }
        };
        return new OrderedRequests(service, store, APP, () -> clock.get() + aheadMillis);
    }

    private long version(Intent intent) {
        return ((WallClockTimestamp) store.getIntentData(intent.key()).version()).unixTimestamp();
    }

    private static Intent intent(ApplicationId app, String key) {
        return new FlowRuleIntent(app, Key.of(key, app), List.of(), Set.of(), PathIntent.ProtectionType.PRIMARY, null);
    }
}
