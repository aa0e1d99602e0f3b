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
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.candidate.ConnectionPolicies;
import org.subflow.mptcp.candidate.Threshold;
import org.subflow.mptcp.candidate.UnseenEnds;
import org.subflow.mptcp.handshake.InitialNumbers;
import org.subflow.mptcp.measure.Meter;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.store.ConnectionStore;

/**
 * Demotes connections that have got paths for their age alone, and whose counters then show that they send little: they give their
 * rules back, and are idle. The next packets of all their subflows are asked for, as of any idle connection. Their sequence numbers
 * tell what the hosts have sent since; once that is enough, the connection is promoted again. After a packet that shows less it
 * pauses, and each pause is twice as long as the one before, until a subflow sends for the first time. Used by the control loop only, unless a method says otherwise.
 */
public final class Demotions {
    /**
     * So long a connection may take to send what would have earned its paths. Stock ONOS reads counters every five seconds, so
     * two readings are of this time; and it is well below the idle time, after which silent connections give their paths back anyway.
     */
    static final long WINDOW_MILLIS = 10_000;
    /** The first pause between packets that are asked for. */
    static final long PAUSE_MILLIS = 1000;
    private static final int MOST_DOUBLINGS = 4;
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
    /** Those that are demoted, until they are promoted again. */
    private final Map<ConnectionId, Demotion> demoted = new ConcurrentHashMap<>();
    private final AtomicLong total = new AtomicLong();

    /** The time since which all rules of a connection are in the switches. */
    private static final class Trial {
        private long sinceMillis;
        private boolean isBegun;
    }

    /** What the hosts of a demoted connection have sent since, as far as packets have shown, and when the next ones are asked for. */
    private static final class Demotion {
        private final Map<FiveTuple, InitialNumbers> begun = new HashMap<>();
        private final Map<FiveTuple, Long> octets = new HashMap<>();
        private long heardMillis;
        private volatile long untilMillis;
        private int pauses;

        private Demotion(long nowMillis) {
            heardMillis = nowMillis;
            untilMillis = nowMillis;
        }

        private void note(FiveTuple tuple, Segment segment, long nowMillis) {
            boolean bySource = segment.fiveTuple().equals(tuple);
            boolean isFirst = !begun.containsKey(tuple);
            long sent = begun.computeIfAbsent(tuple, unused -> InitialNumbers.after(segment, bySource)).sent(segment, bySource);
            octets.merge(tuple, sent, Math::max);
            heardMillis = nowMillis;
            if (isFirst) {
                // A subflow that was silent has begun to send: perhaps the connection sends more now.
                pauses = 0;
            }
            // Of several subflows, the first packet alone ends a pause.
            if (isFirst || nowMillis >= untilMillis) {
                untilMillis = nowMillis + (PAUSE_MILLIS << Math.min(pauses, MOST_DOUBLINGS));
                pauses++;
            }
        }

        private long octets() {
            return octets.values().stream().mapToLong(Long::longValue).sum();
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
        trials.put(id, new Trial());
    }

    /**
     * Demotes connections; to be called after each reading of the counters.
     *
     * @param nowMillis milliseconds of the Unix epoch
     */
    public void tick(long nowMillis) {
        demoted.keySet().removeIf(id -> !isIdle(id));
        List<Connection> slow = new ArrayList<>();
        for (Iterator<Map.Entry<ConnectionId, Trial>> each = trials.entrySet().iterator(); each.hasNext();) {
            Map.Entry<ConnectionId, Trial> trial = each.next();
            Optional<Connection> connection = store.get(trial.getKey());
            if (!connection.isPresent() || hasPassed(connection.get())) {
                each.remove();
            } else if (isOver(connection.get(), trial.getValue(), nowMillis)) {
                each.remove();
                if (hasAnotherWay(connection.get())) {
                    slow.add(connection.get());
                }
            }
        }
        for (Connection connection : slow) {
            demoted.put(connection.id(), new Demotion(nowMillis));
            // Before its rules go: from then on its packets have another way.
            connection.subflows().stream().filter(Subflow::isUsed).map(Subflow::tuple).forEach(unmanaged::forward);
        }
        total.addAndGet(slow.size());
        provisioner.demote(slow);
        List<Connection> gone = new ArrayList<>();
        demoted.forEach((id, last) -> store.get(id).filter(connection -> hasEndedUnseen(connection, last, nowMillis)).ifPresent(gone::add));
        provisioner.close(gone, Cause.SILENT);
    }

    private boolean hasEndedUnseen(Connection connection, Demotion last, long nowMillis) {
        return connection.state() == ConnectionState.IDLE && nowMillis - last.untilMillis >= SILENCE_MILLIS
                && unseenEnds.mayHaveEnded(connection.first().tuple(), TimeUnit.MILLISECONDS.toNanos(nowMillis - last.heardMillis));
    }

    private boolean isIdle(ConnectionId id) {
        return store.get(id).filter(connection -> connection.state() == ConnectionState.IDLE).isPresent();
    }

    private Threshold threshold(Connection connection) {
        return policies.threshold(policies.policyFor(connection.first().tuple()));
    }

    private boolean hasPassed(Connection connection) {
        Threshold threshold = threshold(connection);
        return threshold.isNone() || meter.bytes(connection.id()) >= threshold.octets;
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
     * Notes a packet of a connection.
     *
     * @param id        its name; not null
     * @param segment   the packet, with ACK; not null
     * @param nowMillis milliseconds of the Unix epoch
     * @return whether it may have paths: it is not demoted, or both hosts have sent enough since then
     */
    boolean mayWake(ConnectionId id, Segment segment, long nowMillis) {
        Demotion last = demoted.get(id);
        Optional<Connection> connection = store.get(id);
        if (last == null || !connection.isPresent()) {
            return true;
        }
        connection.get().subflow(segment.fiveTuple()).ifPresent(subflow -> last.note(subflow.tuple(), segment, nowMillis));
        meter.watch(id, nowMillis);
        return last.octets() >= threshold(connection.get()).octets;
    }

    /** Returns whether a connection is demoted. Any thread may ask. */
    public boolean isDemoted(ConnectionId id) {
        return demoted.containsKey(id);
    }

    /**
     * Returns whether a connection is demoted, and its packets are not asked for now. Any thread may ask.
     *
     * @param nowMillis milliseconds of the Unix epoch
     */
    public boolean isPausing(ConnectionId id, long nowMillis) {
        Demotion last = demoted.get(id);
        return last != null && nowMillis < last.untilMillis;
    }

    /** Returns how many demotions there were so far. Any thread may ask. */
    public long total() {
        return total.get();
    }
}
