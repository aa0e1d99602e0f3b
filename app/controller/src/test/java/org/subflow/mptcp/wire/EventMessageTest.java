// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionEvent.Cause;

/** Events on their way from one ONOS node to another one. */
class EventMessageTest {
    @Test
    void whatArrivesIsWhatWasSent() {
        for (Connection connection : Examples.connections()) {
            for (ConnectionEvent.Type type : ConnectionEvent.Type.values()) {
                ConnectionEvent arrived = EventMessage.decode(EventMessage.encode(new ConnectionEvent(type, connection)));
                assertEquals(type, arrived.type());
                assertEquals(connection, arrived.subject());
                assertEquals(Optional.empty(), arrived.cause());
            }
        }
        for (Cause cause : Cause.values()) {
            assertEquals(Optional.of(cause), EventMessage.decode(EventMessage.encode(new ConnectionEvent(
                    ConnectionEvent.Type.CLOSED, Examples.connections().get(0), cause))).cause());
        }
    }

    @Test
    void whatIsNotWholeIsRefused() {
        byte[] whole = EventMessage.encode(new ConnectionEvent(ConnectionEvent.Type.IDLE, Examples.connections().get(0)));
        assertThrows(RuntimeException.class, () -> EventMessage.decode(Arrays.copyOf(whole, whole.length / 2)));
        whole[0] = 9;
        assertThrows(IllegalArgumentException.class, () -> EventMessage.decode(whole));
    }
}
