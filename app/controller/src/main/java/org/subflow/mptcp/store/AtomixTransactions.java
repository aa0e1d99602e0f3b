// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static com.google.common.base.Preconditions.checkNotNull;

import io.atomix.cluster.MemberId;
import io.atomix.core.Atomix;
import io.atomix.core.map.AsyncAtomicMap;
import io.atomix.core.map.AtomicMap;
import io.atomix.core.transaction.ParticipantInfo;
import io.atomix.core.transaction.TransactionId;
import io.atomix.core.transaction.TransactionService;
import io.atomix.core.transaction.TransactionState;
import io.atomix.primitive.partition.PartitionGroup;
import io.atomix.utils.time.Versioned;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The transactions of an Atomix 3.1 that this member coordinates.
 *
 * <p>Atomix has code to finish them ({@code CoreTransactionService.completeParticipant}), which fails for every map: it takes the
 * blocking map for one with transactions, and only the asynchronous one has them. So a map is asked here. What Atomix does not
 * show, the maps of a transaction and its coordinator, is read by reflection.
 */
final class AtomixTransactions implements HalfDoneTransactions.Transactions {
    /** ONOS's service that has the Atomix. */
    static final String MANAGER = "org.onosproject.store.atomix.impl.AtomixManager";

    private static final long TIMEOUT_SECONDS = 20;

    private final Atomix atomix;
    private final TransactionService service;
    private final MemberId local;
    private final AsyncAtomicMap<TransactionId, Object> known;

    /**
     * Finds them.
     *
     * @param atomix ONOS's, started; not null
     * @throws ReflectiveOperationException if this Atomix is made otherwise
     */
    @SuppressWarnings("unchecked")
    AtomixTransactions(Atomix atomix) throws ReflectiveOperationException {
        this.atomix = checkNotNull(atomix, "atomix");
        service = atomix.getTransactionService();
        local = atomix.getMembershipService().getLocalMember().id();
        known = (AsyncAtomicMap<TransactionId, Object>) value(service, "transactions");
    }

    /**
     * Finds those of ONOS.
     *
     * @param manager the service {@link #MANAGER}; not null
     * @throws ReflectiveOperationException if this ONOS or its Atomix is made otherwise
     */
    static AtomixTransactions of(Object manager) throws ReflectiveOperationException {
        return new AtomixTransactions((Atomix) manager.getClass().getMethod("getAtomix").invoke(manager));
    }

    @Override
    public Collection<?> active() {
        return service.getActiveTransactions();
    }

    @Override
    public boolean finish(Object active) throws ReflectiveOperationException {
        TransactionId id = (TransactionId) active;
        Versioned<Object> entry = done(known.get(id));
        if (entry == null || !local.equals(value(entry.value(), "coordinator"))) {
            return false;
        }
        TransactionState state = (TransactionState) value(entry.value(), "state");
        if (state == TransactionState.ACTIVE) {
            return false;
        }
        if (state == TransactionState.PREPARING) {
            // Fails if it goes on meanwhile; from then on it cannot be committed.
            done(service.aborting(id));
        }
        for (Object map : (Set<?>) value(entry.value(), "participants")) {
            finish(id, (ParticipantInfo) map, state == TransactionState.COMMITTING);
        }
        done(service.complete(id));
        return true;
    }

    /** Without effect if the map has finished the transaction. */
    private void finish(TransactionId id, ParticipantInfo info, boolean commits) {
        PartitionGroup group = atomix.getPartitionService().getPartitionGroup(info.group());
        AtomicMap<Object, Object> map = atomix.atomicMapBuilder(info.name()).withProtocol(group.newProtocol()).build();
        try {
            done(commits ? map.async().commit(id) : map.async().rollback(id));
        } finally {
            map.close();
        }
    }

    private static Object value(Object of, String field) throws ReflectiveOperationException {
        Field found = of.getClass().getDeclaredField(field);
        found.setAccessible(true);
        return found.get(of);
    }

    private static <T> T done(CompletableFuture<T> asked) {
        try {
            return asked.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("ONOS's store does not do it: " + e, e);
        }
    }
}
