// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.flow;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.onosproject.openflow.controller.Dpid;

/**
 * The batches under way, by switch and transaction id. Each ends exactly once: with the barrier's reply, with the
 * connection, or when its time is up.
 */
final class PendingBatches {

    private final Map<Key, PendingBatch> batches = new ConcurrentHashMap<>();
    private final AtomicInteger xids = new AtomicInteger(1);
    private final ScheduledExecutorService timer;
    private final Duration timeout;
    private final Consumer<PendingBatch> onLost;

    /**
     * Makes an empty collection.
     *
     * @param timer that ends overdue batches
     * @param timeout how long a switch may take to answer
     * @param onLost told of each batch that ended without an answer
     */
    PendingBatches(ScheduledExecutorService timer, Duration timeout, Consumer<PendingBatch> onLost) {
        this.timer = timer;
        this.timeout = timeout;
        this.onLost = onLost;
    }

    /** {@return a transaction id, positive, that no batch under way has} */
    long nextXid() {
        return xids.getAndUpdate(last -> last == Integer.MAX_VALUE ? 1 : last + 1);
    }

    /** {@return the transaction id, positive, that every message of this batch has to carry} */
    @SuppressWarnings("FutureReturnValueIgnored") // too late for a batch that is done, it does nothing
    long add(Dpid dpid, PendingBatch batch) {
        long xid = nextXid();
        Key key = new Key(dpid, xid);
        batches.put(key, batch);
        timer.schedule(() -> lose(key), timeout.toMillis(), TimeUnit.MILLISECONDS);
        return xid;
    }

    /** {@return the batch of a transaction, if it is still under way} */
    Optional<PendingBatch> find(Dpid dpid, long xid) {
        return Optional.ofNullable(batches.get(new Key(dpid, xid)));
    }

    /** {@return the batch of a transaction, which ends with this, if it was still under way} */
    Optional<PendingBatch> finish(Dpid dpid, long xid) {
        return Optional.ofNullable(batches.remove(new Key(dpid, xid)));
    }

    /** Ends all batches of a switch that is gone. */
    void lose(Dpid dpid) {
        batches.keySet().stream().filter(key -> key.dpid.equals(dpid)).forEach(this::lose);
    }

    private void lose(Key key) {
        PendingBatch batch = batches.remove(key);
        if (batch != null) {
            onLost.accept(batch);
        }
    }

    private static final class Key {
        private final Dpid dpid;
        private final long xid;

        Key(Dpid dpid, long xid) {
            this.dpid = dpid;
            this.xid = xid;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key && ((Key) other).xid == xid && ((Key) other).dpid.equals(dpid);
        }

        @Override
        public int hashCode() {
            return Objects.hash(dpid, xid);
        }
    }
}
