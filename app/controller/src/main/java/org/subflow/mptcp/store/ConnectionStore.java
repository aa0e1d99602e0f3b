// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.onlab.util.KryoNamespace;
import org.onosproject.store.serializers.KryoNamespaces;
import org.onosproject.store.service.Serializer;
import org.onosproject.store.service.StorageService;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.Terms;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.Rates;

/**
 * The truth about connections, with an index by five-tuple; kept in a {@code ConsistentMap} with a serializer of our own.
 *
 * <p>Read and written in memory: an access to ONOS's map takes about a millisecond, and rules would wait for it. The map
 * follows behind, and only the newest of several changes is written. Written by the control loop only; read by any
 * thread.
 */
public final class ConnectionStore {
    private static final String MAP_NAME = "onos-mptcp-connections";
    private static final Comparator<Connection> OLDEST_FIRST =
            Comparator.comparingLong(Connection::createdMillis).thenComparing(Connection::id);

    private final Map<ConnectionId, Connection> kept;
    private final Map<ConnectionId, Connection> connections;
    private final Set<ConnectionId> unwritten = ConcurrentHashMap.newKeySet();
    private final Runnable writeSoon;
    private final LoopGuard guard;
    private final Map<FiveTuple, ConnectionId> byTuple = new ConcurrentHashMap<>();

    /**
     * Opens the store in ONOS; what an earlier run of the application left there is found again.
     *
     * @param storage ONOS's storage service; not null
     * @param soon    makes a trigger of the task that writes: however often it is pulled while the task waits, the task
     *                runs once; always on the same thread
     * @param guard   lets only the thread through that may change connections; not null
     * @return the store
     */
    public static ConnectionStore open(StorageService storage, UnaryOperator<Runnable> soon, LoopGuard guard) {
        return new ConnectionStore(storage.<ConnectionId, Connection>consistentMapBuilder()
                                           .withName(MAP_NAME)
                                           .withSerializer(Serializer.using(serializer()))
                                           .build()
                                           .asJavaMap(), soon, guard);
    }

    /** Returns what writes connections for other nodes and for the disk: every class inside one is registered. */
    public static KryoNamespace serializer() {
        return KryoNamespace.newBuilder()
                .register(KryoNamespaces.API)
                .nextId(KryoNamespaces.BEGIN_USER_CUSTOM_ID)
                .register(ConnectionId.class, Connection.class, ConnectionState.class, Subflow.class,
                          SubflowState.class, FiveTuple.class, Token.class, Rates.class, Terms.class,
                          JoinPolicy.class)
                .build("onos-mptcp");
    }

    /**
     * Makes a store with what a map holds.
     *
     * @param kept  keeps the connections; not null
     * @param soon  makes a trigger of the task that writes to the map
     * @param guard lets only the thread through that may change connections; not null
     */
    public ConnectionStore(Map<ConnectionId, Connection> kept, UnaryOperator<Runnable> soon, LoopGuard guard) {
        this.guard = checkNotNull(guard, "guard");
        this.kept = checkNotNull(kept, "kept");
        this.connections = new ConcurrentHashMap<>(kept);
        this.writeSoon = soon.apply(this::write);
        connections.values().forEach(this::index);
    }

    /** Writes a connection in place of the one of the same name. */
    public void put(Connection connection) {
        guard.check();
        Connection old = connections.put(connection.id(), connection);
        index(connection);
        if (old != null) {
            Set<FiveTuple> still = tuples(connection);
            unindex(old, tuple -> !still.contains(tuple));
        }
        changed(connection.id());
    }

    /** Removes a connection. */
    public void remove(ConnectionId id) {
        guard.check();
        Connection old = connections.remove(id);
        if (old != null) {
            unindex(old, tuple -> true);
            changed(id);
        }
    }

    private void changed(ConnectionId id) {
        unwritten.add(id);
        writeSoon.run();
    }

    @SuppressWarnings("ModifyCollectionInEnhancedForLoop") // a concurrent set
    private void write() {
        for (ConnectionId id : unwritten) {
            unwritten.remove(id);
            Connection newest = connections.get(id);
            try {
                if (newest == null) {
                    kept.remove(id);
                } else {
                    kept.put(id, newest);
                }
            } catch (RuntimeException e) {
                // With the next change it is tried again.
                unwritten.add(id);
                throw e;
            }
        }
    }

    /** Returns the connection of this name. */
    public Optional<Connection> get(ConnectionId id) {
        return Optional.ofNullable(connections.get(id));
    }

    /** Returns all connections, oldest first. */
    public List<Connection> all() {
        return connections.values().stream().sorted(OLDEST_FIRST).collect(ImmutableList.toImmutableList());
    }

    /** Returns the connection that has a subflow with this five-tuple in either direction. */
    public Optional<ConnectionId> owner(FiveTuple tuple) {
        ConnectionId id = byTuple.get(tuple);
        return Optional.ofNullable(id != null ? id : byTuple.get(tuple.reversed()));
    }

    private void index(Connection connection) {
        tuples(connection).forEach(tuple -> byTuple.put(tuple, connection.id()));
    }

    private void unindex(Connection connection, Predicate<FiveTuple> which) {
        tuples(connection).stream().filter(which).forEach(tuple -> byTuple.remove(tuple, connection.id()));
    }

    private static Set<FiveTuple> tuples(Connection connection) {
        return connection.subflows().stream().map(Subflow::tuple).collect(Collectors.toSet());
    }
}
