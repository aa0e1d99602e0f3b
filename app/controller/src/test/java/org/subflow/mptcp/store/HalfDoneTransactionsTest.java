// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which transactions are finished, and that Atomix's methods are found by their names. */
class HalfDoneTransactionsTest {
    private final Service service = new Service();

    /** States as Atomix has them. */
    enum State { ACTIVE, PREPARING, COMMITTING, ROLLING_BACK }

    /** Stands for ONOS's AtomixManager. */
    public class Manager {
        /** Returns what stands for an Atomix. */
        public Atomix getAtomix() {
            return new Atomix();
        }
    }

    /** Stands for an Atomix. */
    public class Atomix {
        /** Returns what stands for its transactions. */
        public Service getTransactionService() {
            return service;
        }
    }

    /** Stands for Atomix's transaction service. */
    public static class Service {
        private final Map<String, State> active = new LinkedHashMap<>();
        private final List<String> calls = new ArrayList<>();

        /** Returns identifiers. */
        public Set<String> getActiveTransactions() {
            return active.keySet();
        }

        /** Returns a state. */
        public State getTransactionState(String id) {
            return active.get(id);
        }

        /** As Atomix names it. */
        public void completePreparingTransaction(String id) {
            finish("roll back ", id);
        }

        /** As Atomix names it. */
        public void completeCommittingTransaction(String id) {
            finish("commit ", id);
        }

        /** As Atomix names it. */
        public void completeRollingBackTransaction(String id) {
            finish("go on to roll back ", id);
        }

        private void finish(String how, String id) {
            calls.add(how + id);
            active.remove(id);
        }
    }

    @Test
    void whatIsThereAtTwoLooksIsFinishedAsItsStateSays() throws ReflectiveOperationException {
        HalfDoneTransactions transactions = new HalfDoneTransactions(AtomixTransactions.of(new Manager()));
        service.active.put("a", State.PREPARING);
        service.active.put("b", State.COMMITTING);
        service.active.put("c", State.ROLLING_BACK);
        service.active.put("d", State.ACTIVE);
        transactions.look();
        assertEquals(List.of(), service.calls);
        service.active.put("e", State.PREPARING);
        transactions.look();
        assertEquals(Set.of("roll back a", "commit b", "go on to roll back c"), Set.copyOf(service.calls));
        assertEquals(Set.of("d", "e"), service.active.keySet());
        service.active.remove("e");
        transactions.look();
        assertEquals(3, service.calls.size(), "one that ended by itself is left alone, and so is one that locks nothing");
    }

    @Test
    void anotherAtomixIsNamed() throws ReflectiveOperationException {
        assertThrows(ReflectiveOperationException.class, () -> AtomixTransactions.of("no manager"));
        HalfDoneTransactions.Transactions transactions = AtomixTransactions.of(new Manager());
        String message = assertThrows(IllegalStateException.class, () -> transactions.finish(7)).getMessage();
        assertTrue(message.contains("getTransactionState"), message);
    }
}
