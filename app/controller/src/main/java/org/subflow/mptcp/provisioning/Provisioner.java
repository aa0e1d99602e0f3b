// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.provisioning;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.loop.OneByOne;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.reservation.ReservationKeeper;
import org.subflow.mptcp.sharing.ConnectionShares;
import org.subflow.mptcp.sharing.LinkLoad;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.submission.ConnectionIntents;
import org.subflow.mptcp.submission.Submission;

/**
 * Applies connections to the network: store, intent, shares, reservations, in this order. The rules come first, because the
 * controller forwards a connection's packets until its rules are in the switches.
 *
 * <p>Shares of all connections take tens of milliseconds where there are thousands. So every change only requests them, and
 * they are computed once for all changes that came meanwhile.
 *
 * <p>Used by the control loop only.
 */
public final class Provisioner {
    private final ConnectionStore store;
    private final ConnectionShares shares;
    private final ReservationKeeper reservations;
    private final ConnectionIntents intents;
    private final RuleTimes ruleTimes;
    private final Consumer<ConnectionEvent> events;
    /** The newest submission when connections last lost their paths. */
    private long movedRevision;
    private final Runnable shareSoon;
    private boolean isShareRequested;
    private Runnable whenShared = () -> { };

    /**
     * Makes a provisioner.
     *
     * @param events gets the events of connections
     * @param soon   makes a trigger of the task that computes shares. If it fires several times while the task waits, the task
     *               runs once, on the control loop
     */
    public Provisioner(ConnectionStore store, ConnectionShares shares, ReservationKeeper reservations, ConnectionIntents intents,
                       RuleTimes ruleTimes, Consumer<ConnectionEvent> events, UnaryOperator<Runnable> soon) {
        this.store = checkNotNull(store, "store");
        this.shares = checkNotNull(shares, "shares");
        this.reservations = checkNotNull(reservations, "reservations");
        this.intents = checkNotNull(intents, "intents");
        this.ruleTimes = checkNotNull(ruleTimes, "ruleTimes");
        this.events = checkNotNull(events, "events");
        this.shareSoon = soon.apply(this::settleAfterRules);
    }

    /** Returns the connections that have rules or need them: all but the idle ones. */
    public List<Connection> live() {
        return store.live();
    }

    /**
     * Stores connections, submits their rules, requests new shares and reservations of all connections, and notifies listeners
     * of each connection. Its new shares follow with {@link Type#SHARES_CHANGED}.
     *
     * @param connections the connections with their routes; an empty list has no effect
     * @param why         the type of the event
     */
    public void apply(List<Connection> connections, Type why) {
        apply(connections, why, null);
    }

    /** Does the same for a cause that listeners are told. */
    public void apply(List<Connection> connections, Type why, Cause cause) {
        store.checkThread();
        if (connections.isEmpty()) {
            return;
        }
        OneByOne.forEach(connections, this::place);
        requestShare();
        OneByOne.forEach(connections, connection -> notifyListeners(connection.id(), why, cause));
    }

    /**
     * Notes that all changes in the network that ONOS has reported so far are looked at now. Leads packets around lost links where
     * subflows share rules.
     *
     * @param ways the links that packets on a path take now, as in {@link ConnectionIntents#detour}; not null
     */
    public void networkChanged(Function<List<Link>, Optional<List<Link>>> ways) {
        store.checkThread();
        ruleTimes.look();
        OneByOne.run(() -> intents.detour(ways), "detours");
    }

    /**
     * Applies connections with other paths in place of those that a change in the network took; see {@link #apply(List, Type)}. Shares
     * and reservations wait for the rules, which need the time more.
     */
    public void reroute(List<Connection> connections) {
        store.checkThread();
        connections.forEach(after -> store.get(after.id()).ifPresent(before -> ruleTimes.rerouted(before, after)));
        boolean areRules = connections.stream().anyMatch(Provisioner::isRouted);
        if (areRules) {
            reservations.hold();
        }
        apply(connections, Type.REROUTED, Cause.NETWORK);
        if (areRules) {
            movedRevision = intents.newestRevision();
        }
    }

    private static boolean isRouted(Connection connection) {
        return connection.subflows().stream().anyMatch(Subflow::isRouted);
    }

    private void place(Connection connection) {
        Connection placed = connection.withPriorities().withState(isRouted(connection) ? ConnectionState.PENDING : ConnectionState.DOWN);
        store.put(placed);
        submit(placed);
    }

    /** Submits the rules of a connection; withdraws those of one without a path. */
    void submit(Connection connection) {
        store.checkThread();
        if (isRouted(connection)) {
            intents.submit(connection);
        } else {
            intents.withdraw(connection.id());
        }
    }

    /** Notifies listeners of a connection as it is now; the type is DOWN if it has no path. */
    private void notifyListeners(ConnectionId id, Type why, Cause cause) {
        store.get(id).ifPresent(connection -> events.accept(new ConnectionEvent(
                connection.state() == ConnectionState.DOWN ? Type.DOWN : why, connection, cause)));
    }

    /** Stores a connection whose routes have not changed, and notifies listeners. */
    public void record(Connection connection, Type why) {
        store.checkThread();
        store.put(connection);
        events.accept(new ConnectionEvent(why, connection));
    }

    /** Makes connections idle: withdraws their rules and reservations, and keeps their records. */
    public void makeIdle(List<Connection> connections) {
        rest(connections, Type.IDLE);
    }

    /** Does the same for connections that send too little for paths of their own; they are demoted. */
    public void demote(List<Connection> connections) {
        rest(connections, Type.DEMOTED);
    }

    private void rest(List<Connection> connections, Type why) {
        store.checkThread();
        List<Connection> madeIdle = new ArrayList<>();
        OneByOne.forEach(connections, connection -> {
            Connection idle = idle(connection);
            withdraw(idle.id());
            store.put(idle);
            madeIdle.add(idle);
        });
        shareIfAny(madeIdle);
        OneByOne.forEach(madeIdle, idle -> events.accept(new ConnectionEvent(why, idle)));
    }

    /** Closes connections: withdraws their rules and reservations, and removes their records. */
    public void close(List<Connection> connections, Cause cause) {
        store.checkThread();
        OneByOne.forEach(connections, connection -> {
            withdraw(connection.id());
            store.remove(connection.id());
        });
        shareIfAny(connections.stream()
                .filter(connection -> connection.state() != ConnectionState.IDLE)
                .collect(Collectors.toList()));
        OneByOne.forEach(connections, connection -> events.accept(new ConnectionEvent(Type.CLOSED, connection, cause)));
    }

    /** Releases the reservations of a connection of an earlier run of the application, and has it idle until it is taken over. */
    public void disown(Connection connection) {
        store.checkThread();
        reservations.releaseLeftovers(LinkLoad.reservations(connection).keySet());
        store.hold(idle(connection));
    }

    private static Connection idle(Connection connection) {
        return connection.mapSubflows(subflow -> subflow.withExpected(Rates.ZERO)).withState(ConnectionState.IDLE);
    }

    private void shareIfAny(List<Connection> gone) {
        if (!gone.isEmpty()) {
            requestShare();
        }
    }

    private void withdraw(ConnectionId id) {
        intents.withdraw(id);
        reservations.release(id);
        proceedWithRules();
    }

    /** Lets reservations and shares go on, once all that moved have rules or need none. */
    private void proceedWithRules() {
        if (reservations.isHeld() && !intents.isAnyPending(movedRevision)) {
            reservations.proceed();
            if (isShareRequested) {
                shareSoon.run();
            }
        }
    }

    /** Requests new expected throughputs of all connections. They come once for all requests that wait. */
    public void requestShare() {
        store.checkThread();
        isShareRequested = true;
        shareSoon.run();
    }

    private void settleAfterRules() {
        if (!reservations.isHeld() && !shares.isAsked()) {
            askIfRequested();
        }
    }

    private void askIfRequested() {
        if (isShareRequested) {
            isShareRequested = false;
            shares.ask(live(), this::share);
        }
    }

    /** Returns whether expected throughputs are those of the present paths and demands. */
    public boolean isSettled() {
        return !isShareRequested && !shares.isAsked();
    }

    /** Has a task run once the next expected throughputs are applied, in place of another one that waits for that. */
    public void whenShared(Runnable task) {
        store.checkThread();
        whenShared = task;
    }

    /**
     * Recomputes all expected throughputs if that is requested, and waits for them. For decisions about few connections: with thousands,
     * everything else would wait for seconds.
     */
    public void settle() {
        store.checkThread();
        shares.settle();
        askIfRequested();
        shares.settle();
    }

    /** Applies new expected throughputs, and requests their reservations. */
    private void share(UnaryOperator<Connection> shared) {
        store.checkThread();
        Map<ConnectionId, Map<ConnectPoint, Double>> requested = new HashMap<>();
        List<Connection> changed = new ArrayList<>();
        for (Connection before : live()) {
            Connection connection = shared.apply(before);
            requested.put(connection.id(), LinkLoad.reservations(connection));
            if (connection != before) {
                store.put(connection);
                changed.add(connection);
            }
        }
        reservations.request(requested);
        OneByOne.forEach(changed, connection -> events.accept(new ConnectionEvent(Type.SHARES_CHANGED, connection)));
        if (isShareRequested) {
            shareSoon.run();
        }
        Runnable next = whenShared;
        whenShared = () -> { };
        next.run();
    }

    /** Notes that the rules of a submission are in the switches. */
    public void installed(ConnectionId id, long revision) {
        store.checkThread();
        Optional<Submission> newest = intents.submission(id).filter(submission -> submission.installed(revision));
        if (!newest.isPresent()) {
            overtaken(id, revision);
            return;
        }
        proceedWithRules();
        newest.flatMap(Submission::confirmedNanos)
                .ifPresent(nanos -> store.get(id).ifPresent(connection -> ruleTimes.installed(connection, nanos)));
        store.get(id)
                .filter(connection -> connection.state() == ConnectionState.PENDING)
                .ifPresent(connection -> record(connection.withState(ConnectionState.ACTIVE), Type.INSTALLED));
    }

    /**
     * Handles the outcome of a submission that is not the newest. ONOS's core may compile an older submission again and so
     * replace the newest one, which then follows once more.
     */
    void overtaken(ConnectionId id, long revision) {
        boolean isOlder = intents.submission(id).filter(submission -> revision < submission.revision()).isPresent();
        if (isOlder && intents.revision(id) == revision) {
            store.get(id).ifPresent(this::submit);
        }
    }

    /**
     * Handles the withdrawal of a connection's intent by ONOS. Submits the connection again if it needs its intent: it woke
     * meanwhile, or its submission failed.
     */
    public void withdrawn(ConnectionId id) {
        store.checkThread();
        if (!intents.submission(id).isPresent()) {
            intents.purge(id);
            return;
        }
        intents.withdrawn(id);
        store.get(id).ifPresent(this::submit);
    }

    /** Submits the connections whose paths' shared rules are in the switches now. */
    public void pathsChanged() {
        store.checkThread();
        intents.submitWaiting();
    }

    /**
     * Removes from ONOS the intents and rules of connections that are not submitted. Asks ONOS for the outcomes that submissions
     * have waited for since the last sweep. The control loop calls this every few seconds.
     */
    public void sweep() {
        store.checkThread();
        OneByOne.forEach(store.in(ConnectionState.PENDING), connection -> {
            boolean isOld = intents.submission(connection.id()).filter(Submission::isOld).isPresent();
            if (isOld && !intents.report(connection.id())) {
                submit(connection);
            }
        });
        intents.sweep();
        if (isShareRequested) {
            shareSoon.run();
        }
    }
}
