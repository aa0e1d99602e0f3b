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

/**
 * How long connections of an earlier run wait for what their paths need.
 *
 * <p>When ONOS itself has been restarted, switches and links turn up one after the other. A connection that took what is
 * there first would leave paths on which the switches still carry it. So it waits while switches of its paths are
 * missing, or while the network still grows; but not for ever, as they may have gone in the meantime. Used by the control
 * loop only.
 */
public final class RecoveryHold {
    /** For how long after the start anything is waited for at all: switches try again after 8 s, and ONOS may be busy. */
    public static final long MOST_MILLIS = 45_000;
    /** A network whose switches are all there, and in which nothing has turned up or gone for so long, is complete. */
    public static final long STILL_MILLIS = 3_000;

    private final NetworkView network;
    private final LongSupplier clockMillis;
    private long endsMillis = Long.MIN_VALUE;
    private long changedMillis;
    private List<DeviceId> devices = List.of();
    private List<Link> links = List.of();

    /**
     * Makes one that waits for nothing before {@link #begin()}.
     *
     * @param network     the network; not null
     * @param clockMillis milliseconds of the Unix epoch; not null
     */
    public RecoveryHold(NetworkView network, LongSupplier clockMillis) {
        this.network = checkNotNull(network, "network");
        this.clockMillis = checkNotNull(clockMillis, "clockMillis");
    }

    /** The application has started. */
    public void begin() {
        endsMillis = clockMillis.getAsLong() + MOST_MILLIS;
        changedMillis = clockMillis.getAsLong();
        look();
    }

    /** The network may have changed. */
    public void look() {
        NetworkSnapshot now = network.snapshot();
        if (!now.devices().equals(devices) || !now.links().equals(links)) {
            devices = now.devices();
            links = now.links();
            changedMillis = clockMillis.getAsLong();
        }
    }

    /**
     * Returns whether a connection had better wait than be given other paths.
     *
     * @param connection one that has no rules; not null
     * @return false if all its paths are there, or what they lack will hardly come any more
     */
    public boolean awaits(Connection connection) {
        long now = clockMillis.getAsLong();
        if (now >= endsMillis) {
            return false;
        }
        NetworkSnapshot snapshot = network.snapshot();
        List<Subflow> lacking = connection.subflows().stream()
                .filter(subflow -> subflow.state() == SubflowState.DOWN
                        || subflow.isRouted() && !Routes.isIntact(snapshot, subflow))
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
