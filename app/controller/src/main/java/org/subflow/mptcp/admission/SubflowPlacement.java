// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Optional;
import org.onosproject.net.ConnectPoint;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.candidate.Join;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.routing.NetworkModel;
import org.subflow.mptcp.routing.Rerouting;
import org.subflow.mptcp.topology.Attachments;

/** Gives subflows their attachment points and their paths. For the control loop only. */
public final class SubflowPlacement {
    private final Attachments attachments;
    private final NetworkModel model;
    private final Rerouting rerouting;
    private final Provisioner provisioner;

    public SubflowPlacement(Attachments attachments, NetworkModel model, Rerouting rerouting, Provisioner provisioner) {
        this.attachments = checkNotNull(attachments, "attachments");
        this.model = checkNotNull(model, "model");
        this.rerouting = checkNotNull(rerouting, "rerouting");
        this.provisioner = checkNotNull(provisioner, "provisioner");
    }

    /** Returns a connection with paths for those of its subflows that have none, or whose paths are lost. */
    Connection reroute(Connection connection) {
        return rerouting.reroute(connection, provisioner.live());
    }

    /** Returns a new subflow of a connection with its path. */
    Subflow place(Connection connection, Subflow subflow) {
        return model.place(connection, subflow, provisioner.live());
    }

    /** Returns a five-tuple with its hosts, each the one that has the address if nobody has seen a frame; empty if that is unknown. */
    Optional<FiveTuple> withHosts(FiveTuple tuple) {
        return attachments.withHosts(tuple);
    }

    /** Returns the first subflow of a connection between the ports of its hosts, without a path; empty if these have no usable ports. */
    Optional<Subflow> first(FiveTuple tuple) {
        return unrouted(tuple, Direction.UP, false);
    }

    /** Returns a further subflow in the same way. */
    Optional<Subflow> further(Join join) {
        return unrouted(join.tuple, join.direction, true).map(subflow -> subflow.withBackup(join.isBackup));
    }

    private Optional<Subflow> unrouted(FiveTuple tuple, Direction syn, boolean isJoin) {
        Optional<ConnectPoint> source = attachments.port(tuple);
        Optional<ConnectPoint> destination = attachments.destination(tuple);
        // No switch sends a frame back through the port where it came in: who hairpins reaches the other without us, or not at all.
        return source.flatMap(in -> destination.filter(out -> !out.equals(in))
                .map(out -> Subflow.unrouted(tuple, syn == Direction.UP, isJoin, in, out)));
    }
}
