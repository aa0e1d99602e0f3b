// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.onlab.packet.MacAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;

/** The path of one subflow through the switches, in both directions. Immutable. */
public final class SubflowRoute {
    /** The five-tuple in the forward direction. */
    public final FiveTuple tuple;
    /** Where the five-tuple's source is attached. */
    public final ConnectPoint ingress;
    /** Where the five-tuple's destination is attached. */
    public final ConnectPoint egress;
    /** The links between switches from ingress to egress; empty if both are on one switch. */
    public final ImmutableList<Link> forward;
    /** The links between switches from egress to ingress. */
    public final ImmutableList<Link> backward;
    /** The path from ingress to egress with its label; empty if the route has exact rules in this direction. */
    public final Optional<LabelledPath> forwardPath;
    /** The path from egress to ingress with its label; empty if the route has exact rules in this direction. */
    public final Optional<LabelledPath> backwardPath;

    private SubflowRoute(FiveTuple tuple, ConnectPoint ingress, ConnectPoint egress, List<Link> forward, List<Link> backward,
                         Optional<LabelledPath> forwardPath, Optional<LabelledPath> backwardPath) {
        this.tuple = checkNotNull(tuple, "tuple");
        this.ingress = checkNotNull(ingress, "ingress");
        this.egress = checkNotNull(egress, "egress");
        this.forward = ImmutableList.copyOf(forward);
        this.backward = ImmutableList.copyOf(backward);
        this.forwardPath = forwardPath;
        this.backwardPath = backwardPath;
    }

    /**
     * Takes the route out of a subflow.
     *
     * @param subflow a routed subflow; not null
     * @return its route
     */
    public static SubflowRoute of(Subflow subflow) {
        return new SubflowRoute(subflow.tuple(), subflow.ingress(), subflow.egress(),
                                subflow.path(), subflow.reversePath(), Optional.empty(), Optional.empty());
    }

    /**
     * Returns this route with labels, in each direction that has a link between switches, if its hosts are known. A path with
     * an indirect link has none: behind it are switches that ONOS does not know, which would flood packets to a label.
     */
    public SubflowRoute labelled() {
        return tuple.hasHosts()
                ? new SubflowRoute(tuple, ingress, egress, forward, backward,
                                   path(forward, egress, tuple.destinationHost().mac()),
                                   path(backward, ingress, tuple.sourceHost().mac()))
                : this;
    }

    private static Optional<LabelledPath> path(List<Link> links, ConnectPoint to, MacAddress host) {
        return links.isEmpty() || links.stream().anyMatch(link -> link.type() == Link.Type.INDIRECT) ? Optional.empty()
                : Optional.of(new LabelledPath(links, to, host));
    }

    /** Returns this route with those of its labels that are wanted. */
    SubflowRoute withLabels(Predicate<LabelledPath> wanted) {
        return new SubflowRoute(tuple, ingress, egress, forward, backward,
                                forwardPath.filter(wanted), backwardPath.filter(wanted));
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof SubflowRoute)) {
            return false;
        }
        SubflowRoute that = (SubflowRoute) other;
        return tuple.equals(that.tuple)
                && ingress.equals(that.ingress)
                && egress.equals(that.egress)
                && forward.equals(that.forward)
                && backward.equals(that.backward)
                && forwardPath.equals(that.forwardPath)
                && backwardPath.equals(that.backwardPath);
    }

    @Override
    public int hashCode() {
        return Objects.hash(tuple, ingress, egress, forward);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(tuple.toString()).append(" via ").append(ingress);
        forward.forEach(link -> text.append(" -> ").append(link.dst().deviceId()));
        return text.toString();
    }
}
