// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.history;

import java.util.function.LongSupplier;
import org.subflow.mptcp.api.ConnectionEvent;

/** Histories for tests of other packages, which need no ONOS to hear of something. */
public final class Histories {
    private Histories() {
    }

    /** Returns an empty history that goes by this clock, in milliseconds of the Unix epoch. */
    public static ConnectionHistory empty(LongSupplier clock) {
        return new ConnectionHistory(clock);
    }

    /** Lets a history hear of something that has just happened. */
    public static void tell(ConnectionHistory history, ConnectionEvent event) {
        history.hear(event);
    }
}
