// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.candidate.Join;
import org.subflow.mptcp.handshake.JoinEstablished;
import org.subflow.mptcp.loop.Clock;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.token.TokenOwner;

/**
 * Makes tasks of the control loop of what packets tell of managed connections: further subflows, ends, and packets of who was
 * idle. Called by one thread at a time.
 */
public final class ManagedTraffic {
    private static final Logger LOG = LoggerFactory.getLogger(ManagedTraffic.class);

    /** Has the control loop do something; false if too much waits there. */
    private final Predicate<Runnable> loop;
    private final ConnectionStore store;
    private final Admissions admissions;
    private final Endings endings;
    private final UnmanagedTraffic unmanaged;
    private final Demotions demotions;
    private final Clock clock;
    /** Subflows of managed connections whose handshakes are complete and that the control loop has not added yet. */
    private final Set<FiveTuple> joining = ConcurrentHashMap.newKeySet();

    public ManagedTraffic(Predicate<Runnable> loop, ConnectionStore store, Admissions admissions, Endings endings,
                          UnmanagedTraffic unmanaged, Demotions demotions, Clock clock) {
        this.loop = checkNotNull(loop, "loop");
        this.store = checkNotNull(store, "store");
        this.admissions = checkNotNull(admissions, "admissions");
        this.endings = checkNotNull(endings, "endings");
        this.unmanaged = checkNotNull(unmanaged, "unmanaged");
        this.demotions = checkNotNull(demotions, "demotions");
        this.clock = checkNotNull(clock, "clock");
    }

    /** Returns whether a five-tuple is that of a managed connection's subflow. */
    boolean has(FiveTuple tuple) {
        return store.owner(tuple).isPresent();
    }

    /** Counts a connection that is not managed. */
    void refused(Refusal why) {
        admissions.connections.refusals().count(why);
    }

    /**
     * Adds a subflow to its connection.
     *
     * @param event what has joined; not null
     * @param ends  its ends that have come before; true for an RST; not null
     */
    void join(JoinEstablished event, Map<FiveTuple, Boolean> ends) {
        FiveTuple tuple = event.fiveTuple;
        joining.add(tuple);
        boolean accepted = onLoop(tuple, () -> {
            try {
                joined(event, ends);
            } finally {
                joining.remove(tuple);
            }
        });
        if (!accepted) {
            joining.remove(tuple);
        }
    }

    /** Adds a subflow to its connection; some of its ends may have come before that. */
    private void joined(JoinEstablished event, Map<FiveTuple, Boolean> ends) {
        if (admissions.isClosed()) {
            return;
        }
        FiveTuple tuple = event.fiveTuple;
        endings.begins(tuple);
        Join join = new Join(tuple, event.owner.joins, event.backup);
        Optional<ConnectionId> owner = store.owner(event.owner.connection);
        if (owner.filter(demotions::isDemoted).isPresent()) {
            admissions.joins.remember(owner.get(), join);
            return;
        }
        boolean managed = owner.filter(id -> admissions.joins.joined(id, join)).isPresent();
        if (managed) {
            long now = clock.millis();
            ends.forEach((sender, reset) -> endings.ended(sender, reset, now));
        } else {
            unmanaged.refused(tuple);
        }
    }

    /** Notes a FIN or RST, if it is of a managed connection. */
    void end(Segment segment) {
        FiveTuple sender = segment.fiveTuple();
        boolean isManaged = has(sender) || joining.contains(sender) || joining.contains(sender.reversed());
        if (isManaged && !loop.test(
                () -> endings.ended(sender, segment.isReset(), clock.millis()))) {
            LOG.debug("The control loop is too busy for the end of {}: it ends by its idle time", sender);
        }
    }

    /** Lets an MP_JOIN go on if the terms of its connection allow it. */
    void ask(FiveTuple tuple, TokenOwner owner, Runnable forward) {
        Join join = new Join(tuple, owner.joins, false);
        boolean accepted = loop.test(() -> {
            Optional<ConnectionId> id = store.owner(owner.connection);
            if (!id.isPresent() || admissions.joins.mayJoin(id.get(), join)) {
                forward.run();
            }
        });
        if (!accepted) {
            forward.run();
        }
    }

    /** Returns whether the terms of a connection never block a subflow; false if its admission still waits. */
    boolean isNeverBlocked(FiveTuple first) {
        return store.owner(first).flatMap(store::get)
                .filter(connection -> connection.terms().joinPolicy() != JoinPolicy.BLOCK)
                .isPresent();
    }

    /**
     * Wakes an idle connection or subflow whose packet has come, unless its end was seen; returns whether the packet is of a managed
     * connection.
     */
    boolean wake(Segment segment) {
        FiveTuple tuple = segment.fiveTuple();
        Optional<Connection> owner = store.owner(tuple).flatMap(store::get);
        if (owner.isPresent()) {
            boolean idle = owner.get().state() == ConnectionState.IDLE || owner.get().subflow(tuple)
                    .filter(subflow -> subflow.state() == SubflowState.IDLE).isPresent();
            if (idle) {
                onLoop(tuple, () -> {
                    if (endings.hasEnded(tuple) || !woken(owner.get().id(), segment)) {
                        // Its packets need not come here until it is asked for the next one.
                        unmanaged.ignoreAll(List.of(tuple, tuple.reversed()));
                    }
                });
            }
        }
        return owner.isPresent();
    }

    private boolean woken(ConnectionId id, Segment segment) {
        return demotions.mayWake(id, segment, clock.millis()) && admissions.resumptions.woken(id, segment.fiveTuple());
    }

    /** Has the control loop do something; until that has led to rules, and if the loop has no time, packets go the plain way. */
    private boolean onLoop(FiveTuple tuple, Runnable task) {
        unmanaged.forward(tuple);
        return loop.test(task);
    }
}
