// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import java.util.function.IntPredicate;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.Rates;

/**
 * Finds new paths for subflows that have lost theirs, and for those on a path without capacity. The other subflows keep their
 * paths. Stateless.
 */
public final class Repair {
    private Repair() {
    }

    /**
     * Repairs a connection.
     *
     * <p>A moved subflow keeps its expected throughput until the next computation of shares. So the next subflow to move
     * finds that rate on the new path.
     *
     * @param network    the network as it is
     * @param connection the connection; subflows that have lost their path have none, but still their expected throughput
     * @param lost       which subflows need a path, by index; others without a path stay without one
     * @return the connection with every such subflow on a path, or without one if there is none
     */
    public static PlacedConnection repair(NetworkState network, PlacedConnection connection, IntPredicate lost) {
        PlacedConnection result = connection;
        for (int i = 0; i < connection.subflows().size(); i++) {
            PlacedSubflow subflow = result.subflows().get(i);
            if (lost.test(i)) {
                PlacedSubflow moved = PathPlacement.move(network, result, i);
                result = result.with(i, moved.isActive() ? moved : moved.withExpected(Rates.ZERO));
            } else if (subflow.isPlaced() && !hasCapacity(network, subflow)) {
                PlacedSubflow other = PathPlacement.placeAgain(network, result, i);
                // A link whose capacity was set to 0 still forwards packets. So the subflow leaves it only for a path with
                // capacity.
                if (other.isPlaced() && hasCapacity(network, other)) {
                    result = result.with(i, other);
                }
            }
        }
        return result;
    }

    /** Returns whether every link of a subflow's path has some capacity in both directions. */
    private static boolean hasCapacity(NetworkState network, PlacedSubflow subflow) {
        for (boolean upwards : new boolean[] {true, false}) {
            for (int arc : subflow.arcs(upwards)) {
                if (network.graph().capacity(arc) == 0) {
                    return false;
                }
            }
        }
        return true;
    }
}
