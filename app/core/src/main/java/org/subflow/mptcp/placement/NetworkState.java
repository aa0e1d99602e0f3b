// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.subflow.mptcp.path.Graph;

/**
 * The network at one moment: its graph, other traffic and its connections. Immutable, as long as nobody writes to the array
 * of other traffic. A state that follows from another by {@link #with} or {@link #without} has most of its memory in common with
 * it: the change costs what the connection and the graph cost, however many connections there are.
 */
public final class NetworkState {
    private final Graph graph;
    private final double[] otherTraffic;
    private final boolean oneWay;
    private final PlacedConnections connections;

    private NetworkState(Graph graph, double[] otherTraffic, boolean oneWay, PlacedConnections connections) {
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
        check(graph, otherTraffic);
        return new NetworkState(graph, otherTraffic, false, PlacedConnections.of(graph.arcCount(), connections));
    }

    private static void check(Graph graph, double[] otherTraffic) {
        if (otherTraffic.length != graph.arcCount()) {
            throw new IllegalArgumentException("other traffic has " + otherTraffic.length + " values for "
                    + graph.arcCount() + " arcs");
        }
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

    /**
     * Returns this network with other traffic; the same if that is as it was.
     *
     * @param newOtherTraffic what each arc carries beside the connections, bit/s, at least 0; not copied
     * @throws IllegalArgumentException if there is not one value for each arc
     */
    public NetworkState withOtherTraffic(double[] newOtherTraffic) {
        check(graph, newOtherTraffic);
        return Arrays.equals(otherTraffic, newOtherTraffic) ? this : new NetworkState(graph, newOtherTraffic, oneWay, connections);
    }

    /**
     * Returns this network with other connections on it; the same if all are the same as here. It is the faster, the more of them
     * are the same as here in the same order: values that are equal, but other objects, are not the same.
     */
    public NetworkState withConnections(List<PlacedConnection> newConnections) {
        return on(connections.replaced(newConnections));
    }

    /** Returns this network with a connection in place of the one of the same name, or at the end if there is none. */
    public NetworkState with(PlacedConnection connection) {
        return on(connections.with(connection));
    }

    /** Returns this network without the connection of a name; the same if there is none. */
    public NetworkState without(String id) {
        return on(connections.without(id));
    }

    private NetworkState on(PlacedConnections changed) {
        return changed == connections ? this : new NetworkState(graph, otherTraffic, oneWay, changed);
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

    /** Returns the connections, oldest first; unmodifiable. */
    public List<PlacedConnection> connections() {
        return connections.list();
    }

    /** Returns the connection of a name. */
    public Optional<PlacedConnection> connection(String id) {
        return Optional.ofNullable(connections.get(Objects.requireNonNull(id, "id")));
    }

    /** Returns the place of a connection among {@link #connections}; -1 if it is not there. */
    public int indexOf(String id) {
        return connections.indexOf(id);
    }

    /** Returns the loads of the arcs by all connections but the one of a name, which need not be there. */
    public ArcLoads loadsWithout(String id) {
        return connections.loadsWithout(id);
    }
}
