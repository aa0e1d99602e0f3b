// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reoptimisation;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.measure.Demands;
import org.subflow.mptcp.placement.Demand;

/**
 * Finds subflows whose paths were chosen before the demands were known: that of their connection, and those of connections
 * that began at the same time.
 *
 * <p>A connection's demand shows in its counters two to four seconds after its rules are installed. Until then every
 * connection is entitled to a full fair share, also one that hardly sends. Paths that such a connection uses therefore look
 * as loaded as any other. Until then both directions of links count, too. So a connection is reviewed again when it sends in
 * other directions than before. Used by the control loop only.
 */
public final class PathReviews {
    /** Time-out of the wait for the others' demands: where connections begin all the time, one demand is always unknown. */
    public static final long WAIT_MILLIS = 5000;

    private final Demands demands;
    private final Map<ConnectionId, Progress> known = new HashMap<>();

    private static final class Progress {
        /** The last one; null if there was none. */
        private Review last;
        /** Since when the next one waits, milliseconds of a monotonic clock; null if none does. */
        private Long waitsSince;
    }

    /** Makes it, with no connection reviewed. */
    public PathReviews(Demands demands) {
        this.demands = checkNotNull(demands, "demands");
    }

    /**
     * Returns the connections whose paths should be reviewed now. Such a connection sends data, and the demands of the
     * others on the network are known or the wait has timed out. Each subflow causes one review, and another after its
     * connection was idle, or has changed the directions in which it sends.
     *
     * @param live      the connections with rules
     * @param nowMillis milliseconds of a monotonic clock
     * @return the connections to review, in the order of {@code live}
     */
    List<ConnectionId> toReview(Collection<Connection> live, long nowMillis) {
        Set<ConnectionId> present = live.stream().map(Connection::id).collect(Collectors.toSet());
        known.keySet().retainAll(present);
        boolean allKnown = live.stream().allMatch(connection -> demands.isKnown(connection.id()));
        List<ConnectionId> ready = new ArrayList<>();
        for (Connection connection : live) {
            ConnectionId id = connection.id();
            if (!demands.isBusy(id)) {
                continue;
            }
            Review review = new Review(routed(connection), demands.of(id));
            Progress progress = known.computeIfAbsent(id, unused -> new Progress());
            if (!review.isCoveredBy(progress.last)) {
                progress.waitsSince = progress.waitsSince == null ? Long.valueOf(nowMillis) : progress.waitsSince;
                if (allKnown || nowMillis - progress.waitsSince >= WAIT_MILLIS) {
                    progress.last = review;
                    progress.waitsSince = null;
                    ready.add(id);
                }
            }
        }
        return ready;
    }

    private static Set<FiveTuple> routed(Connection connection) {
        return connection.subflows().stream()
                .filter(Subflow::isRouted)
                .map(Subflow::tuple)
                .collect(Collectors.toSet());
    }

    /** What a review has looked at: subflows, and the directions in which their connection sends. */
    private static final class Review {
        private final Set<FiveTuple> subflows;
        private final boolean up;
        private final boolean down;

        private Review(Set<FiveTuple> subflows, Demand demand) {
            this.subflows = subflows;
            this.up = demand.sends(true);
            this.down = demand.sends(false);
        }

        private boolean isCoveredBy(Review earlier) {
            return earlier != null && earlier.subflows.containsAll(subflows) && earlier.up == up && earlier.down == down;
        }
    }
}
