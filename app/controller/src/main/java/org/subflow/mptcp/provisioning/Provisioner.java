// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.provisioning;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.onosproject.net.ConnectPoint;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.SettingsService;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.intent.ConnectionIntents;
import org.subflow.mptcp.intent.PathTail;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.sharing.ConnectionShares;
import org.subflow.mptcp.sharing.LinkLoad;
import org.subflow.mptcp.store.ConnectionStore;

/**
 * Brings the network in line with what a connection is to have: store, intent, shares, reservations, in this order. The
 * rules come first, because until they are there a connection's packets go by way of the controller.
 *
 * <p>Used by the control loop only.
 */
public final class Provisioner {
    private final ConnectionStore store;
    private final SettingsService settings;
    private final ConnectionShares shares;
    private final ReservationKeeper reservations;
    private final ConnectionIntents intents;
    private final SetupTimes setupTimes;
    private final Consumer<ConnectionEvent> events;
    private final Map<ConnectionId, Long> submitted = new HashMap<>();
    private final Set<ConnectionId> failed = new HashSet<>();
    private final Map<ConnectionId, List<PathTail>> beside = new HashMap<>();
    private final LoopGuard guard;

    public Provisioner(ConnectionStore store, SettingsService settings, ConnectionShares shares,
                       ReservationKeeper reservations, ConnectionIntents intents, SetupTimes setupTimes,
                Consumer<ConnectionEvent> events, LoopGuard guard) {
        this.store = checkNotNull(store, "store");
        this.settings = checkNotNull(settings, "settings");
        this.shares = checkNotNull(shares, "shares");
        this.reservations = checkNotNull(reservations, "reservations");
        this.intents = checkNotNull(intents, "intents");
        this.setupTimes = checkNotNull(setupTimes, "setupTimes");
        this.events = checkNotNull(events, "events");
        this.guard = checkNotNull(guard, "guard");
    }

    /** Returns the connections that hold or want rules: all but the idle ones. */
    public List<Connection> live() {
        return store.all().stream()
                .filter(connection -> connection.state() != ConnectionState.IDLE)
                .collect(Collectors.toList());
    }

    /**
     * Gives connections what their subflows say: writes them, submits their rules, shares anew and has that reserved, and tells
     * of each.
     *
     * @param connections the connections with their routes; if there are none, nothing happens
     * @param why         the event to tell
     */
    public void apply(List<Connection> connections, Type why) {
        guard.check();
        if (connections.isEmpty()) {
            return;
        }
        connections.forEach(connection -> place(connection, List.of()));
        share();
        connections.forEach(connection -> tell(connection.id(), why));
    }

    /**
     * Does the same for one connection, with rules beside those of its paths.
     *
     * @param connection the connection with its routes
     * @param tails      ends of other routes of its subflows; they stay until it is placed again or goes
     * @param why        the event to tell
     * @return the revision of the submission
     */
    public long apply(Connection connection, List<PathTail> tails, Type why) {
        guard.check();
        long revision = place(connection, tails);
        share();
        tell(connection.id(), why);
        return revision;
    }

    private long place(Connection connection, List<PathTail> tails) {
        boolean routed = connection.subflows().stream().anyMatch(Subflow::isRouted);
        Connection placed = connection.withState(routed ? ConnectionState.PENDING : ConnectionState.DOWN);
        store.put(placed);
        return beside(placed, tails);
    }

    /** Submits a connection as it is with rules beside those of its paths, or without; returns the revision. */
    public long beside(Connection connection, List<PathTail> tails) {
        guard.check();
        beside.put(connection.id(), tails);
        submit(connection);
        return submitted.get(connection.id());
    }

    /** Returns whether a connection was submitted with rules beside those of its paths. */
    public boolean hasRulesBeside(ConnectionId id) {
        return !beside.getOrDefault(id, List.of()).isEmpty();
    }

    /** Returns whether this submission of a connection is the newest. */
    public boolean isNewest(ConnectionId id, long revision) {
        return submitted.getOrDefault(id, -1L) == revision;
    }

    /** Tells of a connection as it is now; of one without any path, that it is down. */
    private void tell(ConnectionId id, Type why) {
        store.get(id).ifPresent(connection -> events.accept(new ConnectionEvent(
                connection.state() == ConnectionState.DOWN ? Type.DOWN : why, connection)));
    }

    private void submit(Connection connection) {
        long revision = intents.submit(connection, beside.getOrDefault(connection.id(), List.of()));
        submitted.put(connection.id(), revision);
        setupTimes.submitted(connection, revision);
    }

    /** Writes a connection whose routes are what they were: only its record has changed. */
    public void record(Connection connection, Type why) {
        guard.check();
        store.put(connection);
        events.accept(new ConnectionEvent(why, connection));
    }

    /** Takes connections' rules and reservations away, and remembers them as idle. */
    public void park(List<Connection> connections) {
        guard.check();
        List<Connection> parked = new ArrayList<>();
        for (Connection connection : connections) {
            Connection idle = idle(connection);
            withdraw(idle.id());
            store.put(idle);
            parked.add(idle);
        }
        shareUnlessNothing(parked);
        parked.forEach(idle -> events.accept(new ConnectionEvent(Type.IDLE, idle)));
    }

    /** Takes connections' rules and reservations away, and forgets them. */
    public void close(List<Connection> connections) {
        guard.check();
        for (Connection connection : connections) {
            withdraw(connection.id());
            store.remove(connection.id());
        }
        shareUnlessNothing(connections.stream()
                .filter(connection -> connection.state() != ConnectionState.IDLE)
                .collect(Collectors.toList()));
        connections.forEach(connection -> events.accept(new ConnectionEvent(Type.CLOSED, connection)));
    }

    /** Releases what ONOS still holds for a connection from an earlier run of the application; it waits as an idle one. */
    public void disown(Connection connection) {
        guard.check();
        reservations.release(connection.id());
        store.put(idle(connection));
    }

    private static Connection idle(Connection connection) {
        return connection.mapSubflows(subflow -> subflow.withExpected(Rates.ZERO)).withState(ConnectionState.IDLE);
    }

    private void shareUnlessNothing(List<Connection> gone) {
        if (!gone.isEmpty()) {
            share();
        }
    }

    private void withdraw(ConnectionId id) {
        submitted.remove(id);
        failed.remove(id);
        beside.remove(id);
        intents.withdraw(id);
        reservations.release(id);
    }

    /** Works all expected throughputs out anew, and brings reservations in line. */
    public void share() {
        guard.check();
        List<Connection> live = live();
        List<Connection> shared = shares.of(live, settings.settings().allocator());
        Map<ConnectionId, Map<ConnectPoint, Double>> demanded = new HashMap<>();
        List<Connection> changed = new ArrayList<>();
        for (int i = 0; i < live.size(); i++) {
            Connection connection = shared.get(i);
            demanded.put(connection.id(), LinkLoad.reservations(connection));
            if (connection != live.get(i)) {
                store.put(connection);
                changed.add(connection);
            }
        }
        reservations.demand(demanded);
        changed.forEach(connection -> events.accept(new ConnectionEvent(Type.SHARES_CHANGED, connection)));
    }

    /** The rules of a submission are in the switches. */
    public void installed(ConnectionId id, long revision) {
        guard.check();
        if (submitted.getOrDefault(id, -1L) != revision) {
            resubmitIfOvertaken(id, revision);
            return;
        }
        store.get(id)
                .filter(connection -> connection.state() == ConnectionState.PENDING)
                .ifPresent(connection -> record(connection.withState(ConnectionState.ACTIVE), Type.INSTALLED));
    }

    /** The core compiles what it has at hand when links change: it may bring an older submission to the top. */
    private void resubmitIfOvertaken(ConnectionId id, long revision) {
        Long newest = submitted.get(id);
        if (newest != null && revision < newest && intents.revision(id) == revision) {
            store.get(id).ifPresent(this::submit);
        }
    }

    /**
     * ONOS has withdrawn a connection's intent. If the connection still needs it (it woke meanwhile, or its submission
     * failed), ONOS has also released what was reserved for it since: that is reserved anew.
     */
    public void withdrawn(ConnectionId id) {
        guard.check();
        if (!submitted.containsKey(id)) {
            intents.purge(id);
            return;
        }
        reservations.release(id);
        store.get(id).ifPresent(connection -> {
            reservations.demand(ImmutableMap.of(id, LinkLoad.reservations(connection)));
            submit(connection);
        });
    }

    /** A submission could not be compiled or installed: it is submitted again at the next {@link #retryFailed()}. */
    public void failed(ConnectionId id, long revision) {
        guard.check();
        if (submitted.getOrDefault(id, -1L) == revision) {
            failed.add(id);
        } else {
            resubmitIfOvertaken(id, revision);
        }
    }

    /** Has ONOS give back what it still holds for connections that are to have nothing. */
    public void sweep() {
        guard.check();
        intents.sweep(submitted.keySet());
    }

    /** Submits again what failed although it has routes; what has none waits for the network to change. */
    public void retryFailed() {
        guard.check();
        List<ConnectionId> again = new ArrayList<>(failed);
        failed.clear();
        for (ConnectionId id : again) {
            store.get(id)
                    .filter(connection -> submitted.containsKey(id) && connection.state() != ConnectionState.DOWN)
                    .ifPresent(this::submit);
        }
    }
}
