// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.subflows;

import com.google.common.collect.EvictingQueue;
import com.google.common.collect.ImmutableList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.placement.Rates;

/**
 * The paths of a connection whose subflows have not come or were lost. Such a path counts as taken for a while between the
 * addresses of the subflow, and twice as long each time, until a subflow there has worked. Used by the control loop only.
 */
final class FailedPaths {
    /** So long a path counts as taken when it has failed once, milliseconds. */
    static final long LEAST_PAUSE_MILLIS = 5000;
    /** More than the disjoint paths of a connection; the oldest make room. */
    static final int MOST = 64;

    private static final int MOST_DOUBLINGS = 6;
    /** A subflow that has had a path for so long has worked. */
    private static final long WORKS_MILLIS = 30_000;

    /** The subflows with a path at the last look, as they were then. */
    private final Map<FiveTuple, Use> uses = new HashMap<>();
    /** No two between the same addresses have a link in common. */
    private final Queue<Failure> failures = EvictingQueue.create(MOST);

    private static final class Use {
        private final Subflow subflow;
        private final long sinceMillis;

        private Use(Subflow subflow, long sinceMillis) {
            this.subflow = subflow;
            this.sinceMillis = sinceMillis;
        }
    }

    private static final class Failure {
        private final Subflow subflow;
        private final int times;
        private final long untilMillis;

        private Failure(Subflow subflow, int times, long untilMillis) {
            this.subflow = subflow;
            this.times = times;
            this.untilMillis = untilMillis;
        }

        private boolean concerns(Subflow other) {
            return subflow.tuple().source().equals(other.tuple().source())
                    && subflow.tuple().destination().equals(other.tuple().destination())
                    && !Collections.disjoint(subflow.path(), other.path());
        }
    }

    /** Forgets all failures: the network has changed. */
    void clear() {
        failures.clear();
    }

    /**
     * Compares with the last look.
     *
     * @param routed the subflows that have a path and have not gone
     * @return whether a subflow has lost its path, or has gone, since the last look
     */
    boolean look(Collection<Subflow> routed, long nowMillis) {
        Set<FiveTuple> now = routed.stream().map(Subflow::tuple).collect(Collectors.toSet());
        List<Use> lost = uses.values().stream().filter(use -> !now.contains(use.subflow.tuple())).collect(Collectors.toList());
        lost.forEach(use -> failed(use, nowMillis));
        uses.keySet().retainAll(now);
        routed.forEach(subflow -> uses.compute(subflow.tuple(),
                (tuple, use) -> new Use(subflow, use == null ? nowMillis : use.sinceMillis)));
        return !lost.isEmpty();
    }

    private void failed(Use use, long nowMillis) {
        List<Failure> before = failures.stream().filter(failure -> failure.concerns(use.subflow)).collect(Collectors.toList());
        int times = nowMillis - use.sinceMillis >= WORKS_MILLIS ? 0
                : before.stream().mapToInt(failure -> failure.times).max().orElse(0);
        failures.removeAll(before);
        failures.add(new Failure(use.subflow, times + 1, nowMillis + (LEAST_PAUSE_MILLIS << Math.min(times, MOST_DOUBLINGS))));
    }

    /** Returns a connection with a subflow on each path between two addresses that counts as taken. */
    Connection taken(Connection connection, AddressPair pair, long nowMillis) {
        ImmutableList.Builder<Subflow> subflows = ImmutableList.<Subflow>builder().addAll(connection.subflows());
        failures.stream().filter(failure -> nowMillis < failure.untilMillis && pair.has(failure.subflow.tuple()))
                .map(failure -> failure.subflow)
                .forEach(failed -> subflows.add(failed.withRoute(SubflowState.ACTIVE, failed.path(), failed.reversePath(),
                        failed.bottleneck()).withExpected(Rates.ZERO)));
        return connection.withSubflows(subflows.build());
    }

    /** Returns when the next of these paths may be tried again, milliseconds; the largest number if there is none. */
    long nextMillis(long nowMillis) {
        return failures.stream().mapToLong(failure -> failure.untilMillis).filter(until -> until > nowMillis).min()
                .orElse(Long.MAX_VALUE);
    }
}
