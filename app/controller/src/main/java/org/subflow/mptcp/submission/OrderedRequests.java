// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.IntentData;
import org.onosproject.net.intent.IntentService;
import org.onosproject.net.intent.IntentStore;
import org.onosproject.net.intent.Key;
import org.onosproject.store.service.WallClockTimestamp;

/**
 * Requests that come after all earlier ones, whichever node made those.
 *
 * <p>ONOS's intent store orders the requests for a key by the clocks of the nodes that made them. It ignores one that seems older
 * than the last one, and says nothing. So a leader whose clock is behind that of the leader before could change no intent until its
 * clock has caught up. Where that is so, a request gets the next version after the newest one that ONOS holds of the application's
 * intents. Else ONOS's intent service makes it. Thread-safe.
 */
final class OrderedRequests implements IntentRequests {
    private final IntentService intents;
    private final IntentStore store;
    private final ApplicationId appId;
    private final LongSupplier epochMillis;
    /** The newest version that is known, milliseconds of the Unix epoch by the clock of some node. */
    private long newest;
    private boolean hasRead;

    /**
     * Makes it.
     *
     * @param appId       the application whose intents count; not null
     * @param epochMillis this node's clock, as ONOS reads it, milliseconds of the Unix epoch; not null
     */
    OrderedRequests(IntentService intents, IntentStore store, ApplicationId appId, LongSupplier epochMillis) {
        this.intents = checkNotNull(intents, "intents");
        this.store = checkNotNull(store, "store");
        this.appId = checkNotNull(appId, "appId");
        this.epochMillis = checkNotNull(epochMillis, "epochMillis");
    }

    @Override
    public void submit(Intent intent) {
        request(IntentData.submit(intent), intents::submit);
    }

    @Override
    public void withdraw(Intent intent) {
        request(IntentData.withdraw(intent), intents::withdraw);
    }

    @Override
    public void purge(Intent intent) {
        request(IntentData.purge(intent), intents::purge);
    }

    private void request(IntentData wanted, Consumer<Intent> service) {
        OptionalLong version = laterThanClock(wanted.key());
        if (version.isPresent()) {
            store.addPending(IntentData.copy(wanted, new WallClockTimestamp(version.getAsLong())));
        } else {
            service.accept(wanted.intent());
        }
    }

    /** Returns the version for a request; empty if the time of this node's clock is a later one than all before. */
    private synchronized OptionalLong laterThanClock(Key key) {
        if (!hasRead) {
            // Also for the sake of intents that ONOS has purged: it remembers the versions of their last requests.
            store.getIntentData(false, 0).forEach(this::see);
            hasRead = true;
        }
        see(store.getIntentData(key));
        see(store.getPendingData(key));
        return newest < epochMillis.getAsLong() ? OptionalLong.empty() : OptionalLong.of(++newest);
    }

    private void see(IntentData data) {
        if (data != null && data.intent().appId().equals(appId) && data.version() instanceof WallClockTimestamp) {
            newest = Math.max(newest, ((WallClockTimestamp) data.version()).unixTimestamp());
        }
    }
}
