// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.base.MoreObjects;
import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.placement.Rates;

/**
 * An MPTCP connection in the controller's view. Immutable; the {@code with…} methods return changed copies.
 *
 * <p>The first subflow is the one that carried MP_CAPABLE; its source is the connection's client.
 */
public final class Connection {
    private final ConnectionId id;
    private final int version;
    private final Token clientToken;
    private final Token serverToken;
    private final Terms terms;
    private final long createdMillis;
    private final ConnectionState state;
    private final ImmutableList<Subflow> subflows;
    private final boolean deniesJoins;

    private Connection(ConnectionId id, int version, Token clientToken, Token serverToken, Terms terms,
                       long createdMillis, ConnectionState state, List<Subflow> subflows, boolean deniesJoins) {
        this.id = checkNotNull(id, "id");
        this.version = version;
        this.clientToken = clientToken;
        this.serverToken = serverToken;
        this.terms = checkNotNull(terms, "terms");
        this.createdMillis = createdMillis;
        this.state = checkNotNull(state, "state");
        this.subflows = ImmutableList.copyOf(subflows);
        this.deniesJoins = deniesJoins;
        checkArgument(!subflows.isEmpty(), "connection %s has no subflow", id);
    }

    /**
     * Makes a connection with its first subflow, in state {@link ConnectionState#PENDING}.
     *
     * @param id            its name; not null
     * @param version       MPTCP version, 0 (RFC 6824) or 1 (RFC 8684)
     * @param clientToken   token of the client's key; null if the key was not seen
     * @param serverToken   token of the server's key; null if the key was not seen
     * @param terms         the terms under which it is managed; not null
     * @param createdMillis when it was seen, milliseconds of the Unix epoch
     * @param first         the subflow that carried MP_CAPABLE; not null
     * @return the connection
     */
    public static Connection opened(ConnectionId id, int version, Token clientToken, Token serverToken,
                                    Terms terms, long createdMillis, Subflow first) {
        return new Connection(id, version, clientToken, serverToken, terms, createdMillis,
                              ConnectionState.PENDING, ImmutableList.of(first), false);
    }

    /**
     * Returns this connection after its handshake, if it was known before that.
     *
     * @param newVersion     MPTCP version, 0 (RFC 6824) or 1 (RFC 8684)
     * @param newClientToken token of the client's key; null if the key was not seen
     * @param newServerToken token of the server's key; null if the key was not seen
     * @return the connection
     */
    public Connection begun(int newVersion, Token newClientToken, Token newServerToken) {
        return new Connection(id, newVersion, newClientToken, newServerToken, terms, createdMillis, state, subflows, deniesJoins);
    }

    /** Returns this connection in another state. */
    public Connection withState(ConnectionState newState) {
        return state == newState ? this : new Connection(id, version, clientToken, serverToken, terms,
                                                         createdMillis, newState, subflows, deniesJoins);
    }

    /** Returns this connection with other subflows; the list is not empty. */
    public Connection withSubflows(List<Subflow> newSubflows) {
        return new Connection(id, version, clientToken, serverToken, terms, createdMillis, state, newSubflows, deniesJoins);
    }

    /** Returns this connection with what its server has said of further subflows; see {@link #deniesJoins}. */
    public Connection withDeniedJoins(boolean denies) {
        return denies == deniesJoins ? this : new Connection(id, version, clientToken, serverToken, terms, createdMillis, state,
                                                             subflows, denies);
    }

    /**
     * Returns this connection with each backup ({@link Subflow#isBackup}) in its state: {@link SubflowState#BACKUP} without an
     * expected throughput while {@link #isStandby} holds, else {@link SubflowState#ACTIVE}. Its path stays.
     */
    public Connection withPriorities() {
        return subflows.stream().noneMatch(Subflow::isBackup) ? this
                : mapSubflows(subflow -> subflow.isBackup() ? subflow.standingBy(isStandby(subflow)) : subflow);
    }

    /** Returns this connection with one subflow more at the end. */
    public Connection withSubflow(Subflow added) {
        return withSubflows(ImmutableList.<Subflow>builder().addAll(subflows).add(added).build());
    }

    /** Returns this connection with every subflow replaced by the result of a function. */
    public Connection mapSubflows(UnaryOperator<Subflow> change) {
        return withSubflows(subflows.stream().map(change).collect(ImmutableList.toImmutableList()));
    }

    /** Returns the name. */
    public ConnectionId id() {
        return id;
    }

    /** Returns the MPTCP version: 0 (RFC 6824) or 1 (RFC 8684). */
    public int version() {
        return version;
    }

    /** Returns the token of the client's key, which the server's MP_JOINs carry. Empty if the key was not seen. */
    public Optional<Token> clientToken() {
        return Optional.ofNullable(clientToken);
    }

    /** Returns the token of the server's key, which the client's MP_JOINs carry. Empty if the key was not seen. */
    public Optional<Token> serverToken() {
        return Optional.ofNullable(serverToken);
    }

    /** Returns the name of the path strategy that the connection began with. */
    public String strategy() {
        return terms.strategy();
    }

    /** Returns the terms under which it is managed, fixed when it began. */
    public Terms terms() {
        return terms;
    }

    /** Returns when it was first seen, milliseconds of the Unix epoch. */
    public long createdMillis() {
        return createdMillis;
    }

    /** Returns the state. */
    public ConnectionState state() {
        return state;
    }

    /**
     * Returns whether the server wants no further subflows to the address and port to which the connection was opened, as one
     * behind a load balancer does (flag C of MP_CAPABLE, RFC 8684, section 3.1). Nobody must open one there.
     */
    public boolean deniesJoins() {
        return deniesJoins;
    }

    /** Returns whether a subflow is a backup that its hosts do not use now, because one that is none works. */
    public boolean isStandby(Subflow subflow) {
        return subflow.isBackup() && subflows.stream()
                .anyMatch(other -> !other.isBackup() && other.state() == SubflowState.ACTIVE);
    }

    /** Returns the subflows in the order in which they began; never empty. */
    public List<Subflow> subflows() {
        return subflows;
    }

    /** Returns the subflow that carried MP_CAPABLE. */
    public Subflow first() {
        return subflows.get(0);
    }

    /** Returns the address from which the connection was opened. */
    public IpAddress client() {
        return first().tuple().source();
    }

    /** Returns the address to which the connection was opened. */
    public IpAddress server() {
        return first().tuple().destination();
    }

    /** Returns the subflow with this five-tuple in either direction. */
    public Optional<Subflow> subflow(FiveTuple tuple) {
        FiveTuple back = tuple.reversed();
        return subflows.stream().filter(s -> s.tuple().equals(tuple) || s.tuple().equals(back)).findFirst();
    }

    /** Returns the sum of the subflows' expected throughputs, bit/s. */
    public Rates expected() {
        return subflows.stream().map(Subflow::expected).reduce(Rates.ZERO, Rates::plus);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Connection)) {
            return false;
        }
        Connection that = (Connection) other;
        return id.equals(that.id)
                && version == that.version
                && Objects.equals(clientToken, that.clientToken)
                && Objects.equals(serverToken, that.serverToken)
                && terms.equals(that.terms)
                && createdMillis == that.createdMillis
                && state == that.state
                && deniesJoins == that.deniesJoins
                && subflows.equals(that.subflows);
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, state, subflows);
    }

    @Override
    public String toString() {
        return MoreObjects.toStringHelper(this)
                .add("id", id)
                .add("client", client())
                .add("server", server())
                .add("state", state)
                .add("subflows", subflows)
                .toString();
    }
}
