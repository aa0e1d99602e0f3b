// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.query;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.function.Consumer;
import org.onosproject.event.EventSink;
import org.onosproject.event.ListenerRegistry;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionListener;

/** Passes events from ONOS's event thread to the listeners, and says when they have them. */
public final class DeliverySink implements EventSink<ConnectionEvent> {
    private final ListenerRegistry<ConnectionEvent, ConnectionListener> listeners;
    private final Consumer<ConnectionEvent> delivered;

    /**
     * Makes a sink.
     *
     * @param delivered called with each event after all listeners, also if one of them has failed; not null
     */
    public DeliverySink(ListenerRegistry<ConnectionEvent, ConnectionListener> listeners, Consumer<ConnectionEvent> delivered) {
        this.listeners = checkNotNull(listeners, "listeners");
        this.delivered = checkNotNull(delivered, "delivered");
    }

    @Override
    public void process(ConnectionEvent event) {
        try {
            listeners.process(event);
        } finally {
            delivered.accept(event);
        }
    }

    @Override
    public void onProcessLimit() {
        listeners.onProcessLimit();
    }
}
