// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static com.google.common.base.Preconditions.checkNotNull;

import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The transactions of the Atomix in ONOS's core. By reflection: Atomix has the methods that finish a transaction for nodes that
 * left, and calls them itself only. Tried with Atomix 3.1.5 (ONOS 2.5).
 */
final class AtomixTransactions implements HalfDoneTransactions.Transactions {
    /** ONOS's service that has the Atomix. */
    static final String MANAGER = "org.onosproject.store.atomix.impl.AtomixManager";

    /** What finishes a transaction, by its state. In other states it locks nothing. */
    private static final Map<String, String> FINISHING = Map.of(
            "PREPARING", "completePreparingTransaction",
            "COMMITTING", "completeCommittingTransaction",
            "ROLLING_BACK", "completeRollingBackTransaction");

    private final Object service;

    private AtomixTransactions(Object service) {
        this.service = checkNotNull(service, "service");
    }

    /**
     * Finds them.
     *
     * @param manager the service {@link #MANAGER}; not null
     * @throws ReflectiveOperationException if this Atomix has other methods
     */
    static AtomixTransactions of(Object manager) throws ReflectiveOperationException {
        Object atomix = manager.getClass().getMethod("getAtomix").invoke(manager);
        return new AtomixTransactions(atomix.getClass().getMethod("getTransactionService").invoke(atomix));
    }

    @Override
    public Set<Object> active() {
        return new HashSet<>((Set<?>) call(service, "getActiveTransactions"));
    }

    @Override
    public boolean finish(Object id) {
        String how = FINISHING.get(String.valueOf(call(service, "getTransactionState", id)));
        if (how != null) {
            call(service, how, id);
        }
        return how != null;
    }

    private static Object call(Object target, String name, Object... arguments) {
        try {
            Class<?>[] types = new Class<?>[arguments.length];
            for (int i = 0; i < types.length; i++) {
                types[i] = arguments[i].getClass();
            }
            Method method = target.getClass().getDeclaredMethod(name, types);
            method.setAccessible(true);
            return method.invoke(target, arguments);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this ONOS's Atomix has no " + name + " as it is known here", e);
        }
    }
}
