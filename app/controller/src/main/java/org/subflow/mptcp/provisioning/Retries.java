// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.provisioning;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import org.onosproject.net.DeviceId;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.loop.Clock;
import org.subflow.mptcp.loop.OneByOne;
import org.subflow.mptcp.rules.RuleReading;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.submission.ConnectionIntents;
import org.subflow.mptcp.submission.InstallationCheck;
import org.subflow.mptcp.submission.Submission;

/**
 * What becomes of connections whose rules are not installed. A submission that fails is repeated, after longer and longer
 * pauses. If a switch refuses rules, its flow table is full: their connection gets no rules any more, and those with the least
 * traffic give theirs back until a part of the table is free. Used by the control loop only.
 */
public final class Retries {
    /** A connection that is so young has not shown its traffic yet. */
    private static final long YOUNG_MILLIS = TimeUnit.SECONDS.toMillis(5);

    private final ConnectionStore store;
    private final ConnectionIntents intents;
    private final Provisioner provisioner;
    private final FlowTables tables;
    private final ToDoubleFunction<Connection> traffic;
    private final Clock clock;
    private final AtomicLong givenUp = new AtomicLong();

    /**
     * Makes it.
     *
     * @param traffic present throughput of a connection, bit/s; not null
     */
    public Retries(ConnectionStore store, ConnectionIntents intents, Provisioner provisioner, FlowTables tables,
                   ToDoubleFunction<Connection> traffic, Clock clock) {
        this.store = checkNotNull(store, "store");
        this.intents = checkNotNull(intents, "intents");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.tables = checkNotNull(tables, "tables");
        this.traffic = checkNotNull(traffic, "traffic");
        this.clock = checkNotNull(clock, "clock");
    }

    /** Notes that a submission could not be compiled or installed. */
    public void failed(ConnectionId id, long revision) {
        store.checkThread();
        Optional<Submission> submission = intents.submission(id);
        if (!submission.filter(newest -> newest.failed(revision, clock.nanos())).isPresent()) {
            provisioner.overtaken(id, revision);
        } else if (submission.get().failures() > Submission.MOST_FAILURES) {
            store.get(id).ifPresent(this::giveUp);
        }
    }

    private void giveUp(Connection connection) {
        givenUp.incrementAndGet();
        provisioner.close(List.of(connection), Cause.REFUSED);
    }

    /** Lets the connections with the least traffic give their rules back, until a part of the table is free. */
    private void makeRoom(DeviceId full) {
        long young = clock.millis() - YOUNG_MILLIS;
        List<Connection> there = new ArrayList<>();
        for (Connection connection : provisioner.live()) {
            if (connection.createdMillis() <= young && FlowTables.rules(connection, full) > 0) {
                there.add(connection);
            }
        }
        there.sort(Comparator.comparingDouble(traffic));
        int missing = tables.spare(full);
        List<Connection> least = new ArrayList<>();
        for (Connection connection : there) {
            if (missing <= 0) {
                break;
            }
            missing -= FlowTables.rules(connection, full);
            least.add(connection);
        }
        givenUp.addAndGet(least.size());
        provisioner.close(least, Cause.NO_ROOM);
    }

    /** Notes that a switch has refused other rules of ours for a while. */
    public void tableIsFull(DeviceId device) {
        store.checkThread();
        tables.refused(device);
        makeRoom(device);
    }

    /**
     * Gives up the connections whose rules a switch has refused, and submits those again whose pause is over.
     *
     * @param reading the rules that ONOS has; not null
     * @return the switches without rules that they should have, or so it seems
     */
    public Set<DeviceId> tick(RuleReading reading) {
        store.checkThread();
        InstallationCheck.Findings findings = tables.check(intents, reading, clock.epochMillis());
        Map<ConnectionId, DeviceId> refused = findings.refused();
        Set<DeviceId> full = Set.copyOf(refused.values());
        OneByOne.forEach(refused.keySet(), id -> store.get(id).ifPresent(this::giveUp));
        OneByOne.forEach(full, this::makeRoom);
        OneByOne.forEach(intents.submissions(), this::retry);
        return findings.suspects();
    }

    /** Notes that some switches have wanted rules unconfirmed for seconds: after a loss a switch may refuse what it had before. */
    public void unconfirmedAt(Set<DeviceId> switches) {
        store.checkThread();
        intents.submissions().forEach(submission -> submission.unconfirmedAt(switches));
    }

    private void retry(Submission submission) {
        if (submission.isDue(clock.nanos())) {
            store.get(submission.connection()).ifPresent(provisioner::submit);
        }
    }

    /** Returns how many connections have lost their rules, or got none, because a switch refused rules. Any thread may ask. */
    public long givenUp() {
        return givenUp.get();
    }
}
