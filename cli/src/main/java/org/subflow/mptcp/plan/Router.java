// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.util.ArrayList;
import java.util.List;
import org.subflow.mptcp.path.Competitor;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.PathStrategies;
import org.subflow.mptcp.path.PathStrategy;

/** Chooses the paths of one connection by the strategy and the policy that were asked for. Stateless. */
final class Router {
    private static final PathStrategy SHORTEST = PathStrategies.named("shortest");

    private final Graph graph;
    private final PlanOptions options;
    private final PathStrategy strategy;

    Router(Graph graph, PlanOptions options) {
        this.graph = graph;
        this.options = options;
        this.strategy = PathStrategies.named(options.strategy);
    }

    /**
     * Chooses.
     *
     * @param connection  who needs paths
     * @param residual    what it finds on each arc, in bit/s
     * @param competitors those that were placed before
     * @return the connection on its paths
     * @throws InputException if the strategy cannot do what was asked
     */
    PlannedConnection route(ConnectionRequest connection, double[] residual, List<Competitor> competitors) {
        PathSet own = find(strategy, builder(connection, residual).k(connection.subflows).competitors(competitors));
        List<PlannedSubflow> subflows = new ArrayList<>();
        for (Path path : own) {
            subflows.add(new PlannedSubflow(path, PlannedSubflow.Role.OWN));
        }
        if (subflows.size() < connection.subflows && options.join != JoinPolicy.BLOCK) {
            PathRequest.Builder shortest = PathRequest.on(graph).from(connection.source).to(connection.target)
                    .residual(residual).k(connection.subflows - subflows.size());
            for (Path path : find(SHORTEST, shortest)) {
                subflows.add(new PlannedSubflow(path, options.join == JoinPolicy.SHARE ? PlannedSubflow.Role.SHARED
                        : PlannedSubflow.Role.BACKUP));
            }
        }
        return new PlannedConnection(connection, own.disjointness(), subflows);
    }

    private PathRequest.Builder builder(ConnectionRequest connection, double[] residual) {
        PathRequest.Builder request = PathRequest.on(graph)
                .from(connection.source)
                .to(connection.target)
                .residual(residual)
                .disjointness(options.disjointness)
                .exact(options.exact)
                .prefer(options.preference)
                // The name stands for the 5-tuple that switches would hash.
                .flowKey(connection.id.hashCode())
                .seed(options.seed);
        return options.m == 0 ? request : request.m(options.m);
    }

    private static PathSet find(PathStrategy strategy, PathRequest.Builder request) {
        PathRequest built = request.build();
        try {
            return strategy.findPaths(built);
        } catch (IllegalArgumentException e) {
            throw new InputException(e.getMessage(), e);
        }
    }
}
