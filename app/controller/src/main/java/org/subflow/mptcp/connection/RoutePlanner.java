// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.Settings.JoinPolicy;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.path.Competitor;
import org.subflow.mptcp.path.LeastShared;
import org.subflow.mptcp.path.Multiflow;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.PathStrategies;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.ResourcePool;
import org.subflow.mptcp.path.WidestDisjoint;
import org.subflow.mptcp.topology.NetworkSnapshot;

/**
 * Chooses the path of one subflow beside its siblings, on what other connections and other traffic leave of the network.
 *
 * <p>The strategy is asked for as many paths as the connection is still expected to need, disjoint from its siblings',
 * and the first one is taken: so a first subflow does not take a path that leaves none for the next.
 */
public final class RoutePlanner {
    private static final PathStrategy FEWEST_HOPS = new Multiflow();

    private final ToDoubleFunction<Link> others;

    /**
     * Makes a planner.
     *
     * @param others what a directed link carries beside the connections' subflows, bit/s, at least 0; not null
     */
    public RoutePlanner(ToDoubleFunction<Link> others) {
        this.others = checkNotNull(others, "others");
    }

    /**
     * Chooses the path of a subflow that begins.
     *
     * @param network    the network as it is
     * @param connection the connection, whose terms hold; its active subflows but the one in question are the siblings
     * @param subflow    the subflow that needs a path
     * @param live       all connections on the network
     * @return the subflow on its path, or without one: {@link SubflowState#BLOCKED} by the policy, or
     *         {@link SubflowState#DOWN} if nothing joins its ends
     */
    public Subflow route(NetworkSnapshot network, Connection connection, Subflow subflow, Collection<Connection> live) {
        boolean mayBeRefused = subflow.isJoin() && connection.terms().joinPolicy() == JoinPolicy.BLOCK;
        boolean mayBeParked = subflow.isJoin() && connection.terms().joinPolicy() == JoinPolicy.BACKUP;
        return route(network, connection, subflow, live, path -> {
            if (mayBeRefused) {
                return subflow.withoutRoute(SubflowState.BLOCKED);
            }
            return on(network, subflow, path, mayBeParked ? SubflowState.BACKUP : SubflowState.ACTIVE);
        });
    }

    /**
     * Chooses the path of a subflow that lives and has lost its path, or might have a better one. It is never blocked,
     * because its hosts use it already: where a newcomer would be, it is parked as backup.
     *
     * @param network    the network as it is
     * @param connection the connection, whose terms hold; its active subflows but the one in question are the siblings
     * @param subflow    the subflow to move
     * @param live       all connections on the network
     * @return the subflow on its path; {@link SubflowState#DOWN} if nothing joins its ends
     */
    public Subflow move(NetworkSnapshot network, Connection connection, Subflow subflow, Collection<Connection> live) {
        boolean shares = connection.terms().joinPolicy() == JoinPolicy.SHARE;
        return route(network, connection, subflow, live,
                     path -> on(network, subflow, path, shares ? SubflowState.ACTIVE : SubflowState.BACKUP));
    }

    /**
     * Returns where a living subflow might be, for whoever can tell what each place is worth: where {@link #move} puts it
     * and, if its strategy goes any way round for width, where the fewest hops are among those disjoint from its siblings.
     * On a network where every link is full, the widest path is often one that takes a little from everybody.
     *
     * @param network    the network as it is
     * @param connection the connection, whose terms hold; its active subflows but the one in question are the siblings
     * @param subflow    the subflow to move
     * @param live       all connections on the network
     * @return the subflow on each path, without repetition; one that is down if nothing joins its ends
     */
    Set<Subflow> moves(NetworkSnapshot network, Connection connection, Subflow subflow, Collection<Connection> live) {
        Set<Subflow> moves = new LinkedHashSet<>();
        moves.add(move(network, connection, subflow, live));
        if (PathStrategies.named(connection.strategy()) instanceof WidestDisjoint) {
            Subflow closest = route(network, connection, FEWEST_HOPS, subflow, live, path -> subflow);
            if (closest.isRouted()) {
                moves.add(closest);
            }
        }
        return moves;
    }

    private Subflow route(NetworkSnapshot network, Connection connection, Subflow subflow, Collection<Connection> live,
                          Function<Path, Subflow> onSharedPath) {
        return route(network, connection, PathStrategies.named(connection.strategy()), subflow, live, onSharedPath);
    }

    /** On a path disjoint from its siblings' if there is one, else on the one that shares least, if it may be there. */
    private Subflow route(NetworkSnapshot network, Connection connection, PathStrategy strategy, Subflow subflow,
                          Collection<Connection> live, Function<Path, Subflow> onSharedPath) {
        int from = network.node(subflow.ingress().deviceId());
        int to = network.node(subflow.egress().deviceId());
        if (from < 0 || to < 0) {
            return subflow.withoutRoute(SubflowState.DOWN);
        }
        if (from == to) {
            return subflow.withRoute(SubflowState.ACTIVE, ImmutableList.of(), ImmutableList.of(), 0);
        }
        List<Path> siblings = siblingPaths(network, connection, subflow);
        PathRequest.Builder builder = PathRequest.on(network.graph())
                .from(from)
                .to(to)
                .residual(LinkLoad.residual(network, live, connection.id(), others))
                .flowKey(subflow.tuple().hashCode())
                .used(siblings)
                .k(Math.max(1, connection.terms().subflows() - siblings.size()));
        if (strategy instanceof ResourcePool) {
            builder.competitors(competitors(network, connection, live));
        }
        PathRequest request = builder.build();
        PathSet disjoint = strategy.findPaths(request);
        if (!disjoint.isEmpty()) {
            return on(network, subflow, disjoint.get(0), SubflowState.ACTIVE);
        }
        return LeastShared.find(request).map(onSharedPath).orElseGet(() -> subflow.withoutRoute(SubflowState.DOWN));
    }

    private static Subflow on(NetworkSnapshot network, Subflow subflow, Path path, SubflowState state) {
        return subflow.withRoute(state, network.links(path), network.reverseLinks(path), path.capacity());
    }

    private static List<Path> siblingPaths(NetworkSnapshot network, Connection connection, Subflow subflow) {
        List<Path> paths = new ArrayList<>();
        for (Subflow sibling : connection.subflows()) {
            if (sibling.state() == SubflowState.ACTIVE && !sibling.tuple().equals(subflow.tuple())
                    && !sibling.path().isEmpty()) {
                network.path(sibling.path()).ifPresent(paths::add);
            }
        }
        return paths;
    }

    /** Returns the other connections with the larger of their two directions and the paths of both. */
    private static List<Competitor> competitors(NetworkSnapshot network, Connection connection,
                                                Collection<Connection> live) {
        List<Competitor> competitors = new ArrayList<>();
        for (Connection other : live) {
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
