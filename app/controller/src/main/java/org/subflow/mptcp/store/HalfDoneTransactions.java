// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finishes transactions on ONOS's maps that a killed ONOS has left half done. Such a transaction locks its entries for ever:
 * Atomix finishes the transactions of a node that leaves the cluster, but not those of a node that comes back under its name.
 * Reservations are the transactions that ONOS has most of, so a port's bandwidth could never be booked nor released again.
 *
 * <p>A transaction lives for milliseconds; what is there at two looks some seconds apart is left over. For one thread.
 */
final class HalfDoneTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(HalfDoneTransactions.class);

    private final Transactions transactions;
    private Set<Object> before;

    /** ONOS's transactions that have not ended. Identifiers have {@code equals}. */
    interface Transactions {
        /** Returns the identifiers of all of them. */
        Set<Object> active();

        /** Finishes one: commits it if that was decided, else rolls it back. Returns false if it locks nothing. */
        boolean finish(Object id);
    }

    /**
     * Makes it. The first look finishes nothing.
     *
     * @param transactions ONOS's; not null
     */
    HalfDoneTransactions(Transactions transactions) {
        this.transactions = checkNotNull(transactions, "transactions");
    }

    /** Looks once, and finishes what was there at the last look already. */
    void look() {
        Set<Object> now = new HashSet<>(transactions.active());
        Set<Object> left = new HashSet<>(now);
        left.retainAll(before == null ? Set.of() : before);
        before = now;
        long finished = left.stream().filter(transactions::finish).count();
        if (finished > 0) {
            LOG.warn("Finished {} transactions of ONOS's store that an earlier run had left half done", finished);
        }
    }
}
