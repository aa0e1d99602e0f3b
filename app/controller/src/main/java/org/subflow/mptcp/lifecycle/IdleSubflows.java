// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.subflows.SubflowLimit;

/**
 * Finds subflows that send nothing while others of their connection send.
 *
 * <p>FIN and RST match the rules, so the controller does not see them. A subflow that its hosts have ended thus looks like
 * one that they do not use for now. Both send nothing for the idle time, and neither needs rules. A replaced subflow gets
 * less time: another one has begun later between the same addresses and to the same port. Used by the control loop only.
 */
final class IdleSubflows {
    /** Longest idle time of a subflow that another has replaced. */
    static final long REPLACED_MILLIS = 5000;

    /** Least idle time of any other subflow: hosts leave one unused for seconds while it recovers from losses. */
    static final long LEAST_MILLIS = 20_000;

    /** Counters at two switches are read at different moments: of three readings, two are of the same rule. */
    private static final int STILL_SAMPLES = 3;

    private final Map<ConnectionId, Map<FiveTuple, Stillness>> known = new HashMap<>();

    /** The time since which a subflow has sent nothing, and the number of samples that show it. */
    private static final class Stillness {
        private final long sinceMillis;
        private long sampleMillis;
        private int samples;

        private Stillness(long sinceMillis, long sampleMillis) {
            this.sinceMillis = sinceMillis;
            this.sampleMillis = sampleMillis;
        }
    }

    /** Forgets all connections but these. */
    void retain(Collection<ConnectionId> connections) {
        // A list of thousands would be searched for each of them.
        known.keySet().retainAll(Set.copyOf(connections));
    }

    /**
     * Updates the idle times from a sample.
     *
     * @param connection   the connection
     * @param measurement  its last measurement
     * @param sampleMillis when the switches reported the sample, milliseconds of the Unix epoch
     * @param nowMillis    milliseconds of the Unix epoch
     */
    void update(Connection connection, Measurement measurement, long sampleMillis, long nowMillis) {
        Map<FiveTuple, Stillness> subflows = known.computeIfAbsent(connection.id(), id -> new HashMap<>());
        subflows.keySet().retainAll(connection.subflows().stream()
                .filter(Subflow::isRouted)
                .map(Subflow::tuple)
                .collect(Collectors.toSet()));
        for (Subflow subflow : connection.subflows()) {
            if (!subflow.isRouted()) {
                continue;
            }
            boolean moves = !measurement.rates(subflow.tuple()).equals(Rates.ZERO);
            Stillness still = subflows.get(subflow.tuple());
            if (still == null) {
                subflows.put(subflow.tuple(), new Stillness(nowMillis, sampleMillis));
            } else if (moves) {
                subflows.put(subflow.tuple(), new Stillness(sampleMillis, sampleMillis));
            } else if (sampleMillis > still.sampleMillis) {
                still.sampleMillis = sampleMillis;
                still.samples++;
            }
        }
    }

    /**
     * Returns the subflows of a connection that have sent nothing for the idle time, by the switches' counters. Returns
     * none if all of them are idle: the connection as a whole is idle then.
     *
     * @param connection the connection as it was in the last {@link #update}
     * @param idleMillis the idle time, milliseconds
     * @return five-tuples in the direction of the subflows' SYNs
     */
    Set<FiveTuple> of(Connection connection, long idleMillis) {
        Map<FiveTuple, Stillness> subflows = known.getOrDefault(connection.id(), Map.of());
        Set<FiveTuple> quiet = subflows.entrySet().stream()
                .filter(entry -> isQuiet(entry.getValue(), isReplaced(connection, entry.getKey())
                        ? Math.min(idleMillis, REPLACED_MILLIS) : Math.max(idleMillis, LEAST_MILLIS)))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        if (quiet.size() == subflows.size()) {
            return Set.of();
        }
        // A backup is silent as long as another subflow works, and keeps its path for the moment when none does.
        quiet.removeIf(tuple -> connection.subflow(tuple).filter(connection::isStandby).isPresent());
        return quiet;
    }

    private static boolean isQuiet(Stillness still, long limitMillis) {
        return still.samples >= STILL_SAMPLES && still.sampleMillis - still.sinceMillis >= limitMillis;
    }

    /** Returns whether a later subflow goes between the same addresses to the same port. */
    private static boolean isReplaced(Connection connection, FiveTuple tuple) {
        boolean isLater = false;
        for (Subflow subflow : connection.subflows()) {
            if (subflow.tuple().equals(tuple)) {
                isLater = true;
            } else if (isLater && subflow.isRouted() && SubflowLimit.takesPlaceOf(subflow.tuple(), tuple)) {
                return true;
            }
        }
        return false;
    }
}
