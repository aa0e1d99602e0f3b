// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.FiveTuple;

/**
 * The tail of a path: the part behind the switch where it diverges from another path of the same packets. The rules of a
 * tail can be installed before packets take it, and can stay until the last packets have passed. Immutable.
 */
public final class PathTail {
    private final FiveTuple tuple;
    private final ImmutableList<Link> links;
    private final ConnectPoint egress;

    private PathTail(FiveTuple tuple, List<Link> links, ConnectPoint egress) {
        checkArgument(!links.isEmpty(), "a tail begins with a link");
        this.tuple = checkNotNull(tuple, "tuple");
        this.links = ImmutableList.copyOf(links);
        this.egress = checkNotNull(egress, "egress");
    }

    /** Returns the five-tuple of its packets. */
    FiveTuple tuple() {
        return tuple;
    }

    /** Returns the links; the first one leads from the switch where the paths diverge to the first switch with a rule. */
    List<Link> links() {
        return links;
    }

    /** Returns the port to which the packets' destination is attached. */
    ConnectPoint egress() {
        return egress;
    }

    /**
     * Finds the tails of one route beyond another of the same subflow, in both directions.
     *
     * @param route the route with the tails
     * @param other the other route, whose rules are complete
     * @return up to two tails, none for equal routes; empty if a switch would need two outputs for the same packets
     */
    public static Optional<List<PathTail>> beyond(SubflowRoute route, SubflowRoute other) {
        List<PathTail> tails = new ArrayList<>();
        boolean possible = add(tails, route.tuple(), route.ingress(), route.forward(), route.egress(),
                               hops(other.ingress(), other.forward(), other.egress()))
                && add(tails, route.tuple().reversed(), route.egress(), route.backward(), route.ingress(),
                       hops(other.egress(), other.backward(), other.ingress()));
        return possible ? Optional.of(ImmutableList.copyOf(tails)) : Optional.empty();
    }

    private static boolean add(List<PathTail> tails, FiveTuple tuple, ConnectPoint ingress, List<Link> links,
                               ConnectPoint egress, Map<ConnectPoint, ConnectPoint> other) {
        Map<ConnectPoint, ConnectPoint> hops = hops(ingress, links, egress);
        if (!other.containsKey(ingress)) {
            return false;
        }
        int divergence = 0;
        while (divergence < links.size() && links.get(divergence).src().equals(other.get(in(ingress, links, divergence)))) {
            divergence++;
        }
        for (int i = divergence + 1; i <= links.size(); i++) {
            ConnectPoint in = in(ingress, links, i);
            if (other.containsKey(in) && !other.get(in).equals(hops.get(in))) {
                return false;
            }
        }
        if (divergence < links.size()) {
            tails.add(new PathTail(tuple, links.subList(divergence, links.size()), egress));
        }
        return true;
    }

    private static ConnectPoint in(ConnectPoint ingress, List<Link> links, int hop) {
        return hop == 0 ? ingress : links.get(hop - 1).dst();
    }

    /** Maps the port at which packets enter a switch to the port at which they leave it. */
    private static Map<ConnectPoint, ConnectPoint> hops(ConnectPoint ingress, List<Link> links, ConnectPoint egress) {
        Map<ConnectPoint, ConnectPoint> hops = new HashMap<>();
        ConnectPoint in = ingress;
        for (Link link : links) {
            hops.put(in, link.src());
            in = link.dst();
        }
        hops.put(in, egress);
        return hops;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PathTail
                && ((PathTail) other).tuple.equals(tuple)
                && ((PathTail) other).links.equals(links)
                && ((PathTail) other).egress.equals(egress);
    }

    @Override
    public int hashCode() {
        return Objects.hash(tuple, links);
    }

    @Override
    public String toString() {
        return tuple + " from " + links.get(0).src() + " by " + links.size() + " links";
    }
}
