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
    private final long revision;
    private final boolean managesPaths;
    private final ImmutableList<ToldConnection> connections;
    private volatile byte[] encoded;

    Answer(long revision, boolean managesPaths, List<ToldConnection> connections) {
        this.revision = revision;
        this.managesPaths = managesPaths;
        this.connections = ImmutableList.copyOf(connections);
    }

    /** Returns the number of this answer's content; it differs from those of other contents for this host. */
    public long revision() {
        return revision;
    }

    /** Returns whether the agent shall manage the paths of its host's connections. */
    public boolean managesPaths() {
        return managesPaths;
    }

    /** Returns the host's live connections, in the order of their names. */
    public List<ToldConnection> connections() {
        return connections;
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
        private final ConnectionId id;
        private final double attainable;
        private final double available;
        private final double expected;
        private final ImmutableList<ToldSubflow> subflows;
        private final Optional<ToldPaths> paths;

        ToldConnection(ConnectionId id, double attainable, double available, double expected, List<ToldSubflow> subflows,
                       Optional<ToldPaths> paths) {
            this.id = id;
            this.attainable = attainable;
            this.available = available;
            this.expected = expected;
            this.subflows = ImmutableList.copyOf(subflows);
            this.paths = paths;
        }

        /** Returns the connection's name. */
        public ConnectionId id() {
            return id;
        }

        /** Returns ζ if all shared fairly, bit/s on the wire. */
        public double attainable() {
            return attainable;
        }

        /** Returns ζ with all others held at their expected throughputs, bit/s on the wire. */
        public double available() {
            return available;
        }

        /** Returns the expected throughput, bit/s on the wire. */
        public double expected() {
            return expected;
        }

        /** Returns the subflows. */
        public List<ToldSubflow> subflows() {
            return subflows;
        }

        /** Returns what the client is to open and to close; empty for the server, and for a client that cannot. */
        public Optional<ToldPaths> paths() {
            return paths;
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
        private final FiveTuple tuple;
        private final double expected;
        private final SubflowState state;

        ToldSubflow(FiveTuple tuple, double expected, SubflowState state) {
            this.tuple = tuple;
            this.expected = expected;
            this.state = state;
        }

        /** Returns the five-tuple with this host as the source. */
        public FiveTuple tuple() {
            return tuple;
        }

        /** Returns the expected throughput, bit/s on the wire. */
        public double expected() {
            return expected;
        }

        /** Returns the state: active, backup, blocked or down. */
        public SubflowState state() {
            return state;
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
