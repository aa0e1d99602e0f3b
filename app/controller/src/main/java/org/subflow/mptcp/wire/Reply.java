// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wire;

import com.google.common.collect.ImmutableList;
import java.nio.ByteBuffer;
import java.util.List;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.plan.WhatIfAnswer;

/** The answer of the node that decides to a {@link Question}: connections, forecasts, or why there are none. Immutable. */
public final class Reply {
    private static final byte NUMBER = 2;

    private final Kind kind;
    private final String why;
    private final ImmutableList<Connection> connections;
    private final ImmutableList<WhatIfAnswer> forecasts;

    private enum Kind {
        DONE, NOT_FOUND, ILLEGAL_ARGUMENT, ILLEGAL_STATE
    }

    private Reply(Kind kind, String why, List<Connection> connections, List<WhatIfAnswer> forecasts) {
        this.kind = kind;
        this.why = why;
        this.connections = ImmutableList.copyOf(connections);
        this.forecasts = ImmutableList.copyOf(forecasts);
    }

    /** Returns the reply that has these connections. */
    public static Reply of(List<Connection> connections) {
        return new Reply(Kind.DONE, "", connections, List.of());
    }

    /** Returns the reply that has these answers about a connection that would begin now. */
    public static Reply forecast(List<WhatIfAnswer> answers) {
        return new Reply(Kind.DONE, "", List.of(), answers);
    }

    /** Returns the reply that something has been done, or that there was nothing of that name. */
    public static Reply of(boolean isDone) {
        return new Reply(isDone ? Kind.DONE : Kind.NOT_FOUND, "", List.of(), List.of());
    }

    /** Returns the reply that carries a failure; any but an IllegalArgumentException arrives as an IllegalStateException. */
    public static Reply failed(RuntimeException why) {
        Kind kind = why instanceof IllegalArgumentException ? Kind.ILLEGAL_ARGUMENT : Kind.ILLEGAL_STATE;
        return new Reply(kind, String.valueOf(why.getMessage()), List.of(), List.of());
    }

    /**
     * Returns the connections.
     *
     * @throws IllegalArgumentException if the question was wrong; the message says why
     * @throws IllegalStateException    if there is no answer now; the message says why
     */
    public List<Connection> connections() {
        check();
        return connections;
    }

    /** Returns the answers about a connection that would begin now; throws as {@link #connections} does. */
    public List<WhatIfAnswer> forecasts() {
        check();
        return forecasts;
    }

    /** Returns whether it has been done; throws as {@link #connections} does. */
    public boolean isDone() {
        check();
        return kind == Kind.DONE;
    }

    private void check() {
        if (kind == Kind.ILLEGAL_ARGUMENT) {
            throw new IllegalArgumentException(why);
        }
        if (kind == Kind.ILLEGAL_STATE) {
            throw new IllegalStateException(why);
        }
    }

    /** Returns it as bytes. */
    public byte[] encode() {
        ConnectionForm form = new ConnectionForm();
        RecordWriter to = new RecordWriter().number8(NUMBER).text(kind.name()).text(why).number32(connections.size());
        connections.forEach(connection -> write(connection, form, to));
        to.number16(forecasts.size());
        for (WhatIfAnswer answer : forecasts) {
            to.number64(answer.micros()).number8(answer.connection().isPresent() ? 1 : 0);
            answer.connection().ifPresent(connection -> write(connection, form, to));
            answer.error().ifPresent(to::text);
        }
        return to.bytes();
    }

    private static void write(Connection connection, ConnectionForm form, RecordWriter to) {
        to.text(form.text(connection.id()));
        form.write(connection, to);
    }

    private static Connection read(ConnectionForm form, ByteBuffer from) {
        return form.read(form.key(RecordWriter.text(from)), from);
    }

    /**
     * Reads a reply.
     *
     * @throws RuntimeException if the bytes are none of this release
     */
    public static Reply decode(byte[] bytes) {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        if (from.get() != NUMBER) {
            throw new IllegalStateException("another release of the application sent this");
        }
        ConnectionForm form = new ConnectionForm();
        Kind kind = Kind.valueOf(RecordWriter.text(from));
        String why = RecordWriter.text(from);
        ImmutableList.Builder<Connection> connections = ImmutableList.builder();
        for (int left = from.getInt(); left > 0; left--) {
            connections.add(read(form, from));
        }
        ImmutableList.Builder<WhatIfAnswer> forecasts = ImmutableList.builder();
        for (int left = Short.toUnsignedInt(from.getShort()); left > 0; left--) {
            long micros = from.getLong();
            forecasts.add(RecordWriter.flag(from) ? WhatIfAnswer.of(read(form, from), micros)
                    : WhatIfAnswer.failed(RecordWriter.text(from)));
        }
        return new Reply(kind, why, connections.build(), forecasts.build());
    }
}
