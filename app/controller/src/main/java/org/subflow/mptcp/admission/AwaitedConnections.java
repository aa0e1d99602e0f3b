// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.AwaitedService;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.candidate.Join;
import org.subflow.mptcp.candidate.Opening;
import org.subflow.mptcp.measure.Meter;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.store.ConnectionStore;

/**
 * Keeps the connections that are added before they start ({@link AwaitedService}). While one is awaited, it is neither idle nor
 * of small demand, although its counters stand still.
 *
 * <p>Switches that copy SYNs show its handshake. In others its rules hide it, so the first packet that they count starts it, too.
 * It has no tokens then, and further subflows than those that it was added with stay unmanaged.
 *
 * <p>Any thread may ask; only the control loop changes anything.
 */
public final class AwaitedConnections {
    private static final String NAME = "awaited-";
    private static final long MILLIS_PER_SECOND = 1000;
    /**
     * How long its demand has no limit after its start, as the counters say little in the first moments. As long, a handshake
     * still belongs to a connection that sends already: the control loop may be busy.
     */
    private static final long YOUNG_MILLIS = 10_000;

    private final ConnectionStore store;
    private final Admission admission;
    private final Provisioner provisioner;
    private final Meter meter;
    private final SettingsService settings;
    private final LongSupplier clockMillis;
    private final Map<ConnectionId, Long> untilMillis = new ConcurrentHashMap<>();
    /** When those started that are young, milliseconds of the Unix epoch. */
    private final Map<ConnectionId, Long> startedMillis = new ConcurrentHashMap<>();

    public AwaitedConnections(ConnectionStore store, Admission admission, Provisioner provisioner, Meter meter, SettingsService settings,
                              LongSupplier clockMillis) {
        this.store = checkNotNull(store, "store");
        this.admission = checkNotNull(admission, "admission");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.meter = checkNotNull(meter, "meter");
        this.settings = checkNotNull(settings, "settings");
        this.clockMillis = checkNotNull(clockMillis, "clockMillis");
    }

    /** Adds a connection; see {@link AwaitedService#add}. */
    public Connection add(List<FiveTuple> subflows, int seconds) {
        store.checkThread();
        check(subflows, seconds);
        if (untilMillis.size() >= AwaitedService.MOST) {
            throw new IllegalStateException("as many connections are awaited as may be, " + AwaitedService.MOST);
        }
        List<FiveTuple> awaited = subflows.stream().map(tuple -> admission.withHosts(tuple)
                .orElseThrow(() -> new IllegalStateException("the connection is not admitted: " + Refusal.WITHOUT_PORTS)))
                .collect(Collectors.toList());
        awaited.forEach(this::checkFree);
        FiveTuple first = awaited.get(0);
        List<Join> joins = awaited.stream().skip(1).map(tuple -> new Join(tuple, direction(tuple, first), false))
                .collect(Collectors.toList());
        ConnectionId id = freeId();
        long now = clockMillis.getAsLong();
        // Before its first event: who hears of it asks until when it is awaited.
        untilMillis.put(id, now + seconds * MILLIS_PER_SECOND);
        Optional<Refusal> refusal = Optional.empty();
        try {
            refusal = admission.awaited(id, Opening.of(first, joins), now);
        } finally {
            if (!store.get(id).isPresent()) {
                untilMillis.remove(id);
            }
        }
        refusal.ifPresent(why -> {
            throw new IllegalStateException("the connection is not admitted: " + why);
        });
        return store.get(id).orElseThrow();
    }

    private void check(List<FiveTuple> subflows, int seconds) {
        int most = settings.get(Settings.MOST_SUBFLOWS);
        require(!subflows.isEmpty() && subflows.size() <= most, "a connection has 1 to " + most + " subflows");
        require(seconds >= 1 && seconds <= AwaitedService.MOST_SECONDS,
                "a connection is awaited for 1 to " + AwaitedService.MOST_SECONDS + " seconds");
        Set<FiveTuple> seen = new LinkedHashSet<>();
        for (FiveTuple tuple : subflows) {
            require(tuple.sourcePort() > 0 && tuple.destinationPort() > 0, "a subflow has ports above 0: " + tuple);
            require(!tuple.source().equals(tuple.destination()), "a subflow joins two hosts: " + tuple);
            require(!seen.contains(tuple.reversed()) && seen.add(tuple), "a subflow comes once: " + tuple);
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    private void checkFree(FiveTuple tuple) {
        store.owner(tuple).flatMap(store::get).filter(owner -> owner.state() != ConnectionState.IDLE).ifPresent(owner -> {
            throw new IllegalStateException(tuple + " is a subflow of connection " + owner.id());
        });
    }

    /** Returns the direction of the SYN. Of other addresses than those of the first subflow, the client's is assumed. */
    private static Direction direction(FiveTuple join, FiveTuple first) {
        boolean isOfServer = join.source().equals(first.destination()) || join.destination().equals(first.source());
        return isOfServer ? Direction.DOWN : Direction.UP;
    }

    private ConnectionId freeId() {
        int number = 1;
        while (store.get(ConnectionId.of(NAME + number)).isPresent()) {
            number++;
        }
        return ConnectionId.of(NAME + number);
    }

    /** Removes a connection; see {@link AwaitedService#remove}. */
    public boolean remove(ConnectionId id) {
        store.checkThread();
        Optional<Connection> connection = store.get(id);
        if (connection.isPresent() && untilMillis.remove(id) == null) {
            throw new IllegalStateException("connection " + id + " has started; its hosts end it");
        }
        connection.ifPresent(found -> provisioner.close(List.of(found), Cause.REMOVED));
        return connection.isPresent();
    }

    /** Returns until when a connection is awaited, milliseconds of the Unix epoch; empty if it is not. */
    public OptionalLong until(ConnectionId id) {
        Long millis = untilMillis.get(id);
        return millis == null ? OptionalLong.empty() : OptionalLong.of(millis);
    }

    /** Returns whether a connection is awaited. */
    public boolean contains(ConnectionId id) {
        return untilMillis.containsKey(id);
    }

    /** Returns the connection whose handshake is awaited with this first subflow, from the client. */
    Optional<Connection> withFirst(FiveTuple first) {
        return store.owner(first).filter(this::isYoung).flatMap(store::get)
                .filter(connection -> connection.first().tuple().equals(first) && !connection.serverToken().isPresent());
    }

    /** Returns whether a connection is awaited or has just started: its counters say nothing of its demand. */
    public boolean isYoung(ConnectionId id) {
        return contains(id) || startedMillis.containsKey(id);
    }

    /** Notes that the handshake of a connection is complete. */
    void begun(ConnectionId id) {
        store.checkThread();
        long now = clockMillis.getAsLong();
        start(id, now);
        // Its rules have counted nothing for long.
        meter.watch(id, now);
    }

    private void start(ConnectionId id, long nowMillis) {
        startedMillis.put(id, nowMillis);
        untilMillis.remove(id);
    }

    /** Notes which connections send, and gives up those whose time is over. */
    public void tick(long nowMillis) {
        store.checkThread();
        for (ConnectionId id : List.copyOf(untilMillis.keySet())) {
            Optional<Connection> connection = store.get(id);
            if (!connection.isPresent()) {
                untilMillis.remove(id);
            } else if (meter.bytes(id) > 0) {
                start(id, nowMillis);
            } else if (nowMillis >= untilMillis.get(id)) {
                remove(id);
            }
        }
        startedMillis.values().removeIf(since -> nowMillis - since >= YOUNG_MILLIS);
    }
}
