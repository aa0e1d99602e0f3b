// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.routing;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Optional;
import java.util.function.LongSupplier;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.HostLocation;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.NetworkView;

/**
 * Follows the attachment points of subflows' hosts, as hosts move and vanish.
 *
 * <p>If ONOS forgets a host, the host keeps its attachment point while its port is up. ONOS may forget a present host, for
 * example after its switch has lost the controller for a moment.
 *
 * <p>If ONOS reports a host at another port, the host has moved once its old port is down, or once {@link #SETTLE_MILLIS}
 * have passed. The delay is needed because ONOS first takes the hosts behind a new link for hosts at the link's port. Used
 * by the control loop only.
 */
public final class SubflowEndpoints {
    /** How long ONOS must report a host elsewhere before it counts as moved, if its old port is up. */
    public static final long SETTLE_MILLIS = 2000;

    private final Attachments attachments;
    private final NetworkView network;
    private final LongSupplier clockMillis;

    /**
     * Makes the endpoints.
     *
     * @param attachments finds hosts; not null
     * @param network     knows which ports are up, and which lead to switches; not null
     * @param clockMillis milliseconds of the Unix epoch; not null
     */
    public SubflowEndpoints(Attachments attachments, NetworkView network, LongSupplier clockMillis) {
        this.attachments = checkNotNull(attachments, "attachments");
        this.network = checkNotNull(network, "network");
        this.clockMillis = checkNotNull(clockMillis, "clockMillis");
    }

    /** Returns whether packets of a subflow still enter and leave the network at its attachment points. */
    public boolean hold(Subflow subflow) {
        return areUp(subflow)
                && !hasMoved(subflow.tuple(), subflow.ingress())
                && !hasMoved(subflow.tuple().reversed(), subflow.egress());
    }

    /** Returns whether the ports at both ends of a subflow are up. */
    public boolean areUp(Subflow subflow) {
        return network.isUp(subflow.ingress()) && network.isUp(subflow.egress());
    }

    /** Returns a subflow without a path, at the present attachment points of its hosts as far as these are known. */
    public Subflow renewed(Subflow subflow) {
        return subflow.withEnds(now(subflow.tuple(), subflow.ingress()), now(subflow.tuple().reversed(), subflow.egress()));
    }

    private ConnectPoint now(FiveTuple from, ConnectPoint last) {
        return attachments.port(from)
                .filter(port -> !network.snapshot().isBetweenSwitches(port))
                .filter(port -> !network.isUp(last) || hasMoved(from, last))
                .orElse(last);
    }

    private boolean hasMoved(FiveTuple from, ConnectPoint last) {
        Optional<HostLocation> location = attachments.location(from);
        Optional<ConnectPoint> port = attachments.port(from);
        return port.isPresent() && !port.get().equals(last)
                && !network.snapshot().isBetweenSwitches(port.get())
                && (!network.isUp(last)
                    || hasSettled(clockMillis.getAsLong() - location.get().time()));
    }

    /** Returns whether a location is old enough. One of the future is from before the system's clock was set back. */
    private static boolean hasSettled(long ageMillis) {
        return ageMillis < 0 || ageMillis >= SETTLE_MILLIS;
    }
}
