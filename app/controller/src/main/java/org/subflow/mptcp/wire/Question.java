// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wire;

import com.google.common.collect.ImmutableList;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.policy.Settings;

/** What one ONOS node asks of the node that decides, as bytes; {@link Reply} is the answer. Immutable. */
public final class Question {
    private static final byte NUMBER = 3;
    private static final ConnectionId NOBODY = ConnectionId.of("what-if");
    private static final Question PLAN = new Question(Kind.PLAN, List.of(), null, List.of(), 0, null);

    /** What is asked for. */
    public final Kind kind;
    /** The strategies to assume, one after the other; else empty. */
    public final ImmutableList<String> strategies;
    /** The first subflow to assume; else null. */
    public final Subflow first;
    /** The five-tuples to add; else empty. */
    public final ImmutableList<FiveTuple> tuples;
    /** For how long they are awaited, seconds, or how many subflows to assume; else 0. */
    public final int number;
    /** The connection to remove, or the only one to examine; else null. */
    public final ConnectionId id;

    /** What is asked for. */
    public enum Kind {
        /** A connection that would begin now. */
        WHAT_IF,
        /** A background plan. */
        PLAN,
        /** To add a connection that is awaited. */
        ADD,
        /** To remove one. */
        REMOVE,
        /** To move connections to better paths. */
        REOPTIMISE
    }

    private Question(Kind kind, List<String> strategies, Subflow first, List<FiveTuple> tuples, int number, ConnectionId id) {
        this.kind = kind;
        this.strategies = ImmutableList.copyOf(strategies);
        this.first = first;
        this.tuples = ImmutableList.copyOf(tuples);
        this.number = number;
        this.id = id;
    }

    /** Asks as {@link org.subflow.mptcp.api.plan.WhatIfService#whatIf} does. */
    public static Question whatIf(List<String> strategies, int subflows, Subflow first) {
        return new Question(Kind.WHAT_IF, strategies, first, List.of(), subflows, null);
    }

    /** Asks as {@link org.subflow.mptcp.api.plan.BackgroundPlanService#backgroundPlan} does. */
    public static Question plan() {
        return PLAN;
    }

    /** Asks as {@link org.subflow.mptcp.api.AwaitedService#add} does. */
    public static Question add(List<FiveTuple> subflows, int seconds) {
        return new Question(Kind.ADD, List.of(), null, subflows, seconds, null);
    }

    /** Asks as {@link org.subflow.mptcp.api.AwaitedService#remove} does. */
    public static Question remove(ConnectionId id) {
        return new Question(Kind.REMOVE, List.of(), null, List.of(), 0, id);
    }

    /** Asks as {@link org.subflow.mptcp.api.plan.ReoptimisationService#reoptimise} does. */
    public static Question reoptimise(Optional<ConnectionId> id) {
        return new Question(Kind.REOPTIMISE, List.of(), null, List.of(), 0, id.orElse(null));
    }

    /** Returns it as bytes. */
    public byte[] encode() {
        RecordWriter to = new RecordWriter().number8(NUMBER).text(kind.name());
        ConnectionForm form = new ConnectionForm();
        if (kind == Kind.WHAT_IF) {
            form.write(Connection.opened(NOBODY, 1, null, null, Settings.DEFAULTS.terms(), 0, first), to);
            to.number32(number).number16(strategies.size());
            strategies.forEach(to::text);
        } else if (kind == Kind.ADD) {
            to.number32(number).number16(tuples.size());
            tuples.forEach(tuple -> to.address(tuple.source()).number16(tuple.sourcePort())
                    .address(tuple.destination()).number16(tuple.destinationPort()));
        } else if (kind == Kind.REMOVE) {
            to.text(form.text(id));
        } else if (kind == Kind.REOPTIMISE) {
            to.text(id == null ? "" : form.text(id));
        }
        return to.bytes();
    }

    /**
     * Reads a question.
     *
     * @throws IllegalArgumentException if a value is not possible, as a strategy that nobody knows; the message says which
     * @throws RuntimeException         if the bytes are none of this release
     */
    public static Question decode(byte[] bytes) {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        if (from.get() != NUMBER) {
            throw new IllegalArgumentException("another release of the application sent this");
        }
        ConnectionForm form = new ConnectionForm();
        Kind kind = Kind.valueOf(RecordWriter.text(from));
        switch (kind) {
            case WHAT_IF:
                Subflow first = form.read(NOBODY, from).first();
                int subflows = from.getInt();
                ImmutableList.Builder<String> strategies = ImmutableList.builder();
                for (int left = Short.toUnsignedInt(from.getShort()); left > 0; left--) {
                    strategies.add(RecordWriter.text(from));
                }
                return whatIf(strategies.build(), subflows, first);
            case ADD:
                int seconds = from.getInt();
                ImmutableList.Builder<FiveTuple> tuples = ImmutableList.builder();
                for (int left = Short.toUnsignedInt(from.getShort()); left > 0; left--) {
                    tuples.add(FiveTuple.of(RecordWriter.address(from), Short.toUnsignedInt(from.getShort()),
                                            RecordWriter.address(from), Short.toUnsignedInt(from.getShort())));
                }
                return add(tuples.build(), seconds);
            case REMOVE:
                return remove(form.key(RecordWriter.text(from)));
            case REOPTIMISE:
                return reoptimise(Optional.of(RecordWriter.text(from)).filter(id -> !id.isEmpty()).map(form::key));
            default:
                return PLAN;
        }
    }
}
