// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.subflow.mptcp.path.Graph;

/**
 * The network at one moment: its graph, other traffic and its connections. Immutable, as long as nobody writes to the array
 * of other traffic.
 */
public final class NetworkState {
    private final Graph graph;
    private final double[] otherTraffic;
    private final boolean oneWay;
    private final List<PlacedConnection> connections;

    private NetworkState(Graph graph, double[] otherTraffic, boolean oneWay, List<PlacedConnection> connections) {
        this.graph = graph;
        this.otherTraffic = otherTraffic;
        this.oneWay = oneWay;
        this.connections = connections;
    }

    /**
     * Describes a network.
     *
     * @param graph        nodes and links with capacities in bit/s; not null
     * @param otherTraffic what each arc carries beside the connections, bit/s, at least 0; not copied
     * @param connections  the connections that are on it, oldest first; not null
     * @return the state
     * @throws IllegalArgumentException if there is not one value of other traffic for each arc
     */
    public static NetworkState of(Graph graph, double[] otherTraffic, List<PlacedConnection> connections) {
        if (otherTraffic.length != graph.arcCount()) {
            throw new IllegalArgumentException("other traffic has " + otherTraffic.length + " values for "
                    + graph.arcCount() + " arcs");
        }
        return new NetworkState(graph, otherTraffic, false, List.copyOf(connections));
    }

    /** Describes a network without connections and other traffic. */
    public static NetworkState empty(Graph graph) {
        return of(graph, new double[graph.arcCount()], List.of());
    }

    /**
     * Returns this network with one-way links usable: links with capacity in one direction only. A controller cannot use
     * them, because acknowledgements must come back the same way.
     */
    public NetworkState allowingOneWayLinks() {
        return new NetworkState(graph, otherTraffic, true, connections);
    }

    /** Returns this network with other connections on it. */
    public NetworkState withConnections(List<PlacedConnection> newConnections) {
        return new NetworkState(graph, otherTraffic, oneWay, List.copyOf(newConnections));
    }

    /** Returns this network with a connection in place of the one of the same name, or at the end if there is none. */
    public NetworkState with(PlacedConnection connection) {
        List<PlacedConnection> changed = new ArrayList<>(connections);
        int index = indexOf(connection.id());
        if (index < 0) {
            changed.add(connection);
        } else {
            changed.set(index, connection);
        }
        return withConnections(changed);
    }

    /** Returns the graph; capacities are bit/s. */
    public Graph graph() {
        return graph;
    }

    /** Returns what an arc carries beside the connections, bit/s. */
    public double otherTraffic(int arc) {
        return otherTraffic[arc];
    }

    /** Returns whether links with capacity in one direction only are usable in that direction. */
    public boolean allowsOneWayLinks() {
        return oneWay;
    }

    /** Returns whether a path may take an arc: it has capacity, and its other direction too where one-way links are not allowed. */
    public boolean isUsable(int arc) {
        return graph.capacity(arc) > 0 && (oneWay || graph.capacity(Graph.reverse(arc)) > 0);
    }

    /** Returns costs by arc: the same for each, but infinite for those that no path may take. */
    public double[] costs(double ofEach) {
        double[] costs = new double[graph.arcCount()];
        Arrays.setAll(costs, arc -> isUsable(arc) ? ofEach : Double.POSITIVE_INFINITY);
        return costs;
    }

    /** Returns the connections, oldest first. */
    public List<PlacedConnection> connections() {
        return connections;
    }

    /** Returns the connection of a name. */
    public Optional<PlacedConnection> connection(String id) {
        int index = indexOf(Objects.requireNonNull(id, "id"));
        return index < 0 ? Optional.empty() : Optional.of(connections.get(index));
    }

    /** Returns the place of a connection among {@link #connections}; -1 if it is not there. */
    public int indexOf(String id) {
        for (int i = 0; i < connections.size(); i++) {
            if (connections.get(i).id().equals(id)) {
                return i;
            }
        }
        return -1;
    }
}
