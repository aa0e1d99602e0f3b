// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.subflow.mptcp.path.Competitor;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.share.Allocation;
import org.subflow.mptcp.share.AllocationSession;
import org.subflow.mptcp.share.Allocator;
import org.subflow.mptcp.share.SharingProblem;

/** The connections placed so far and what each of their subflows should get. For one thread. */
final class Sharing {
    private final Graph graph;
    private final Allocator allocator;
    private final AllocationSession session;
    private final List<PlannedConnection> connections = new ArrayList<>();
    private SharingProblem problem;
    private Allocation allocation;

    Sharing(Graph graph, Allocator allocator) {
        this.graph = graph;
        this.allocator = allocator;
        this.session = allocator.session();
        share();
    }

    String allocatorName() {
        return allocator.name();
    }

    List<PlannedConnection> connections() {
        return Collections.unmodifiableList(connections);
    }

    /** Adds a connection and works out everybody's expected throughput again. */
    void add(PlannedConnection connection) {
        connections.add(connection);
        share();
    }

    private void share() {
        SharingProblem.Builder builder = SharingProblem.builder(graph.capacities());
        for (PlannedConnection connection : connections) {
            builder.connection(connection.request.weight, connection.request.cap);
            // A backup subflow is to carry nothing, so it takes no part.
            connection.subflows.stream().filter(PlannedSubflow::isActive)
                    .forEach(subflow -> builder.subflow(subflow.path.arcs()));
        }
        problem = builder.build();
        allocation = session.allocate(problem);
    }

    /** Returns the problem that was solved last. */
    SharingProblem problem() {
        return problem;
    }

    /** Returns the answer to it, in bit/s by subflow. */
    Allocation allocation() {
        return allocation;
    }

    /** Returns the expected throughput of each subflow of a connection in bit/s; 0 for backups. */
    double[] rates(int connection) {
        List<PlannedSubflow> subflows = connections.get(connection).subflows;
        double[] rates = new double[subflows.size()];
        int next = problem.firstSubflow(connection);
        for (int s = 0; s < rates.length; s++) {
            rates[s] = subflows.get(s).isActive() ? allocation.rate(next++) : 0;
        }
        return rates;
    }

    /** Returns the expected throughput on each arc in bit/s. */
    double[] loads() {
        return problem.loads(allocation.rates());
    }

    /**
     * Returns what a newcomer finds on each arc in bit/s: the larger of what the others are expected to leave and an equal
     * part for each connection there and itself, so that no link becomes unusable.
     */
    double[] residual() {
        double[] residual = loads();
        int[] users = new int[graph.arcCount()];
        for (PlannedConnection connection : connections) {
            for (int arc : arcs(connection)) {
                users[arc]++;
            }
        }
        for (int arc = 0; arc < residual.length; arc++) {
            double capacity = graph.capacity(arc);
            residual[arc] = Math.max(capacity - residual[arc], capacity / (users[arc] + 1));
        }
        return residual;
    }

    /** Returns what all connections but one are expected to leave of each arc, in bit/s. */
    double[] leftByOthers(int connection) {
        double[] rates = allocation.rates();
        Arrays.fill(rates, problem.firstSubflow(connection), problem.firstSubflow(connection + 1), 0);
        double[] left = problem.loads(rates);
        for (int arc = 0; arc < left.length; arc++) {
            left[arc] = Math.max(0, graph.capacity(arc) - left[arc]);
        }
        return left;
    }

    private static Set<Integer> arcs(PlannedConnection connection) {
        Set<Integer> arcs = new HashSet<>();
        for (PlannedSubflow subflow : connection.subflows) {
            for (int arc : subflow.isActive() ? subflow.path.arcs() : new int[0]) {
                arcs.add(arc);
            }
        }
        return arcs;
    }

    /** Returns the connections as {@code resource-pool} looks at them; those without a path are none. */
    List<Competitor> competitors() {
        List<Competitor> competitors = new ArrayList<>();
        for (int c = 0; c < connections.size(); c++) {
            List<Path> paths = connections.get(c).subflows.stream().filter(PlannedSubflow::isActive)
                    .map(subflow -> subflow.path).collect(Collectors.toList());
            if (!paths.isEmpty()) {
                competitors.add(new Competitor(allocation.total(c), paths));
            }
        }
        return competitors;
    }
}
