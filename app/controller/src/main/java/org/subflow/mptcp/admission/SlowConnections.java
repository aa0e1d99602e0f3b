// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.candidate.GivenBack;
import org.subflow.mptcp.candidate.Threshold;
import org.subflow.mptcp.measure.Meter;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.store.KeyStore;
import org.subflow.mptcp.token.ConnectionKeys;

/**
 * Takes the paths back from connections that have earned them by their age alone and then send little. Such a connection is a
 * candidate again, for which only traffic counts. Its record stays, idle, so that a restart finds it, and so do its keys. Used
 * by the control loop only, unless a method says otherwise.
 */
public final class SlowConnections {
    /**
     * So long a connection may take to send what would have earned its paths. Stock ONOS reads counters every five seconds, so
     * two readings are of this time; a connection that sends now and then has its turn; and it is well below the idle time,
     * after which silent connections give their paths back anyway.
     */
    static final long WINDOW_MILLIS = 10_000;

    private final ConnectionStore store;
    private final KeyStore keys;
    private final Meter meter;
    private final Provisioner provisioner;
    private final ConnectionPolicies policies;
    private final UnmanagedTraffic unmanaged;
    /** The connections on trial. */
    private final Map<ConnectionId, Trial> trials = new HashMap<>();
    private final Map<ConnectionId, GivenBack> waiting = new ConcurrentHashMap<>();
    /** The connections that were idle when it was made. */
    private List<Connection> idleBefore;
    /** For the tracking: the new candidates, and those that are none any more. */
    private final Queue<GivenBack> arrivals = new ConcurrentLinkedQueue<>();
    private final Queue<GivenBack> departures = new ConcurrentLinkedQueue<>();
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

    /** Makes it. The idle connections of an earlier run are on trial once they have paths: nobody knows what had earned these. */
    public SlowConnections(ConnectionStore store, KeyStore keys, Meter meter, Provisioner provisioner,
                           ConnectionPolicies policies, UnmanagedTraffic unmanaged) {
        this.store = checkNotNull(store, "store");
        this.keys = checkNotNull(keys, "keys");
        this.meter = checkNotNull(meter, "meter");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.policies = checkNotNull(policies, "policies");
        this.unmanaged = checkNotNull(unmanaged, "unmanaged");
        this.idleBefore = store.in(ConnectionState.IDLE);
        idleBefore.forEach(connection -> begin(connection.id()));
    }

    /**
     * Asks for the next packets of the idle connections of an earlier run: the rules that brought these have gone with it. At
     * any switch, because switches begin to copy SYN, FIN and RST only a moment later. For the thread that starts the application.
     */
    public void awaitIdleBefore() {
        idleBefore.forEach(connection -> connection.subflows().forEach(
                subflow -> unmanaged.awaitPacketAnywhere(subflow.tuple())));
        idleBefore = List.of();
    }

    /** Notes that a connection has earned its paths by its age alone. */
    void begin(ConnectionId id) {
        trials.put(id, new Trial(meter.bytes(id)));
    }

    /**
     * Takes paths back; to be called after each reading of the counters.
     *
     * @param nowMillis milliseconds of the Unix epoch
     */
    public void tick(long nowMillis) {
        forgetWhatIsGone();
        List<GivenBack> slow = new ArrayList<>();
        List<Connection> records = new ArrayList<>();
        for (Iterator<Map.Entry<ConnectionId, Trial>> each = trials.entrySet().iterator(); each.hasNext();) {
            Map.Entry<ConnectionId, Trial> trial = each.next();
            Optional<Connection> connection = store.get(trial.getKey());
            if (!connection.isPresent() || hasPassed(connection.get(), trial.getValue())) {
                each.remove();
            } else if (isOver(connection.get(), trial.getValue(), nowMillis)) {
                each.remove();
                givenBack(connection.get()).ifPresent(one -> {
                    slow.add(one);
                    records.add(connection.get());
                });
            }
        }
        for (int i = 0; i < slow.size(); i++) {
            // Before its rules go: from then on its packets are those of a candidate, and have another way.
            waiting.put(slow.get(i).id(), slow.get(i));
            arrivals.add(slow.get(i));
            records.get(i).subflows().stream().filter(Subflow::isUsed).map(Subflow::tuple).forEach(unmanaged::forward);
        }
        total.addAndGet(slow.size());
        provisioner.giveBack(records);
    }

    private Threshold threshold(Connection connection) {
        return policies.threshold(policies.policyFor(connection.first().tuple()));
    }

    private boolean hasPassed(Connection connection, Trial trial) {
        Threshold threshold = threshold(connection);
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

    /** Returns a connection as a candidate; empty if it cannot be one, because its packets would have no other way. */
    private Optional<GivenBack> givenBack(Connection connection) {
        Optional<ConnectionKeys> known = keys.get(connection.id());
        Map<FiveTuple, Boolean> living = new LinkedHashMap<>();
        for (Subflow subflow : connection.subflows()) {
            FiveTuple tuple = subflow.tuple();
            if (tuple.source().isIp6() || unmanaged.isUnclaimed(tuple)) {
                return Optional.empty();
            }
            if (subflow.isUsed()) {
                living.put(tuple, subflow.fromClient());
            }
        }
        return known.map(present -> new GivenBack(connection.id(), connection.first().tuple(), present, living,
                                                  threshold(connection).bytesAlone()));
    }

    private void forgetWhatIsGone() {
        waiting.forEach((id, one) -> {
            if (!store.get(id).filter(connection -> connection.state() == ConnectionState.IDLE).isPresent()) {
                waiting.remove(id);
                departures.add(one);
            }
        });
    }

    /** Returns whether a connection has given its paths back and is a candidate. Any thread may ask. */
    public boolean isWaiting(ConnectionId id) {
        return waiting.containsKey(id);
    }

    /** Returns a connection that is to be a candidate from now on; null if there is none. For the tracking. */
    GivenBack nextArrival() {
        return arrivals.poll();
    }

    /** Returns a connection that is no candidate any more; null if there is none. For the tracking. */
    GivenBack nextDeparture() {
        return departures.poll();
    }

    /** Notes that a packet of a candidate came: its record is kept. */
    void heard(ConnectionId id, long nowMillis) {
        if (isWaiting(id)) {
            meter.watch(id, nowMillis);
        }
    }

    /** Notes that a connection has earned paths again, or nothing ever will. */
    void leave(ConnectionId id) {
        waiting.remove(id);
    }

    /** Closes a connection that has ended while it was a candidate, or for which there was no place among these. */
    void end(ConnectionId id) {
        leave(id);
        store.get(id).filter(connection -> connection.state() == ConnectionState.IDLE)
                .ifPresent(connection -> provisioner.close(List.of(connection), Cause.ENDED_WITHOUT_PATHS));
    }

    /** Returns how many connections have given paths back so far. Any thread may ask. */
    public long total() {
        return total.get();
    }
}
