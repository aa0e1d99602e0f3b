// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Sets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.onlab.util.ImmutableByteSequence;
import org.onosproject.store.service.StorageService;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.wire.ConnectionForm;

/**
 * The authoritative record of all connections, with indexes by five-tuple and by state. A {@link StoredMap} of ONOS keeps a
 * copy.
 *
 * <p>Reads and writes happen in memory, because an access to ONOS's map takes about a millisecond and would delay rules.
 * The map follows later, and only the newest of several changes is written. A change of expected rates alone is not written:
 * with a thousand connections that would keep ONOS's store busy, and a restart computes them anew. Nor is one that is {@linkplain
 * #hold held}, as it waits to be taken over: the map keeps it as it was, for whoever takes over next. Only the control loop writes;
 * any thread reads.
 */
public final class ConnectionStore {
    private static final String MAP_NAME = "onos-mptcp-connections";

    private final WriteBehind<ConnectionId, Connection> connections;
    private final ConnectionsByState byState = new ConnectionsByState();
    private final Set<ConnectionId> held = new HashSet<>();
    private final LoopGuard guard;
    private final Map<FiveTuple, ConnectionId> byTuple = new ConcurrentHashMap<>();
    /** The subflows' five-tuples by the same without hosts: several if a connection crosses a router, or in several VLANs. */
    private final Map<FiveTuple, Set<FiveTuple>> byAddresses = new ConcurrentHashMap<>();

    /**
     * Opens the store in ONOS, with the connections that an earlier run of the application stored.
     *
     * @param storage ONOS's storage service; not null
     * @param soon    makes a trigger of the task that writes. If it fires several times while the task waits, the task runs
     *                once, always on the same thread
     * @param guard   lets only the thread through that may change connections; not null
     * @param mayWrite gives the term in which this node writes, 0 on a single node; throws an exception if it may not; not null
     * @return the store
     */
    public static ConnectionStore open(StorageService storage, UnaryOperator<Runnable> soon, LoopGuard guard, LongSupplier mayWrite) {
        return new ConnectionStore(StoredMap.open(storage, MAP_NAME, mayWrite), soon, guard);
    }

    /**
     * Makes a store with the content of a map.
     *
     * @param kept  keeps the connections; not null
     * @param soon  makes a trigger of the task that writes to the map
     * @param guard lets only the thread through that may change connections; not null
     */
    public ConnectionStore(Map<ImmutableByteSequence, ImmutableByteSequence> kept, UnaryOperator<Runnable> soon,
                           LoopGuard guard) {
        this.guard = checkNotNull(guard, "guard");
        this.connections = new WriteBehind<>(new StoredMap<>(kept, new ConnectionForm()), soon);
        connections.entries().values().forEach(connection -> {
            index(connection.id(), tuples(connection));
            byState.put(connection, null);
        });
    }

    /**
     * Checks that the caller may change connections: it runs on the control loop.
     *
     * @throws IllegalStateException if it does not
     */
    public void checkThread() {
        guard.check();
    }

    /**
     * Puts an idle connection in place of the one with the same name, for this run alone until it is live, is {@link #release}d, or has
     * lost a subflow: that one's five-tuple may be another connection's.
     */
    public void hold(Connection idle) {
        guard.check();
        held.add(idle.id());
        put(idle);
    }

    /** Stores a held connection as it is. */
    public void release(ConnectionId id) {
        guard.check();
        if (held.remove(id)) {
            get(id).ifPresent(connection -> connections.put(id, connection));
        }
    }

    /** Stores a connection in place of the one with the same name. */
    public void put(Connection connection) {
        guard.check();
        Connection old = connections.get(connection.id());
        Set<FiveTuple> before = old == null ? Set.of() : tuples(old);
        Set<FiveTuple> now = tuples(connection);
        boolean staysHeld = connection.state() == ConnectionState.IDLE && held.contains(connection.id()) && now.containsAll(before);
        boolean wasHeld = !staysHeld && held.remove(connection.id());
        if (staysHeld || !wasHeld && old != null && withoutRates(old).equals(withoutRates(connection))) {
            connections.putInMemory(connection.id(), connection);
        } else {
            connections.put(connection.id(), connection);
        }
        index(connection.id(), Sets.difference(now, before));
        byState.put(connection, old);
        unindex(connection.id(), Sets.difference(before, now));
    }

    /** Removes a connection. */
    public void remove(ConnectionId id) {
        guard.check();
        held.remove(id);
        Connection old = connections.remove(id);
        if (old != null) {
            unindex(id, tuples(old));
            byState.remove(old);
        }
    }

    /** Returns the connection with this name. */
    public Optional<Connection> get(ConnectionId id) {
        return Optional.ofNullable(connections.get(id));
    }

    /** Returns all connections, oldest first. */
    public List<Connection> all() {
        return connections.entries().values().stream().sorted(ConnectionsByState.OLDEST_FIRST)
                .collect(ImmutableList.toImmutableList());
    }

    /** Returns the connections in a state, oldest first. */
    public List<Connection> in(ConnectionState state) {
        return byState.in(state);
    }

    /** Returns the connections that have rules or need them, all but the idle ones, oldest first. */
    public List<Connection> live() {
        return byState.live();
    }

    /** Returns the connection that has a subflow with this five-tuple in either direction. */
    public Optional<ConnectionId> owner(FiveTuple tuple) {
        ConnectionId id = byTuple.get(tuple);
        return Optional.ofNullable(id != null ? id : byTuple.get(tuple.reversed()));
    }

    /**
     * Returns the five-tuples of subflows, one for each leg, that have the addresses and ports of another one.
     *
     * @param addresses the other one, without hosts; not null
     * @return those of subflows in either direction, turned to the same direction; in no order
     */
    public Set<FiveTuple> legs(FiveTuple addresses) {
        Set<FiveTuple> legs = new HashSet<>(byAddresses.getOrDefault(addresses, Set.of()));
        byAddresses.getOrDefault(addresses.reversed(), Set.of()).forEach(leg -> legs.add(leg.reversed()));
        return legs;
    }

    /** Returns how many stored entries of an earlier run could not be read, and were dropped. */
    public int dropped() {
        return connections.dropped();
    }

    /** Returns whether ONOS gave out what was stored; if not, this began with nothing. */
    public boolean isRead() {
        return connections.isRead();
    }

    /** Removes everything from ONOS's map, for good. The task that writes must have ended; the store in memory stays. */
    public void clear() {
        connections.clear();
    }

    private static Connection withoutRates(Connection connection) {
        return connection.mapSubflows(subflow -> subflow.withExpected(Rates.ZERO));
    }

    private void index(ConnectionId id, Set<FiveTuple> tuples) {
        tuples.forEach(tuple -> {
            byTuple.put(tuple, id);
            byAddresses.merge(tuple.withoutHosts(), Set.of(tuple), (legs, added) -> Sets.union(legs, added).immutableCopy());
        });
    }

    private void unindex(ConnectionId id, Set<FiveTuple> tuples) {
        tuples.stream().filter(tuple -> byTuple.remove(tuple, id))
                .forEach(tuple -> byAddresses.computeIfPresent(tuple.withoutHosts(), (unused, legs) -> {
                    Set<FiveTuple> left = Sets.difference(legs, Set.of(tuple)).immutableCopy();
                    return left.isEmpty() ? null : left;
                }));
    }

    private static Set<FiveTuple> tuples(Connection connection) {
        return connection.subflows().stream().map(Subflow::tuple).collect(Collectors.toSet());
    }
}
