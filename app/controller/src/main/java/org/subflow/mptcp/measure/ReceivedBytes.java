// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.onosproject.net.ConnectPoint;
import org.subflow.mptcp.topology.PortCounter;

/**
 * The received bytes of the ports at which subflows enter the network. A rule there cannot have counted more than its port
 * received. Used by the control loop only.
 */
final class ReceivedBytes {
    private static final double BITS_PER_BYTE = 8;
    private static final double MILLIS_PER_SECOND = 1000;
    private static final long LAG_MILLIS = Math.round(LinkAccount.LAG_SECONDS * MILLIS_PER_SECOND);
    private static final int MOST_READINGS = 16;

    private final Function<ConnectPoint, Optional<PortCounter>> ports;
    private final Map<ConnectPoint, Deque<PortCounter>> readings = new HashMap<>();

    /**
     * Makes it without readings.
     *
     * @param ports gives the last reading of a port's received bytes, empty if there is none; not null
     */
    ReceivedBytes(Function<ConnectPoint, Optional<PortCounter>> ports) {
        this.ports = checkNotNull(ports, "ports");
    }

    /** Takes the newest readings of these ports, and forgets all other ports. */
    void read(Set<ConnectPoint> wanted) {
        readings.keySet().retainAll(wanted);
        wanted.forEach(port -> ports.apply(port).ifPresent(reading -> {
            Deque<PortCounter> known = readings.computeIfAbsent(port, unused -> new ArrayDeque<>());
            if (!known.isEmpty() && reading.bytes < known.getLast().bytes) {
                known.clear();
            }
            if (known.isEmpty() || reading.millis > known.getLast().millis) {
                known.addLast(reading);
            }
            if (known.size() > MOST_READINGS) {
                known.removeFirst();
            }
        }));
    }

    /**
     * Returns the bytes that a rule can have counted at most.
     *
     * @param port       where its packets come in
     * @param fromMillis time of the last but one reading of the rule, milliseconds of the Unix epoch
     * @param toMillis   time of its last reading, later than the other
     * @param bps        the rate for the time without readings of the port, bit/s
     * @return the bytes that the port received from {@link LinkAccount#LAG_SECONDS} before the first time to the last time;
     *         infinite if the port has no readings
     */
    double most(ConnectPoint port, long fromMillis, long toMillis, double bps) {
        Deque<PortCounter> known = readings.get(port);
        if (known == null) {
            return Double.POSITIVE_INFINITY;
        }
        long beginMillis = fromMillis - LAG_MILLIS;
        PortCounter first = known.getFirst();
        PortCounter last = known.getLast();
        for (PortCounter reading : known) {
            if (reading.millis <= beginMillis) {
                first = reading;
            }
            if (reading.millis >= toMillis) {
                last = reading;
                break;
            }
        }
        long unknownMillis = Math.min(toMillis - beginMillis,
                                      Math.max(0, first.millis - beginMillis) + Math.max(0, toMillis - last.millis));
        return Math.max(0, last.bytes - first.bytes) + unknownMillis / MILLIS_PER_SECOND * bps / BITS_PER_BYTE;
    }
}
