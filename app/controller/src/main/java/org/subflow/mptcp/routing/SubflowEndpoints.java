// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.routing;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Optional;
import java.util.function.LongSupplier;
import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.HostLocation;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.NetworkView;

/**
 * Where the hosts of a subflow are attached, as they move and vanish.
 *
 * <p>A host that ONOS forgets stays where it was as long as its port is up: packets say that it is still there, and ONOS
 * forgets hosts for reasons of its own (their switch has lost its controller for a moment). A host that ONOS sees at
 * another port has moved if its old port is down, or if that is still so after {@link #SETTLE_MILLIS}: while a link is
 * about to be discovered, the hosts behind it seem to be at its port. Used by the control loop only.
 */
public final class SubflowEndpoints {
    /** For how long a host must have been elsewhere before it has moved, if its old port is up. */
    public static final long SETTLE_MILLIS = 2000;

    private final Attachments attachments;
    private final NetworkView network;
    private final LongSupplier clockMillis;

    /**
     * Makes it.
     *
     * @param attachments finds hosts; not null
     * @param network     says which ports are up, and which lead to switches; not null
     * @param clockMillis milliseconds of the Unix epoch; not null
     */
    public SubflowEndpoints(Attachments attachments, NetworkView network, LongSupplier clockMillis) {
        this.attachments = checkNotNull(attachments, "attachments");
        this.network = checkNotNull(network, "network");
        this.clockMillis = checkNotNull(clockMillis, "clockMillis");
    }

    /** Returns whether packets of a subflow can still enter and leave the network where they did. */
    public boolean hold(Subflow subflow) {
        return areUp(subflow)
                && !hasMoved(subflow.tuple().source(), subflow.ingress())
                && !hasMoved(subflow.tuple().destination(), subflow.egress());
    }

    /** Returns whether the ports at both ends of a subflow are up. */
    public boolean areUp(Subflow subflow) {
        return network.isUp(subflow.ingress()) && network.isUp(subflow.egress());
    }

    /** Returns a subflow that has no path between the places where its hosts are now, as far as that is known. */
    public Subflow renewed(Subflow subflow) {
        return subflow.withEnds(now(subflow.tuple().source(), subflow.ingress()),
                                now(subflow.tuple().destination(), subflow.egress()));
    }

    private ConnectPoint now(IpAddress address, ConnectPoint last) {
        return attachments.port(address)
                .filter(port -> !network.snapshot().isBetweenSwitches(port))
                .filter(port -> !network.isUp(last) || hasMoved(address, last))
                .orElse(last);
    }

    private boolean hasMoved(IpAddress address, ConnectPoint last) {
        Optional<HostLocation> location = attachments.location(address);
        Optional<ConnectPoint> port = attachments.port(address);
        return port.isPresent() && !port.get().equals(last)
                && !network.snapshot().isBetweenSwitches(port.get())
                && (!network.isUp(last)
                    || clockMillis.getAsLong() - location.get().time() >= SETTLE_MILLIS);
    }
}
