// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

import java.util.Optional;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.PortCriterion;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.rules.TupleMatch;

/** The rule at which one direction of a subflow enters the network. Immutable. */
final class EdgeRule {
    private final ConnectPoint port;
    private final FiveTuple tuple;
    private final int hash;

    private EdgeRule(ConnectPoint port, FiveTuple tuple) {
        this.port = port;
        this.tuple = tuple;
        this.hash = 31 * port.hashCode() + tuple.hashCode();
    }

    /** Returns the rule of a subflow, for the direction of its SYN or the opposite one. */
    static EdgeRule of(Subflow subflow, boolean alongSyn) {
        return alongSyn ? new EdgeRule(subflow.ingress(), subflow.tuple())
                : new EdgeRule(subflow.egress(), subflow.tuple().reversed());
    }

    /** Returns the rule that an entry would be if packets entered the network at its port; empty if it is of another kind. */
    static Optional<EdgeRule> of(FlowEntry entry) {
        TrafficSelector selector = entry.selector();
        Criterion in = selector.getCriterion(Criterion.Type.IN_PORT);
        if (entry.priority() != RuleKind.SUBFLOW.priority() || !entry.table().equals(FlowRule.DEFAULT_TABLE)
                || in == null) {
            return Optional.empty();
        }
        ConnectPoint port = new ConnectPoint(entry.deviceId(), ((PortCriterion) in).port());
        return TupleMatch.tuple(selector)
                .filter(tuple -> selector.equals(exact(tuple, port, selector)))
                .map(tuple -> new EdgeRule(port, tuple));
    }

    /** Returns the match of a direction of a subflow at a port; with a destination address if the given match has one. */
    private static TrafficSelector exact(FiveTuple tuple, ConnectPoint port, TrafficSelector like) {
        TrafficSelector.Builder exact = DefaultTrafficSelector.builder(TupleMatch.of(tuple)).matchInPort(port.port());
        Criterion address = like.getCriterion(Criterion.Type.ETH_DST);
        return address == null ? exact.build() : exact.add(address).build();
    }

    /** Returns where packets enter. */
    ConnectPoint port() {
        return port;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EdgeRule
                && ((EdgeRule) other).hash == hash
                && ((EdgeRule) other).port.equals(port)
                && ((EdgeRule) other).tuple.equals(tuple);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
