// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.history;

import org.subflow.mptcp.api.ConnectionEvent;

/** Lets tests of other packages write history. */
public final class Histories {
    private Histories() {
    }

    /** Tells a history of an event, as ONOS's event thread does. */
    public static void hear(ConnectionHistory history, ConnectionEvent event) {
        history.hear(event);
    }
}
