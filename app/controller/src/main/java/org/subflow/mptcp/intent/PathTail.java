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
 * The end of a way through the switches, from behind the switch where it leaves another way of the same packets: what can be
 * installed before the packets are sent there, and what can stay until the last of them has passed. Immutable.
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

    /** Returns the packets that take it. */
    FiveTuple tuple() {
        return tuple;
    }

    /** Returns the links; the first one leads from the switch where the ways part to the first switch with a rule. */
    List<Link> links() {
        return links;
    }

    /** Returns the port behind which the packets' destination is. */
    ConnectPoint egress() {
        return egress;
    }

    /**
     * Finds what one route has beyond another of the same subflow, in both directions.
     *
     * @param route what is to be added
     * @param other what is there
     * @return up to two tails, none for the same way; empty if a switch would have to send the same packets two ways at once
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
        int parting = 0;
        while (parting < links.size() && links.get(parting).src().equals(other.get(in(ingress, links, parting)))) {
            parting++;
        }
        for (int i = parting + 1; i <= links.size(); i++) {
            ConnectPoint in = in(ingress, links, i);
            if (other.containsKey(in) && !other.get(in).equals(hops.get(in))) {
                return false;
            }
        }
        if (parting < links.size()) {
            tails.add(new PathTail(tuple, links.subList(parting, links.size()), egress));
        }
        return true;
    }

    private static ConnectPoint in(ConnectPoint ingress, List<Link> links, int hop) {
        return hop == 0 ? ingress : links.get(hop - 1).dst();
    }

    /** Returns the ports by which packets leave a switch, by the ports by which they enter it. */
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
