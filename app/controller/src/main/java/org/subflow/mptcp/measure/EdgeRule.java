// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

import org.onosproject.core.ApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
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

    /** Returns a rule that matches the same packets; it takes much longer than what else is here. */
    FlowRule rule(ApplicationId appId) {
        return RuleKind.SUBFLOW.rule(appId, port.deviceId(),
                                     DefaultTrafficSelector.builder(TupleMatch.of(tuple)).matchInPort(port.port()).build(),
                                     DefaultTrafficTreatment.emptyTreatment());
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
