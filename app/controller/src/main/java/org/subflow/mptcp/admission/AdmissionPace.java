// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.onosproject.net.DeviceId;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.handshake.ExpiringTable;
import org.subflow.mptcp.topology.Attachments;

/**
 * Limits how many connections wait for rules of a switch at the same time; beyond, candidates with an end there stay candidates
 * a little longer. A busy network makes short connections live long, and rules for them would make it busier still: so only a few
 * may wait that have nothing but their age.
 *
 * <p>A connection waits for all switches on its paths, except those that have confirmed a later one: it is not they that are
 * slow. So a switch that confirms nothing holds up nobody at other switches. Thread-safe.
 */
public final class AdmissionPace {
    /** Limit of connections that wait for a switch. */
    static final int MOST = 64;
    /** Limit of waiting connections above which age alone admits none. */
    static final int MOST_FOR_OLD = 4;
    /** After this time nobody waits for a connection: its switch may not answer at all. */
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** So long nobody is admitted at a switch after it was found without rules. */
    static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Attachments attachments;
    private final LongSupplier clockNanos;
    /** The connections that wait, by their first subflows. The limits by switch bound them. */
    private final ExpiringTable<Waiting> waiting = new ExpiringTable<>(Integer.MAX_VALUE, PATIENCE_NANOS);
    /** The newest connection of which a switch has confirmed the rules. */
    private final Map<DeviceId, Long> confirmed = new HashMap<>();
    /** Until when nobody is admitted at a switch. */
    private final Map<DeviceId, Long> pauses = new HashMap<>();
    private long newest;

    private static final class Waiting {
        private final long number;
        private final Set<DeviceId> switches;

        private Waiting(long number, Set<DeviceId> ends) {
            this.number = number;
            this.switches = ends;
        }
    }

    /**
     * Makes a pace at which nobody waits.
     *
     * @param attachments finds the switches of connections' ends; not null
     * @param clockNanos  a monotonic clock, nanoseconds; not null
     */
    public AdmissionPace(Attachments attachments, LongSupplier clockNanos) {
        this.attachments = checkNotNull(attachments, "attachments");
        this.clockNanos = checkNotNull(clockNanos, "clockNanos");
    }

    /**
     * Asks whether a connection may get rules now; if so, it counts as waiting.
     *
     * @param first   five-tuple of its first subflow
     * @param hasSent whether it has sent enough; false if its age alone has earned the rules
     */
    synchronized boolean admits(FiveTuple first, boolean hasSent) {
        long now = clockNanos.getAsLong();
        waiting.expire(now);
        pauses.values().removeIf(until -> now - until >= 0);
        Set<DeviceId> ends = new HashSet<>();
        attachments.port(first).ifPresent(port -> ends.add(port.deviceId()));
        attachments.port(first.reversed()).ifPresent(port -> ends.add(port.deviceId()));
        int most = hasSent ? MOST : MOST_FOR_OLD;
        if (ends.stream().anyMatch(end -> pauses.containsKey(end) || waitingFor(end) >= most)) {
            return false;
        }
        waiting.put(first, new Waiting(++newest, ends), now);
        return true;
    }

    private long waitingFor(DeviceId device) {
        long last = confirmed.getOrDefault(device, 0L);
        return waiting.count(one -> one.number > last && one.switches.contains(device));
    }

    /** Admits nobody at some switches for a moment: rules are missing there. */
    public synchronized void pause(Set<DeviceId> switches) {
        long until = clockNanos.getAsLong() + PAUSE_NANOS;
        switches.forEach(device -> pauses.put(device, until));
    }

    /** Notes that a connection waits no longer; without effect if it did not. */
    synchronized void leaves(FiveTuple first) {
        waiting.remove(first);
    }

    /** Notes what has become of a connection. */
    public synchronized void follow(ConnectionEvent event) {
        Connection connection = event.subject();
        Waiting known = waiting.get(connection.first().tuple()).orElse(null);
        if (known == null) {
            return;
        }
        connection.subflows().forEach(subflow -> known.switches.addAll(subflow.devices()));
        if (event.type() == ConnectionEvent.Type.INSTALLED) {
            known.switches.forEach(device -> confirmed.merge(device, known.number, Math::max));
        }
        if (event.type() != ConnectionEvent.Type.OPENED) {
            leaves(connection.first().tuple());
        }
    }
}
