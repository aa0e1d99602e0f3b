// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.candidate.Threshold;
import org.subflow.mptcp.candidate.UnseenEnds;
import org.subflow.mptcp.measure.Meter;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.store.ConnectionStore;

/**
 * Demotes connections that have got paths for their age alone, and whose counters then show that they send little: they give their
 * rules back, and are idle. After a pause their next packet promotes them again, on trial once more. Each further demotion
 * doubles the pause. Used by the control loop only, unless a method says otherwise.
 */
public final class Demotions {
    /**
     * So long a connection may take to send what would have earned its paths. Stock ONOS reads counters every five seconds, so
     * two readings are of this time; and it is well below the idle time, after which silent connections give their paths back anyway.
     */
    static final long WINDOW_MILLIS = 10_000;
    /** The pause after the first demotion. */
    static final long PAUSE_MILLIS = 10_000;
    private static final int MOST_DOUBLINGS = 3;
    /** After so long without a packet since its pause, one has ended whose end may have gone unseen. */
    private static final long SILENCE_MILLIS = 10_000;

    private final ConnectionStore store;
    private final Meter meter;
    private final Provisioner provisioner;
    private final ConnectionPolicies policies;
    private final UnmanagedTraffic unmanaged;
    private final UnseenEnds unseenEnds;
    /** The connections on trial. */
    private final Map<ConnectionId, Trial> trials = new HashMap<>();
    /** Those that were demoted, until they have passed a trial. */
    private final Map<ConnectionId, Demotion> demoted = new ConcurrentHashMap<>();
    private final AtomicLong total = new AtomicLong();

    /** The time since which all rules of a connection are in the switches, and what had been counted when the trial began. */
    private static final class Trial {
        private final long bytesBefore;
        private long sinceMillis;
        private boolean isBegun;

        private Trial(long bytesBefore) {
            this.bytesBefore = bytesBefore;
        }
    }

    /** How often a connection was demoted, and when that was last. Immutable. */
    private static final class Demotion {
        private final int times;
        private final long sinceMillis;

        private Demotion(int times, long nowMillis) {
            this.times = times;
            this.sinceMillis = nowMillis;
        }

        private long untilMillis() {
            return sinceMillis + (PAUSE_MILLIS << Math.min(times - 1, MOST_DOUBLINGS));
        }
    }

    /** Makes it. The idle connections of an earlier run are on trial once they have paths: nobody knows what had earned these. */
    public Demotions(ConnectionStore store, Meter meter, Provisioner provisioner, ConnectionPolicies policies,
                     UnmanagedTraffic unmanaged, UnseenEnds unseenEnds) {
        this.store = checkNotNull(store, "store");
        this.meter = checkNotNull(meter, "meter");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.policies = checkNotNull(policies, "policies");
        this.unmanaged = checkNotNull(unmanaged, "unmanaged");
        this.unseenEnds = checkNotNull(unseenEnds, "unseenEnds");
        store.in(ConnectionState.IDLE).forEach(connection -> begin(connection.id()));
    }

    /** Notes that a connection has got its paths for its age alone. */
    void begin(ConnectionId id) {
        trials.put(id, new Trial(meter.bytes(id)));
    }

    /**
     * Demotes connections; to be called after each reading of the counters.
     *
     * @param nowMillis milliseconds of the Unix epoch
     */
    public void tick(long nowMillis) {
        demoted.keySet().removeIf(id -> !store.get(id).isPresent());
        demoted.keySet().stream().filter(id -> !trials.containsKey(id)).filter(id -> !isIdle(id)).forEach(this::begin);
        List<Connection> slow = new ArrayList<>();
        for (Iterator<Map.Entry<ConnectionId, Trial>> each = trials.entrySet().iterator(); each.hasNext();) {
            Map.Entry<ConnectionId, Trial> trial = each.next();
            Optional<Connection> connection = store.get(trial.getKey());
            if (!connection.isPresent() || hasPassed(connection.get(), trial.getValue())) {
                each.remove();
                demoted.remove(trial.getKey());
            } else if (isOver(connection.get(), trial.getValue(), nowMillis)) {
                each.remove();
                if (hasAnotherWay(connection.get())) {
                    slow.add(connection.get());
                }
            }
        }
        for (Connection connection : slow) {
            demoted.merge(connection.id(), new Demotion(1, nowMillis), (last, first) -> new Demotion(last.times + 1, nowMillis));
            // Before its rules go: from then on its packets have another way.
            connection.subflows().stream().filter(Subflow::isUsed).map(Subflow::tuple).forEach(unmanaged::forward);
        }
        total.addAndGet(slow.size());
        provisioner.giveBack(slow);
        List<Connection> gone = new ArrayList<>();
        demoted.forEach((id, last) -> store.get(id).filter(connection -> hasEndedUnseen(connection, last, nowMillis)).ifPresent(gone::add));
        provisioner.close(gone, Cause.SILENT);
    }

    private boolean hasEndedUnseen(Connection connection, Demotion last, long nowMillis) {
        return connection.state() == ConnectionState.IDLE && nowMillis - last.untilMillis() >= SILENCE_MILLIS
                && unseenEnds.mayHaveEnded(connection.first().tuple(), TimeUnit.MILLISECONDS.toNanos(nowMillis - last.sinceMillis));
    }

    private boolean isIdle(ConnectionId id) {
        return store.get(id).filter(connection -> connection.state() == ConnectionState.IDLE).isPresent();
    }

    private boolean hasPassed(Connection connection, Trial trial) {
        Threshold threshold = policies.threshold(policies.policyFor(connection.first().tuple()));
        return threshold.isNone() || meter.bytes(connection.id()) - trial.bytesBefore >= threshold.octets();
    }

    /** Returns whether the time is over, by a reading of all its counters. It stands still while rules are missing. */
    private boolean isOver(Connection connection, Trial trial, long nowMillis) {
        if (connection.state() != ConnectionState.ACTIVE) {
            trial.isBegun = false;
        } else if (!trial.isBegun) {
            trial.isBegun = true;
            trial.sinceMillis = nowMillis;
        } else {
            return meter.newestSampleMillis(connection.id()) - trial.sinceMillis >= WINDOW_MILLIS && meter.isCounted(connection);
        }
        return false;
    }

    private boolean hasAnotherWay(Connection connection) {
        return connection.subflows().stream().map(Subflow::tuple)
                .noneMatch(tuple -> tuple.source().isIp6() || unmanaged.isUnclaimed(tuple));
    }

    /**
     * Returns whether a connection was demoted a moment ago, and its packets do not promote it yet. Any thread may ask.
     *
     * @param nowMillis milliseconds of the Unix epoch
     */
    public boolean isPausing(ConnectionId id, long nowMillis) {
        Demotion last = demoted.get(id);
        return last != null && nowMillis < last.untilMillis();
    }

    /** Returns how many demotions there were so far. Any thread may ask. */
    public long total() {
        return total.get();
    }
}
