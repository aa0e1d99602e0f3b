// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.Settings.JoinPolicy;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.path.Competitor;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.PathStrategies;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.ResourcePool;
import org.subflow.mptcp.topology.NetworkSnapshot;

/**
 * Chooses the path of one subflow beside its siblings. Stateless.
 *
 * <p>The strategy is asked for as many paths as the connection is still expected to need, disjoint from its siblings',
 * and the first one is taken: so a first subflow does not take a path that leaves none for the next.
 */
public final class RoutePlanner {
    private static final PathStrategy FALLBACK = PathStrategies.named("shortest");

    private RoutePlanner() {
    }

    /**
     * Chooses a path.
     *
     * @param network    the network as it is
     * @param connection the connection, whose terms hold; its routed subflows but the one in question are the siblings
     * @param subflow    the subflow that needs a path
     * @param others     all connections on the network
     * @return the subflow on its path, or without one: {@link SubflowState#BLOCKED} by the policy, or
     *         {@link SubflowState#DOWN} if nothing joins its ends
     */
    public static Subflow route(NetworkSnapshot network, Connection connection, Subflow subflow,
                                Collection<Connection> others) {
        int from = network.node(subflow.ingress().deviceId());
        int to = network.node(subflow.egress().deviceId());
        if (from < 0 || to < 0) {
            return subflow.withoutRoute(SubflowState.DOWN);
        }
        if (from == to) {
            return subflow.withRoute(SubflowState.ACTIVE, ImmutableList.of(), ImmutableList.of(), 0);
        }
        List<Path> siblings = siblingPaths(network, connection, subflow);
        PathRequest.Builder request = PathRequest.on(network.graph())
                .from(from)
                .to(to)
                .residual(LinkLoad.residual(network, others, connection.id()))
                .flowKey(subflow.tuple().hashCode());
        PathStrategy strategy = PathStrategies.named(connection.strategy());
        if (strategy instanceof ResourcePool) {
            request.competitors(competitors(network, connection, others));
        }
        int wanted = Math.max(1, connection.terms().subflows() - siblings.size());
        PathSet disjoint = strategy.findPaths(request.used(siblings).k(wanted).build());
        if (!disjoint.isEmpty()) {
            return on(network, subflow, disjoint.get(0), SubflowState.ACTIVE);
        }
        Optional<Path> any = FALLBACK.findPaths(request.used(ImmutableList.of()).k(1).build())
                .paths().stream().findFirst();
        return any.map(path -> withoutDisjointPath(network, subflow, path, connection.terms().joinPolicy()))
                .orElseGet(() -> subflow.withoutRoute(SubflowState.DOWN));
    }

    private static Subflow withoutDisjointPath(NetworkSnapshot network, Subflow subflow, Path path,
                                               JoinPolicy policy) {
        if (!subflow.isJoin()) {
            return on(network, subflow, path, SubflowState.ACTIVE);
        }
        switch (policy) {
            case BLOCK:
                return subflow.withoutRoute(SubflowState.BLOCKED);
            case BACKUP:
                return on(network, subflow, path, SubflowState.BACKUP);
            default:
                return on(network, subflow, path, SubflowState.ACTIVE);
        }
    }

    private static Subflow on(NetworkSnapshot network, Subflow subflow, Path path, SubflowState state) {
        return subflow.withRoute(state, network.links(path), network.reverseLinks(path), path.capacity());
    }

    private static List<Path> siblingPaths(NetworkSnapshot network, Connection connection, Subflow subflow) {
        List<Path> paths = new ArrayList<>();
        for (Subflow sibling : connection.subflows()) {
            if (sibling.isRouted() && !sibling.tuple().equals(subflow.tuple()) && !sibling.path().isEmpty()) {
                network.path(sibling.path()).ifPresent(paths::add);
            }
        }
        return paths;
    }

    /** Returns the other connections with the larger of their two directions and the paths of both. */
    private static List<Competitor> competitors(NetworkSnapshot network, Connection connection,
                                                Collection<Connection> others) {
        List<Competitor> competitors = new ArrayList<>();
        for (Connection other : others) {
            List<Path> paths = new ArrayList<>();
            for (Subflow subflow : other.subflows()) {
                if (subflow.isRouted() && !subflow.path().isEmpty()) {
                    network.path(subflow.path()).ifPresent(paths::add);
                    network.path(subflow.reversePath()).ifPresent(paths::add);
                }
            }
            if (!paths.isEmpty() && !other.id().equals(connection.id())) {
                competitors.add(new Competitor(Math.max(other.expected().up(), other.expected().down()), paths));
            }
        }
        return competitors;
    }

    /** Returns whether every link of a routed subflow is still part of the network. */
    public static boolean isIntact(NetworkSnapshot network, Subflow subflow) {
        boolean endsUp = network.node(subflow.ingress().deviceId()) >= 0
                && network.node(subflow.egress().deviceId()) >= 0;
        return subflow.isRouted() && endsUp
                && subflow.path().stream().allMatch(link -> network.arc(link) >= 0)
                && subflow.reversePath().stream().allMatch(link -> network.arc(link) >= 0);
    }

    /** Returns whether every link of a routed subflow has a capacity above 0, in the direction in which it is used. */
    static boolean hasCapacity(NetworkSnapshot network, Subflow subflow) {
        return subflow.path().stream().allMatch(link -> network.capacity(link) > 0)
                && subflow.reversePath().stream().allMatch(link -> network.capacity(link) > 0);
    }
}
