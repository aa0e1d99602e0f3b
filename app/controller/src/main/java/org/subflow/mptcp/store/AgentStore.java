// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.onlab.packet.IpAddress;
import org.onlab.util.ImmutableByteSequence;
import org.onosproject.store.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.wire.AgentForm;
import org.subflow.mptcp.wire.AgentRecord;

/**
 * The hosts with agents, by the address by which they are registered, in a map of ONOS. Tokens are not in it, only their hashes.
 * A write returns when ONOS has it: a token that somebody has been given must outlive a crash. Thread-safe.
 */
public final class AgentStore {
    private static final Logger LOG = LoggerFactory.getLogger(AgentStore.class);
    private static final String MAP_NAME = "onos-mptcp-agents";

    private final StoredMap<IpAddress, AgentRecord> records;
    private final UnaryOperator<Runnable> soon;

    /**
     * Makes a store.
     *
     * @param kept keeps the records; not null
     * @param soon makes a trigger of a task; not null
     */
    public AgentStore(Map<ImmutableByteSequence, ImmutableByteSequence> kept, UnaryOperator<Runnable> soon) {
        this.records = new StoredMap<>(kept, new AgentForm());
        this.soon = checkNotNull(soon, "soon");
    }

    /**
     * Opens the store in ONOS.
     *
     * @param storage ONOS's storage service; not null
     * @param soon    makes a trigger of a task. Each run comes some time after the trigger
     * @param mayWrite gives the term in which this node writes, 0 on a single node; throws an exception if it may not; not null
     * @return the store
     */
    public static AgentStore open(StorageService storage, UnaryOperator<Runnable> soon, LongSupplier mayWrite) {
        return new AgentStore(StoredMap.open(storage, MAP_NAME, mayWrite), soon);
    }

    /** Gives the hosts of an earlier run to a taker, at once; or, while ONOS does not give them out, as soon as it does. */
    public void read(Consumer<Map<IpAddress, AgentRecord>> taker) {
        if (!given(taker)) {
            LOG.error("ONOS's store does not say which hosts have agents; asking it again until it does");
            new Again(taker).trigger.run();
        }
    }

    /** Asks until ONOS answers. */
    private final class Again {
        private final Runnable trigger;

        private Again(Consumer<Map<IpAddress, AgentRecord>> taker) {
            trigger = soon.apply(() -> ask(taker));
        }

        private void ask(Consumer<Map<IpAddress, AgentRecord>> taker) {
            if (!given(taker)) {
                trigger.run();
            }
        }
    }

    private boolean given(Consumer<Map<IpAddress, AgentRecord>> taker) {
        Map<IpAddress, AgentRecord> found;
        try {
            found = stored();
        } catch (RuntimeException e) {
            LOG.debug("ONOS's store does not answer", e);
            return false;
        }
        taker.accept(found);
        return true;
    }

    private synchronized Map<IpAddress, AgentRecord> stored() {
        Map<IpAddress, AgentRecord> found = records.readOrFail();
        if (records.isUntidy()) {
            soon.apply(this::tidy).run();
        }
        return found;
    }

    private synchronized void tidy() {
        try {
            records.tidy();
        } catch (RuntimeException e) {
            LOG.warn("ONOS's store did not remove entries that are not used; the next start tries again", e);
        }
    }

    /** Stores a host; throws what ONOS throws if it does not take it. */
    public synchronized void put(IpAddress host, AgentRecord record) {
        records.put(host, record);
    }

    /** Removes a host; throws what ONOS throws if it does not. */
    public synchronized void remove(IpAddress host) {
        records.remove(host);
    }

    /** Returns how many stored entries of an earlier run could not be read, and were dropped. */
    public int dropped() {
        return records.dropped();
    }

    /** Removes everything from ONOS's map, for good. */
    public synchronized void clear() {
        records.clear();
    }
}
