// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.util.KryoNamespace;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.PortCriterion;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.IntentData;
import org.onosproject.store.serializers.KryoNamespaces;
import org.onosproject.store.service.Serializer;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.topology.Nets;

class MptcpIntentCompilerTest {
    static {
        IntentIds.bind();
    }

    private static final DefaultApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");
    private static final ConnectionId ID = ConnectionId.of("62c2ac68");

    private final MptcpIntentCompiler compiler = new MptcpIntentCompiler();

    @Test
    void eachSubflowBecomesTwoIntentsWithARulePerSwitchOfItsPath() {
        List<SubflowPathIntent> compiled = compile(via(1000, 2), via(1001, 3));

        assertEquals(List.of("1:100>2 2:1>5 5:2>100", "5:100>2 2:5>1 1:2>100", "1:100>3 3:1>5 5:3>100", "5:100>3 3:5>1 1:3>100"),
                     compiled.stream().map(MptcpIntentCompilerTest::hops).collect(Collectors.toList()));
    }

    @Test
    void bothDirectionsMatchTheExactFiveTuple() {
        List<SubflowPathIntent> compiled = compile(via(1000, 2));

        assertEquals("[ETH_TYPE:ipv4, IN_PORT:100, IPV4_DST:10.0.0.2/32, IPV4_SRC:10.0.0.1/32, IP_PROTO:6, TCP_DST:5201,"
                             + " TCP_SRC:1000]", criteria(compiled.get(0)));
        assertEquals("[ETH_TYPE:ipv4, IN_PORT:100, IPV4_DST:10.0.0.1/32, IPV4_SRC:10.0.0.2/32, IP_PROTO:6, TCP_DST:1000,"
                             + " TCP_SRC:5201]", criteria(compiled.get(1)));
    }

    @Test
    void noLinkIsAResourceSoThatOnosDoesNotCompileThemAgain() {
        MptcpIntent intent = new MptcpIntent(APP, ID, 1, List.of(SubflowRoute.of(via(1000, 2))));

        assertTrue(intent.resources().isEmpty());
        compiler.compile(intent, null).forEach(one -> assertTrue(one.resources().isEmpty()));
    }

    @Test
    void rulesAreAboveOtherApplicationsIntents() {
        List<FlowRule> rules = compile(via(1000, 2)).stream().flatMap(one -> one.rules().stream()).collect(Collectors.toList());

        assertEquals(6, rules.size());
        rules.forEach(rule -> assertTrue(rule.priority() > Intent.DEFAULT_INTENT_PRIORITY && rule.isPermanent()));
    }

    @Test
    void onosSeesThePathOfEachFromHostToHost() {
        List<SubflowPathIntent> compiled = compile(via(1000, 2), via(1001, 3));

        assertEquals(List.of(Nets.link(1, 2), Nets.link(2, 5)), compiled.get(0).links());
        assertEquals(List.of(Nets.link(5, 3), Nets.link(3, 1)), compiled.get(3).links());
        compiled.forEach(one -> {
            List<Link> links = one.path().links();
            assertTrue(one.isInstallable());
            assertEquals(Set.of(Nets.edge(1), Nets.edge(5)), Set.of(at(links.get(0).dst()), at(links.get(3).src())));
            assertEquals(Link.Type.EDGE, links.get(0).type());
            assertTrue(one.toString().contains(links.get(1).toString()), "what the command intents shows");
        });
        Set<Link> between = new HashSet<>();
        compiled.forEach(one -> one.links().forEach(link -> assertTrue(between.add(link), "disjoint paths share a link")));
    }

    private static ConnectPoint at(ConnectPoint location) {
        return new ConnectPoint(location.deviceId(), location.port());
    }

    /** As ONOS's store of intents does with a request that still waits; it registers ONOS's own classes only. */
    @Test
    void onosCanCopyThem() {
        Serializer store = Serializer.using(KryoNamespace.newBuilder()
                .register(KryoNamespaces.API)
                .nextId(KryoNamespaces.BEGIN_USER_CUSTOM_ID)
                .register(IntentData.class)
                .build());
        MptcpIntent intent = new MptcpIntent(APP, ID, 1, List.of(SubflowRoute.of(via(1000, 2))));
        List<Intent> compiled = compiler.compile(intent, null);
        IntentData copy = store.copy(IntentData.compiled(IntentData.submit(intent), compiled));
        assertEquals(2, copy.installables().size());
        assertSame(compiled.get(0), copy.installables().get(0));
    }

    @Test
    void hostsOnOneSwitchNeedNoLink() {
        Subflow local = Subflow.unrouted(tuple(1000), true, false, Nets.edge(1), Nets.port(1, 77))
                .withRoute(SubflowState.ACTIVE, List.of(), List.of(), 0);

        List<SubflowPathIntent> compiled = compile(local);

        assertEquals(2, compiled.size());
        assertEquals("1:100>77", hops(compiled.get(0)));
    }

    private List<SubflowPathIntent> compile(Subflow... subflows) {
        List<SubflowRoute> routes = List.of(subflows).stream().map(SubflowRoute::of).collect(Collectors.toList());
        return compiler.compile(new MptcpIntent(APP, ID, 1, routes), null).stream()
                .map(SubflowPathIntent.class::cast)
                .collect(Collectors.toList());
    }

    private static FiveTuple tuple(int port) {
        return FiveTuple.of(IpAddress.valueOf("10.0.0.1"), port, IpAddress.valueOf("10.0.0.2"), 5201);
    }

    private static Subflow via(int port, int middle) {
        return Subflow.unrouted(tuple(port), true, false, Nets.edge(1), Nets.edge(5))
                .withRoute(SubflowState.ACTIVE, List.of(Nets.link(1, middle), Nets.link(middle, 5)),
                           List.of(Nets.link(5, middle), Nets.link(middle, 1)), Nets.CAPACITY);
    }

    /** Returns switch, input port and output port of each rule. */
    private static String hops(SubflowPathIntent intent) {
        return intent.rules().stream().map(rule -> String.format("%d:%s>%s", number(rule.deviceId()),
                ((PortCriterion) rule.selector().getCriterion(Criterion.Type.IN_PORT)).port(),
                ((OutputInstruction) rule.treatment().allInstructions().get(0)).port())).collect(Collectors.joining(" "));
    }

    private static int number(DeviceId device) {
        return Integer.parseInt(device.toString().substring("of:".length()));
    }

    private static String criteria(SubflowPathIntent intent) {
        return intent.rules().iterator().next().selector().criteria().stream().map(Criterion::toString).sorted()
                .collect(Collectors.toList()).toString();
    }
}
