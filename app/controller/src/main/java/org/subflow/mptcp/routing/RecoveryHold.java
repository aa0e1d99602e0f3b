// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.routing;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.NetworkView;
import org.subflow.mptcp.topology.SubflowStates;

/**
 * Holds connections of an earlier run back until the switches and links of their paths are up again.
 *
 * <p>When ONOS restarts, switches and links come up one after another. A connection that took the first path available
 * would leave the path on which the switches still carry it. It therefore waits while switches of its paths are missing or
 * while the network still grows. The wait has a time-out, because such switches may be gone for good. Used by the control
 * loop only.
 */
public final class RecoveryHold {
    /** Time-out of the hold after the start: switches reconnect after 8 s, and ONOS may be busy. */
    public static final long MOST_MILLIS = 45_000;
    /** The network is complete when all switches are up and no link has come or gone for this long. */
    public static final long STILL_MILLIS = 3_000;

    private final NetworkView network;
    private final LongSupplier clockMillis;
    private long endsMillis = Long.MIN_VALUE;
    private long changedMillis;
    private List<DeviceId> devices = List.of();
    private List<Link> links = List.of();

    /**
     * Makes a hold that is inactive until {@link #begin()}.
     *
     * @param clockMillis milliseconds of the Unix epoch; not null
     */
    public RecoveryHold(NetworkView network, LongSupplier clockMillis) {
        this.network = checkNotNull(network, "network");
        this.clockMillis = checkNotNull(clockMillis, "clockMillis");
    }

    /** Starts the hold: the application has started. */
    public void begin() {
        endsMillis = clockMillis.getAsLong() + MOST_MILLIS;
        changedMillis = clockMillis.getAsLong();
        look();
    }

    /** Updates the hold: the network may have changed. */
    public void look() {
        NetworkSnapshot now = network.snapshot();
        if (!now.devices().equals(devices) || !now.links().equals(links)) {
            devices = now.devices();
            links = now.links();
            changedMillis = clockMillis.getAsLong();
        }
    }

    /**
     * Returns whether a connection should wait rather than take other paths.
     *
     * @param connection a connection without rules; not null
     * @return false if all its paths are up, or if the missing parts are not expected any more
     */
    public boolean awaits(Connection connection) {
        long now = clockMillis.getAsLong();
        if (now >= endsMillis) {
            return false;
        }
        NetworkSnapshot snapshot = network.snapshot();
        List<Subflow> lacking = connection.subflows().stream()
                .filter(subflow -> subflow.state() == SubflowState.DOWN
                        || subflow.isRouted() && !SubflowStates.isIntact(snapshot, subflow))
                .collect(Collectors.toList());
        return !lacking.isEmpty() && (now - changedMillis < STILL_MILLIS || lacking.stream()
                .flatMap(RecoveryHold::switches)
                .anyMatch(device -> snapshot.node(device) < 0));
    }

    private static Stream<DeviceId> switches(Subflow subflow) {
        return Stream.concat(Stream.of(subflow.ingress().deviceId(), subflow.egress().deviceId()),
                             subflow.path().stream().map(link -> link.dst().deviceId()));
    }
}
