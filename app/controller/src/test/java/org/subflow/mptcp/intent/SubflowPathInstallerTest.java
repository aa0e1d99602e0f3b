// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.HostId;
import org.onosproject.net.Link;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperation;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.PortCriterion;
import org.onosproject.net.intent.IntentInstallCoordinator;
import org.onosproject.net.intent.IntentInstallationContext;
import org.onosproject.net.intent.IntentOperationContext;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.rules.KnownSwitches;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.topology.Nets;

/** In which order the rules of subflows that come, move and go are written. */
class SubflowPathInstallerTest {
    static {
        IntentIds.bind();
    }

    private static final DefaultApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");
    private static final HostId CLIENT = HostId.hostId(MacAddress.valueOf(1));
    private static final HostId SERVER = HostId.hostId(MacAddress.valueOf(2));

    private final Set<Link> down = new HashSet<>();
    private final MptcpIntentCompiler compiler = new MptcpIntentCompiler();
    private final List<FlowRuleOperations> written = new ArrayList<>();
    private final List<String> outcomes = new ArrayList<>();
    private final SubflowPathInstaller installer = new SubflowPathInstaller(new OwnRules(new FlowRuleServiceAdapter() {
        @Override
        public void apply(FlowRuleOperations operations) {
            written.add(operations);
        }
    }, new KnownSwitches(5), new DefaultApplicationId(7, "org.subflow.mptcp")), new Coordinator(), link -> !down.contains(link));

    @Test
    void theRulesOfANewConnectionComeAtOnce() {
        apply(List.of(), paths(route(2)));
        assertEquals(List.of("ADD 1:100>2 1:2>100 2:1>5 2:5>1 5:100>2 5:2>100"), stages());
        assertEquals(List.of(), outcomes, "the switches have not confirmed them");
        written.get(0).callback().onSuccess(written.get(0));
        assertEquals(List.of("installed"), outcomes);
    }

    @Test
    void aMoveWritesNewRulesBeforeChangedOnesAndLeavesThoseOfThePathWithPackets() {
        apply(paths(route(2)), paths(route(3)));
        assertEquals(List.of("ADD 1:3>100 3:1>5 3:5>1 5:3>100", "MODIFY 1:100>3 5:100>3"), stages());
    }

    @Test
    void aSubflowThatHasLostItsPathWaitsForNothing() {
        down.add(Nets.link(2, 5));
        apply(paths(route(2)), paths(route(3)));
        assertEquals(List.of("ADD 1:3>100 3:1>5 3:5>1 5:3>100, MODIFY 1:100>3, REMOVE 2:1>5 5:2>100", "MODIFY 5:100>3"), stages(),
                     "the other direction's links work");
    }

    @Test
    void nobodyWaitsForTheRulesOfASubflowThatHasEndedOrWhoseHostHasMoved() {
        SubflowRoute stays = route(2);
        apply(paths(stays, route(1001, Nets.edge(1), 3)), paths(stays));
        apply(paths(route(1000, Nets.edge(1), 2)), paths(route(1000, Nets.port(1, 77), 2)));
        assertEquals(List.of("REMOVE 1:100>3 1:3>100 3:1>5 3:5>1 5:100>3 5:3>100", "ADD 1:77>2, REMOVE 1:100>2", "MODIFY 1:2>77"),
                     stages());
    }

    @Test
    void whatHasNotChangedIsNotWritten() {
        apply(paths(route(2)), paths(route(2)));
        assertEquals(List.of(), stages());
        assertEquals(List.of("installed"), outcomes);
    }

    @Test
    void withAndWithoutALabelTheFirstSwitchesChange() {
        apply(paths(route(2)), paths(route(2).labelled()));
        assertEquals(List.of("MODIFY 1:100>2 5:100>2"), stages(), "the exact rules behind them have packets still");
        written.clear();
        apply(paths(route(2).labelled()), paths(route(3)));
        assertEquals(List.of("ADD 1:3>100 3:1>5 3:5>1 5:3>100", "MODIFY 1:100>3 5:100>3"), stages());
    }

    @Test
    void aWithdrawalRemovesAll() {
        apply(paths(route(2)), List.of());
        assertEquals(List.of("REMOVE 1:100>2 1:2>100 2:1>5 2:5>1 5:100>2 5:2>100"), stages());
    }

    @Test
    void aStageThatSeveralSwitchesRefuseIsOneFailure() {
        apply(paths(route(2)), paths(route(3)));
        written.get(0).callback().onError(written.get(0));
        written.get(0).callback().onError(written.get(0));
        assertEquals(List.of("failed"), outcomes);
    }

    private void apply(List<SubflowPathIntent> before, List<SubflowPathIntent> after) {
        installer.apply(new IntentOperationContext<>(before, after, new IntentInstallationContext(null, null)));
    }

    private List<SubflowPathIntent> paths(SubflowRoute... routes) {
        return compiler.compile(new MptcpIntent(APP, ConnectionId.of("c"), 1, List.of(routes)), null).stream()
                .map(SubflowPathIntent.class::cast).collect(Collectors.toList());
    }

    private static SubflowRoute route(int middle) {
        return route(1000, Nets.edge(1), middle);
    }

    private static SubflowRoute route(int port, ConnectPoint ingress, int middle) {
        FiveTuple tuple = FiveTuple.of(IpAddress.valueOf("10.0.0.1"), port, IpAddress.valueOf("10.0.0.2"), 5201)
                .between(CLIENT, SERVER);
        return SubflowRoute.of(Subflow.unrouted(tuple, true, false, ingress, Nets.edge(5))
                .withRoute(SubflowState.ACTIVE, List.of(Nets.link(1, middle), Nets.link(middle, 5)),
                           List.of(Nets.link(5, middle), Nets.link(middle, 1)), Nets.CAPACITY));
    }

    /** Returns the stages of all that was written: the kind of each operation with switch, input port and output port. */
    private List<String> stages() {
        List<String> stages = new ArrayList<>();
        written.forEach(operations -> operations.stages().forEach(stage -> {
            Map<FlowRuleOperation.Type, Set<String>> byType = new TreeMap<>();
            stage.forEach(one -> byType.computeIfAbsent(one.type(), unused -> new TreeSet<>()).add(hop(one.rule())));
            stages.add(byType.entrySet().stream().map(all -> all.getKey() + " " + String.join(" ", all.getValue()))
                               .collect(Collectors.joining(", ")));
        }));
        return stages;
    }

    private static String hop(FlowRule rule) {
        PortCriterion in = (PortCriterion) rule.selector().getCriterion(Criterion.Type.IN_PORT);
        Optional<String> out = rule.treatment().allInstructions().stream().map(Object::toString)
                .filter(text -> text.startsWith("OUTPUT:")).map(text -> text.substring("OUTPUT:".length())).findFirst();
        return String.format("%d:%s>%s", number(new ConnectPoint(rule.deviceId(), in.port())), in.port(), out.orElseThrow());
    }

    private static int number(ConnectPoint at) {
        return Integer.parseInt(at.deviceId().toString().substring("of:".length()));
    }

    /** Hears the outcomes. ONOS's interface has raw types. */
    @SuppressWarnings("rawtypes")
    private final class Coordinator implements IntentInstallCoordinator {
        @Override
        public void intentInstallSuccess(IntentOperationContext context) {
            outcomes.add("installed");
        }

        @Override
        public void intentInstallFailed(IntentOperationContext context) {
            outcomes.add("failed");
        }
    }
}
