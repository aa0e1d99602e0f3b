// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.PathLimits;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacementTerms;
import org.subflow.mptcp.placement.rate.AttainableRates;
import org.subflow.mptcp.placement.rate.Limitation;
import org.subflow.mptcp.placement.rate.PlacementQuality;
import org.subflow.mptcp.placement.rate.SplittableFlow;
import org.subflow.mptcp.placement.search.Placement;

/**
 * Places connections as the controller does when they begin in the order given. It places one subflow after the other, and
 * computes all fair shares after each. Then it moves connections to better paths, unless the option {@code --first} is set.
 *
 * <p>A cap in the input stands for a measured demand: it limits a connection's fair share, but not the gain of a better path.
 */
final class Planning {
    private final Topology topology;
    private final PlanOptions options;
    private long pathNanos;
    private long allocationNanos;

    Planning(Topology topology, PlanOptions options) {
        this.topology = topology;
        this.options = options;
    }

    /**
     * Plans.
     *
     * @param requests the connections in the order of their arrival
     * @return their paths and shares
     * @throws InputException if the strategy cannot find the paths that the options ask for
     */
    Plan place(Collection<ConnectionRequest> requests) {
        Placement placement = new Placement(NetworkState.empty(topology.graph()).allowingOneWayLinks(), options.allocator,
                                            Placement.LEAST_GAIN_PERCENT);
        try {
            requests.forEach(request -> open(placement, request));
            requests.forEach(request -> placement.setDemand(request.id, Demand.of(request.cap, 0)));
            placement.share();
            if (!options.first) {
                long begin = System.nanoTime();
                placement.settle();
                pathNanos += System.nanoTime() - begin;
            }
        } catch (IllegalArgumentException e) {
            throw new InputException(e.getMessage(), e);
        }
        return plan(List.copyOf(requests), placement.network());
    }

    private void open(Placement placement, ConnectionRequest request) {
        // What it sends is not known when it begins, but from where to where it sends is, unless the options say otherwise.
        placement.begin(request.id, terms(request), options.bothWays ? Demand.UNLIMITED : Demand.of(Double.POSITIVE_INFINITY, 0));
        for (int i = 0; i < request.subflows; i++) {
            // The hash of the name replaces that of the five-tuple.
            long flowKey = request.id.hashCode() + (long) i;
            long begin = System.nanoTime();
            placement.place(request.id, PlacedSubflow.unplaced(request.source, request.target, true, i > 0, flowKey));
            long placed = System.nanoTime();
            placement.share();
            pathNanos += placed - begin;
            allocationNanos += System.nanoTime() - placed;
        }
    }

    private PlacementTerms terms(ConnectionRequest request) {
        return PlacementTerms.of(options.strategy, request.subflows, options.join)
                .withShare(request.weight, Double.POSITIVE_INFINITY)
                .withLimits(PathLimits.of(options.maxDelay, options.maxDelaySpread))
                .withOptions(paths -> {
                    paths.disjointness(options.disjointness).exact(options.exact).prefer(options.preference).seed(options.seed);
                    if (options.m != 0) {
                        paths.m(options.m);
                    }
                });
    }

    private Plan plan(List<ConnectionRequest> requests, NetworkState network) {
        AttainableRates attainable = new AttainableRates();
        attainable.now(network);
        long begin = System.nanoTime();
        SplittableFlow best = options.bound ? SplittableFlow.of(network) : null;
        PlannedBound bound = best == null ? null
                : new PlannedBound(PlacementQuality.of(network, best), best.error(), System.nanoTime() - begin);
        List<PlannedConnection> connections = new ArrayList<>();
        for (int c = 0; c < requests.size(); c++) {
            connections.add(new PlannedConnection(requests.get(c), network.connections().get(c), attainable.of(c),
                                                  best == null ? Double.NaN : best.rates(c).up(),
                                                  options.why ? Limitation.of(network, requests.get(c).id, true, options.allocator)
                                                          : null));
        }
        Disjointness kind = options.disjointness != null ? options.disjointness
                : PathStrategies.named(options.strategy).disjointness().get(0);
        return new Plan(topology, options, kind, connections, bound, pathNanos, allocationNanos);
    }
}
