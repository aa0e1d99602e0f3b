// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.rate.FairShares;
import org.subflow.mptcp.placement.rate.ShareComparison;

/**
 * Hands out the moves of a {@link BackgroundPlan} one at a time, as long as the network is as the plan expects it. It ends with
 * the last move, or as soon as anything else has changed, or a move would lower the smallest share by now. For one thread at a
 * time.
 */
public final class PlanProgress {
    private final FairShares shares = new FairShares();
    private final List<PlacedConnection> moves;
    /** The network that the next move starts from; its shares do not count. */
    private NetworkState expected;
    private int next;

    /**
     * Begins with a plan.
     *
     * @param network the network that the plan is for; not null
     * @param plan    the plan; not null
     */
    public PlanProgress(NetworkState network, BackgroundPlan plan) {
        this.expected = network;
        this.moves = plan.moves();
    }

    /** Returns whether there may be another move. */
    public boolean isUnderWay() {
        return next < moves.size();
    }

    /**
     * Returns the next move.
     *
     * @param network   the network as it is, all earlier moves made, with its expected throughputs; not null
     * @param allocator name of the allocator; not null
     * @return the connection on its new paths; empty if the plan has ended
     */
    public Optional<PlacedConnection> next(NetworkState network, String allocator) {
        if (!isUnderWay() || !isExpected(network)) {
            next = moves.size();
            return Optional.empty();
        }
        PlacedConnection move = moved(network.connection(moves.get(next).id()).orElseThrow(), moves.get(next));
        ShareComparison gain = ShareComparison.of(network.connections(), shares.of(network.with(move), allocator));
        if (gain.falls()) {
            next = moves.size();
            return Optional.empty();
        }
        expected = expected.with(moves.get(next++));
        return Optional.of(move);
    }

    /** Returns a connection as it is now, with those subflows moved whose paths are others. */
    private static PlacedConnection moved(PlacedConnection now, PlacedConnection move) {
        PlacedConnection moved = now;
        for (int i = 0; i < now.subflows().size(); i++) {
            PlacedSubflow target = move.subflows().get(i);
            if (!now.subflows().get(i).isPlacedLike(target)) {
                moved = moved.with(i, target.withExpected(now.subflows().get(i).expected()));
            }
        }
        return moved;
    }

    private boolean isExpected(NetworkState network) {
        if (network.connections().size() != expected.connections().size() || !isSame(network, expected)) {
            return false;
        }
        for (int c = 0; c < network.connections().size(); c++) {
            if (!isSame(network.connections().get(c), expected.connections().get(c))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSame(PlacedConnection one, PlacedConnection other) {
        boolean same = one.id().equals(other.id()) && one.subflows().size() == other.subflows().size();
        for (int i = 0; same && i < one.subflows().size(); i++) {
            PlacedSubflow a = one.subflows().get(i);
            PlacedSubflow b = other.subflows().get(i);
            same = a.isPlacedLike(b) && a.source() == b.source() && a.target() == b.target();
        }
        return same;
    }

    /** Returns whether two networks have the same links with the same capacities. */
    private static boolean isSame(NetworkState one, NetworkState other) {
        int arcs = one.graph().arcCount();
        boolean same = one.graph() == other.graph() || one.graph().nodeCount() == other.graph().nodeCount()
                && Arrays.equals(one.graph().capacities(), other.graph().capacities());
        for (int arc = 0; same && one.graph() != other.graph() && arc < arcs; arc++) {
            same = one.graph().tail(arc) == other.graph().tail(arc) && one.graph().head(arc) == other.graph().head(arc);
        }
        return same;
    }
}
