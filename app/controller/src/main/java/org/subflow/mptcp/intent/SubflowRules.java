// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Optional;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.rules.TupleMatch;

/**
 * Turns routes into rules and {@link SubflowPathIntent}s: one per subflow and direction. Where its
 * path has a label ({@link LabelledPath}), a direction has one rule of its own. Stateless.
 */
final class SubflowRules {
    private SubflowRules() {
    }

    /**
     * Returns two intents: one for the five-tuple's direction, then one for the opposite direction.
     *
     * @param intent the intent of the connection; not null
     * @param route  a route of the connection; not null
     */
    static List<SubflowPathIntent> of(MptcpIntent intent, SubflowRoute route) {
        return ImmutableList.of(
                intent(intent, route.tuple, route.ingress, route.forward, route.egress, route.forwardPath),
                intent(intent, route.tuple.reversed(), route.egress, route.backward, route.ingress,
                       route.backwardPath));
    }

    private static SubflowPathIntent intent(MptcpIntent of, FiveTuple tuple, ConnectPoint ingress,
                                            List<Link> links, ConnectPoint egress, Optional<LabelledPath> label) {
        TrafficSelector match = TupleMatch.of(tuple);
        return SubflowPathIntent.of(of, tuple, match, ingress, links, egress, label
                .map(path -> labelling(of.appId(), match, ingress, links, path))
                .orElseGet(() -> rules(of.appId(), match, ingress, links, egress)));
    }

    /** Returns the one rule of a subflow's direction whose path has a label: its frames go to the host that the path restores. */
    private static List<FlowRule> labelling(ApplicationId appId, TrafficSelector match, ConnectPoint ingress, List<Link> links,
                                            LabelledPath path) {
        return ImmutableList.of(rule(appId, match, ingress, DefaultTrafficTreatment.builder().setEthDst(path.label),
                                     links.get(0).src()));
    }

    private static List<FlowRule> rules(ApplicationId appId, TrafficSelector match, ConnectPoint ingress, List<Link> links,
                                        ConnectPoint egress) {
        ImmutableList.Builder<FlowRule> rules = ImmutableList.builder();
        ConnectPoint in = ingress;
        for (Link link : links) {
            rules.add(rule(appId, match, in, DefaultTrafficTreatment.builder(), link.src()));
            in = link.dst();
        }
        return rules.add(rule(appId, match, in, DefaultTrafficTreatment.builder(), egress)).build();
    }

    private static FlowRule rule(ApplicationId appId, TrafficSelector match, ConnectPoint in, TrafficTreatment.Builder treatment,
                                 ConnectPoint out) {
        checkArgument(in.deviceId().equals(out.deviceId()), "%s and %s are not on one switch", in, out);
        return RuleKind.SUBFLOW.rule(appId, in.deviceId(),
                                     DefaultTrafficSelector.builder(match).matchInPort(in.port()).build(),
                                     treatment.setOutput(out.port()).build());
    }
}
