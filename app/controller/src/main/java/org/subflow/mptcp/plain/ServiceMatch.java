// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plain;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableSet;
import java.util.Set;
import java.util.function.Predicate;
import org.onosproject.net.HostId;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.Criterion.Type;
import org.onosproject.net.flow.criteria.EthCriterion;
import org.onosproject.net.flow.criteria.VlanIdCriterion;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.rules.TupleMatch;

/**
 * What the packets of all connections of a client to one port of a server have in common, in each direction. A host's own
 * addresses do not count, only the host does: subflows that join from further addresses are meant, too. An address behind a router
 * counts. Immutable.
 */
public final class ServiceMatch {
    private static final Set<Type> SOURCE = ImmutableSet.of(Type.IPV4_SRC, Type.IPV6_SRC);
    private static final Set<Type> DESTINATION = ImmutableSet.of(Type.IPV4_DST, Type.IPV6_DST);

    private final FiveTuple initiators;
    private final boolean isOwnClient;
    private final boolean isOwnServer;

    /**
     * Makes a match.
     *
     * @param initiators one of the connections, as its client sends it; not null
     * @param isOwn      whether the source address of a five-tuple is one of the host that sends its frames; not null
     */
    public ServiceMatch(FiveTuple initiators, Predicate<FiveTuple> isOwn) {
        this.initiators = checkNotNull(initiators, "initiators");
        this.isOwnClient = initiators.hasHosts() && isOwn.test(initiators);
        this.isOwnServer = initiators.hasHosts() && isOwn.test(initiators.reversed());
    }

    /** Returns the match of what the client sends. */
    TrafficSelector there() {
        return match(initiators, isOwnClient, isOwnServer, Type.TCP_SRC);
    }

    /** Returns the match of what the server sends. */
    TrafficSelector back() {
        return match(initiators.reversed(), isOwnServer, isOwnClient, Type.TCP_DST);
    }

    /** Returns the host to which a match of this kind leads; {@link HostId#NONE} if it tells none. */
    static HostId destination(TrafficSelector match) {
        EthCriterion host = (EthCriterion) match.getCriterion(Type.ETH_DST);
        VlanIdCriterion vlan = (VlanIdCriterion) match.getCriterion(Type.VLAN_VID);
        return host == null || vlan == null ? HostId.NONE : HostId.hostId(host.mac(), vlan.vlanId());
    }

    /** Leaves the client's port out of a five-tuple's match, and addresses that their hosts stand for. */
    private static TrafficSelector match(FiveTuple tuple, boolean isOwnSource, boolean isOwnDestination, Type clientPort) {
        TrafficSelector.Builder match = DefaultTrafficSelector.builder();
        for (Criterion criterion : TupleMatch.of(tuple).criteria()) {
            Type type = criterion.type();
            boolean isLeftOut = type == clientPort || isOwnSource && SOURCE.contains(type)
                    || isOwnDestination && DESTINATION.contains(type);
            if (!isLeftOut) {
                match.add(criterion);
            }
        }
        return match.build();
    }
}
