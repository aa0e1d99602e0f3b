// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.token;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Token;

/**
 * A {@link TokenDirectory} in memory. Holds what it is told to hold: two entries for each connection that is known.
 *
 * <p>A token has few owners: a connection has one per leg, and two connections rarely the same by chance. Hosts of one attacker can
 * give thousands of connections the same key, and each MP_JOIN would cost an HMAC for each of them. So the newest owners are
 * refused, of one address and in all. The joins of such a connection go unrecognised.
 *
 * <p>Thread safe: readers never wait; {@link #register} and {@link #remove} may be called from any thread.
 */
public final class TokenTable implements TokenDirectory {
    /** Limit of a token's owners at one address. */
    static final int MOST_AT_AN_ADDRESS = 4;
    /** Limit of a token's owners. */
    static final int MOST = 16;

    private final Map<Token, List<TokenOwner>> owners = new ConcurrentHashMap<>();
    private final Map<FiveTuple, ConnectionKeys> connections = new ConcurrentHashMap<>();
    /** Connections whose initiator's key is not known, by its host and address and the listener's. */
    private final Map<FiveTuple, Set<FiveTuple>> unknown = new ConcurrentHashMap<>();

    /**
     * Makes a connection's tokens known, in place of those that its five-tuple had before.
     *
     * @param connection five-tuple of the first subflow, its source being the initiator
     * @param keys       the connection's keys
     */
    public synchronized void register(FiveTuple connection, ConnectionKeys keys) {
        if (keys.equals(connections.get(connection))) {
            return;
        }
        remove(connection);
        connections.put(connection, keys);
        if (keys.initiatorToken.isEmpty()) {
            unknown.computeIfAbsent(hosts(connection), pair -> ConcurrentHashMap.newKeySet()).add(connection);
        }
        keys.listenerToken.ifPresent(token -> add(token, new TokenOwner(connection, keys, Direction.UP)));
        keys.initiatorToken.ifPresent(token -> add(token, new TokenOwner(connection, keys, Direction.DOWN)));
    }

    private void add(Token token, TokenOwner owner) {
        owners.merge(token, List.of(owner), (old, added) -> {
            long here = old.stream().filter(other -> other.address().equals(owner.address())).count();
            if (here >= MOST_AT_AN_ADDRESS || old.size() >= MOST) {
                return old;
            }
            List<TokenOwner> all = new ArrayList<>(old);
            all.addAll(added);
            return List.copyOf(all);
        });
    }

    /** Forgets a connection's tokens; without effect if it is not known. */
    public synchronized void remove(FiveTuple connection) {
        ConnectionKeys keys = connections.remove(connection);
        if (keys != null) {
            unknown.computeIfPresent(hosts(connection), (pair, tuples) -> {
                tuples.remove(connection);
                return tuples.isEmpty() ? null : tuples;
            });
            keys.listenerToken.ifPresent(token -> remove(token, connection));
            keys.initiatorToken.ifPresent(token -> remove(token, connection));
        }
    }

    /** Forgets a connection's tokens if its five-tuple still has these keys: another connection may have taken it over. */
    public synchronized void remove(FiveTuple connection, ConnectionKeys keys) {
        if (keys.equals(connections.get(connection))) {
            remove(connection);
        }
    }

    private void remove(Token token, FiveTuple connection) {
        owners.computeIfPresent(token, (key, old) -> {
            List<TokenOwner> left = new ArrayList<>(old);
            left.removeIf(owner -> owner.connection.equals(connection));
            return left.isEmpty() ? null : List.copyOf(left);
        });
    }

    @Override
    public List<TokenOwner> find(Token token) {
        return owners.getOrDefault(token, List.of());
    }

    @Override
    public Optional<TokenOwner> onlyByHosts(FiveTuple like) {
        Set<FiveTuple> between = unknown.getOrDefault(hosts(like), Set.of());
        // There may be thousands, and each MP_JOIN asks.
        Optional<FiveTuple> only = between.size() == 1 ? between.stream().findAny() : Optional.empty();
        return only.flatMap(connection -> Optional.ofNullable(connections.get(connection))
                .map(keys -> new TokenOwner(connection, keys, Direction.DOWN)));
    }

    /** Returns the same key for all connections of one host, at one of its addresses, to another. */
    private static FiveTuple hosts(FiveTuple connection) {
        return FiveTuple.of(connection.source(), 0, connection.destination(), 0)
                .between(connection.sourceHost(), connection.destinationHost());
    }

    /** Returns the number of connections known. */
    public int size() {
        return connections.size();
    }
}
