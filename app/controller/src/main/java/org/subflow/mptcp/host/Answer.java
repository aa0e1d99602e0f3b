// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.SubflowState;

/** What an agent is told: the live connections of its host. All rates are those of the direction that this host sends. Immutable. */
public final class Answer {
    /** The number of this answer's content; it differs from those of other contents for this host. */
    public final long revision;
    /** Whether the agent shall manage the paths of its host's connections. */
    public final boolean managesPaths;
    /** The host's live connections, in the order of their names. */
    public final ImmutableList<ToldConnection> connections;
    private volatile byte[] encoded;

    Answer(long revision, boolean managesPaths, List<ToldConnection> connections) {
        this.revision = revision;
        this.managesPaths = managesPaths;
        this.connections = ImmutableList.copyOf(connections);
    }

    /**
     * Returns the answer as octets. Most answers are given many times, so it is encoded once.
     *
     * @param encoder encodes an answer, always in the same way; not null
     * @return the octets, which must not be changed
     */
    public byte[] encoded(Function<Answer, byte[]> encoder) {
        byte[] known = encoded;
        if (known == null) {
            known = encoder.apply(this);
            encoded = known;
        }
        return known;
    }

    /** A connection as its host is told. Immutable. */
    public static final class ToldConnection {
        /** The connection's name. */
        public final ConnectionId id;
        /** ζ if all shared fairly, bit/s on the wire. */
        public final double attainable;
        /** ζ with all others held at their expected throughputs, bit/s on the wire. */
        public final double available;
        /** The expected throughput, bit/s on the wire. */
        public final double expected;
        /** The subflows. */
        public final ImmutableList<ToldSubflow> subflows;
        /** What the client is to open and to close; empty for the server, and for a client that cannot. */
        public final Optional<ToldPaths> paths;

        ToldConnection(ConnectionId id, double attainable, double available, double expected, List<ToldSubflow> subflows,
                       Optional<ToldPaths> paths) {
            this.id = id;
            this.attainable = attainable;
            this.available = available;
            this.expected = expected;
            this.subflows = ImmutableList.copyOf(subflows);
            this.paths = paths;
        }

        @Override
        public boolean equals(Object other) {
            if (!(other instanceof ToldConnection)) {
                return false;
            }
            ToldConnection that = (ToldConnection) other;
            return id.equals(that.id) && attainable == that.attainable && available == that.available
                    && expected == that.expected && subflows.equals(that.subflows) && paths.equals(that.paths);
        }

        @Override
        public int hashCode() {
            return Objects.hash(id, expected, subflows);
        }
    }

    /** A subflow as its host is told. Immutable. */
    public static final class ToldSubflow {
        /** The five-tuple with this host as the source. */
        public final FiveTuple tuple;
        /** The expected throughput, bit/s on the wire. */
        public final double expected;
        /** The state: active, backup, blocked or down. */
        public final SubflowState state;

        ToldSubflow(FiveTuple tuple, double expected, SubflowState state) {
            this.tuple = tuple;
            this.expected = expected;
            this.state = state;
        }

        @Override
        public boolean equals(Object other) {
            if (!(other instanceof ToldSubflow)) {
                return false;
            }
            ToldSubflow that = (ToldSubflow) other;
            return tuple.equals(that.tuple) && expected == that.expected && state == that.state;
        }

        @Override
        public int hashCode() {
            return Objects.hash(tuple, expected, state);
        }
    }
}
