// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wire;

import java.nio.ByteBuffer;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;

/** An event of a connection as one ONOS node sends it to another one. */
public final class EventMessage {
    private static final byte NUMBER = 2;

    private EventMessage() {
    }

    /** Returns an event as bytes. */
    public static byte[] encode(ConnectionEvent event) {
        ConnectionForm form = new ConnectionForm();
        Connection subject = event.subject();
        RecordWriter to = new RecordWriter().number8(NUMBER).text(event.type().name())
                .text(event.cause().map(Enum::name).orElse("")).text(form.text(subject.id()));
        form.write(subject, to);
        return to.bytes();
    }

    /**
     * Reads an event; its time is now.
     *
     * @throws RuntimeException if the bytes are none of this release
     */
    public static ConnectionEvent decode(byte[] bytes) {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        if (from.get() != NUMBER) {
            throw new IllegalArgumentException("another release of the application sent this");
        }
        ConnectionForm form = new ConnectionForm();
        ConnectionEvent.Type type = ConnectionEvent.Type.valueOf(RecordWriter.text(from));
        String cause = RecordWriter.text(from);
        return new ConnectionEvent(type, form.read(form.key(RecordWriter.text(from)), from),
                                   cause.isEmpty() ? null : ConnectionEvent.Cause.valueOf(cause));
    }
}
