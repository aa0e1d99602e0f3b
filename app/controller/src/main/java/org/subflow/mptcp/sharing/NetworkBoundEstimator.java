// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.sharing;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.plan.NetworkBound;
import org.subflow.mptcp.api.plan.NetworkBoundService;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.rate.PlacementQuality;
import org.subflow.mptcp.placement.rate.SplittableFlow;
import org.subflow.mptcp.routing.NetworkModel;

/**
 * Compares the connections with the best of any routing, once a minute at most.
 *
 * <p>It waits until all paths have stayed the same for five seconds, but for no more than a further minute. The work is bounded
 * by numbers, never by the clock: a network that needs more has no comparison. One thread refreshes it; any thread reads.
 */
public final class NetworkBoundEstimator implements NetworkBoundService {
    private static final long PERIOD_MILLIS = 60_000;
    private static final long STILL_MILLIS = 5000;

    private final NetworkModel model;
    private final LongSupplier clockMillis;
    private List<Object> paths = List.of();
    private long changedMillis;
    private long notBeforeMillis;
    private volatile NetworkBound bound;

    /**
     * Makes an estimator that knows nothing yet.
     *
     * @param model       the network, used by this thread only; not null
     * @param clockMillis a clock without steps, milliseconds of the Unix epoch; not null
     */
    public NetworkBoundEstimator(NetworkModel model, LongSupplier clockMillis) {
        this.model = checkNotNull(model, "model");
        this.clockMillis = checkNotNull(clockMillis, "clockMillis");
        this.notBeforeMillis = clockMillis.getAsLong();
    }

    @Override
    public Optional<NetworkBound> bound() {
        return Optional.ofNullable(bound);
    }

    /**
     * Compares anew if a comparison is due. Forgets the last one when no connection is left.
     *
     * @param connections the connections on the network, with their expected throughputs
     */
    public void refresh(List<Connection> connections) {
        long now = clockMillis.getAsLong();
        List<Object> present = connections.stream().map(NetworkBoundEstimator::paths).collect(Collectors.toList());
        if (!present.equals(paths)) {
            paths = present;
            changedMillis = now;
        }
        if (connections.isEmpty()) {
            bound = null;
        } else if (now >= notBeforeMillis
                && (now - changedMillis >= STILL_MILLIS || now - notBeforeMillis >= PERIOD_MILLIS)) {
            notBeforeMillis = now + PERIOD_MILLIS;
            NetworkState network = model.now().state(connections);
            bound = SplittableFlow.within(network, SplittableFlow.SECOND_OF_WORK)
                    .map(best -> new NetworkBound(now, connections.size(), PlacementQuality.of(network, best)))
                    .orElse(null);
        }
    }

    private static Object paths(Connection connection) {
        return List.of(connection.id(),
                       connection.subflows().stream().map(Subflow::path).collect(Collectors.toList()));
    }
}
