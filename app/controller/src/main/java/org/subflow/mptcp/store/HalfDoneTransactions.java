// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finishes transactions on ONOS's maps that a killed ONOS has left half done. Such a transaction locks its entries for ever:
 * Atomix does not finish those of a node that comes back under its name, and fails to finish those of a node that has gone.
 * Reservations are the transactions that ONOS has most of, so a port's bandwidth could never be booked nor released again.
 *
 * <p>A transaction lives for milliseconds; what is there at two looks some seconds apart is left over. For one thread.
 */
final class HalfDoneTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(HalfDoneTransactions.class);

    private final Transactions transactions;
    private Set<Object> before = Set.of();

    /** ONOS's transactions that have not ended. Identifiers have {@code equals}. */
    interface Transactions {
        /** Returns the identifiers of all of them. */
        Collection<?> active();

        /**
         * Finishes one: commits it if that was decided, else rolls it back.
         *
         * @return false if it locks nothing, or another node looks after it
         * @throws ReflectiveOperationException if this Atomix is made otherwise
         * @throws IllegalStateException        if the store does not answer, or the transaction has gone on
         */
        boolean finish(Object id) throws ReflectiveOperationException;
    }

    /**
     * Makes it. The first look finishes nothing.
     *
     * @param transactions ONOS's; not null
     */
    HalfDoneTransactions(Transactions transactions) {
        this.transactions = checkNotNull(transactions, "transactions");
    }

    /**
     * Looks once, and finishes what was there at the last look already.
     *
     * @throws ReflectiveOperationException if this Atomix is made otherwise
     */
    void look() throws ReflectiveOperationException {
        Set<Object> now = new HashSet<>(transactions.active());
        Set<Object> left = new HashSet<>(now);
        left.retainAll(before);
        before = now;
        for (Object id : left) {
            try {
                if (transactions.finish(id)) {
                    LOG.warn("Finished {} of ONOS's store, which had been left half done", id);
                }
            } catch (IllegalStateException e) {
                LOG.info("Cannot finish {}: {}", id, e.getMessage());
            }
        }
    }
}
