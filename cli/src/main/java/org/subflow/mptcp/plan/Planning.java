// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.MaximumFlow;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathStrategies;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.share.Allocators;
import org.subflow.mptcp.share.WhatIfShares;
import org.subflow.mptcp.share.Zeta;

/**
 * Places connections one after the other, as the controller does when they arrive in that order: each finds the network as
 * those before it are expected to leave it. Subflows of one connection are kept apart by the strategy; paths of earlier
 * connections stay as they are, their expected throughputs do not.
 */
final class Planning {
    /** So many paths of a largest flow count as "all paths" of a connection. */
    private static final int MOST_PATHS = 64;

    private final Topology topology;
    private final Graph graph;
    private final PlanOptions options;

    Planning(Topology topology, PlanOptions options) {
        this.topology = topology;
        this.graph = topology.graph();
        this.options = options;
    }

    /**
     * Plans.
     *
     * @param requests the connections in the order of their arrival
     * @return their paths and shares
     * @throws InputException if the strategy cannot do what was asked
     */
    Plan place(Collection<ConnectionRequest> requests) {
        Router router = new Router(graph, options);
        Sharing sharing = new Sharing(graph, Allocators.byName(options.allocator));
        long pathNanos = 0;
        long allocationNanos = 0;
        for (ConnectionRequest request : requests) {
            double[] residual = sharing.residual();
            long begin = System.nanoTime();
            PlannedConnection connection = router.route(request, residual, sharing.competitors());
            long routed = System.nanoTime();
            sharing.add(connection);
            pathNanos += routed - begin;
            allocationNanos += System.nanoTime() - routed;
        }
        return new Plan(topology, options.strategy, sharing, zetas(sharing), pathNanos, allocationNanos);
    }

    private List<Zeta> zetas(Sharing sharing) {
        List<Zeta> zetas = new ArrayList<>();
        WhatIfShares shares = new WhatIfShares();
        for (int c = 0; c < sharing.connections().size(); c++) {
            zetas.add(zeta(sharing, c, shares));
        }
        return zetas;
    }

    private Zeta zeta(Sharing sharing, int connection, WhatIfShares shares) {
        PlannedConnection planned = sharing.connections().get(connection);
        int[] source = {planned.request.source};
        int[] target = {planned.request.target};
        return Zeta.of(sharing.problem(), sharing.allocation().rates(), connection, sharing.problem().cap(connection),
                capacities -> MaximumFlow.value(graph, capacities, source, target),
                pathsOf(planned, sharing.leftByOthers(connection)), shares);
    }

    /**
     * Returns what stands for all paths of a connection, of which there may be exponentially many: its own, those of a
     * largest flow over the whole capacities, and those of a largest flow over what the others leave.
     */
    private List<int[]> pathsOf(PlannedConnection connection, double[] left) {
        Set<Path> paths = new LinkedHashSet<>();
        for (PlannedSubflow subflow : connection.subflows) {
            paths.add(subflow.path);
        }
        for (double[] bandwidth : List.of(graph.capacities(), left)) {
            PathStrategies.named("resource-pool").findPaths(PathRequest.on(graph)
                    .from(connection.request.source)
                    .to(connection.request.target)
                    .residual(bandwidth)
                    .k(MOST_PATHS)
                    .build()).forEach(paths::add);
        }
        List<int[]> routes = new ArrayList<>();
        paths.forEach(path -> routes.add(path.arcs()));
        return routes;
    }
}
