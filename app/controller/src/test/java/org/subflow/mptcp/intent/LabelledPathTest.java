// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.HostId;
import org.onosproject.net.Link;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.criteria.Criteria;
import org.onosproject.net.flow.criteria.Criterion;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.topology.Nets;

/** Packets on paths with labels: walked through a fake flow table of the rules, they take the planned links to their host. */
class LabelledPathTest {
    static {
        IntentIds.bind();
    }

    private static final DefaultApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");
    private static final int SWITCHES = 7;
    /** That of the path in the test below. Whoever changes it makes a cluster of old and new nodes lose packets. */
    private static final String LABEL = "CA:42:E0:A3:08:F4";
    private static final MacAddress HOST = MacAddress.valueOf("00:00:00:00:00:02");

    private final MptcpIntentCompiler compiler = new MptcpIntentCompiler();

    /** Of some subflows nobody knows the hosts: they have exact rules. */
    @Property(tries = 200)
    void everyPacketOfEverySubflowArrivesAtItsHostAsItWasSentAndAlongThePlannedLinks(@ForAll long seed,
            @ForAll @IntRange(min = 1, max = 40) int subflows, @ForAll boolean someExact) {
        Random random = new Random(seed);
        List<SubflowRoute> routes = new ArrayList<>();
        for (int number = 0; number < subflows; number++) {
            SubflowRoute route = route(random, number, someExact);
            routes.add(route.labelled());
        }
        MptcpIntent intent = new MptcpIntent(APP, ConnectionId.of("c"), 1, routes);

        FakeSwitches switches = new FakeSwitches(rules(intent), allLinks());
        for (SubflowRoute route : routes) {
            arrives(switches, route.tuple, route.ingress, route.forward, route.egress);
            arrives(switches, route.tuple.reversed(), route.egress, route.backward, route.ingress);
        }
    }

    private static void arrives(FakeSwitches switches, FiveTuple tuple, ConnectPoint from, List<Link> links,
                                ConnectPoint to) {
        FakeSwitches.Arrival arrival = switches.send(from, tuple, mac(tuple.destination())).orElseThrow();
        assertEquals(to, arrival.port);
        assertEquals(links, arrival.way);
        assertEquals(mac(tuple.destination()), arrival.destination);
    }

    @Test
    void subflowsOnOnePathHaveARuleOfTheirOwnPerDirectionAndShareTheOthers() {
        List<SubflowRoute> routes = List.of(via(1000), via(1001), via(1002));
        MptcpIntent intent = new MptcpIntent(APP, ConnectionId.of("c"), 1, routes);

        assertEquals(6, compiler.compile(intent, null).stream()
                .mapToInt(one -> ((SubflowPathIntent) one).rules().size()).sum());
        assertEquals(2, intent.paths().size());
        intent.paths().forEach(path -> assertEquals(2, path.rules(APP).size()));
    }

    /** The path 1-3-2-5 has an exact rule at the last switch for packets from 2, as the labelled path has. */
    @Test
    void aPacketWithALabelMeetsNoExactRuleThatItsSubflowHasLeft() {
        SubflowRoute route = via(1000);
        SubflowRoute left = SubflowRoute.of(Subflow.unrouted(route.tuple, true, false, Nets.edge(1), Nets.edge(5))
                .withRoute(SubflowState.ACTIVE, List.of(Nets.link(1, 3), Nets.link(3, 2), Nets.link(2, 5)),
                           List.of(Nets.link(5, 2), Nets.link(2, 3), Nets.link(3, 1)), Nets.CAPACITY));
        List<FlowRule> rules = rules(new MptcpIntent(APP, ConnectionId.of("c"), 1, List.of(route.labelled())));
        rules(new MptcpIntent(APP, ConnectionId.of("c"), 1, List.of(left))).stream()
                .filter(rule -> !rules.contains(rule)).forEach(rules::add);

        assertEquals(2, rules.stream().filter(rule -> rule.deviceId().equals(Nets.device(5)) && rule.selector()
                .getCriterion(Criterion.Type.IN_PORT).equals(Criteria.matchInPort(Nets.port(5, 2).port()))).count());
        arrives(new FakeSwitches(rules, allLinks()), route.tuple, route.ingress, route.forward, route.egress);
    }

    private List<FlowRule> rules(MptcpIntent intent) {
        List<FlowRule> rules = new ArrayList<>();
        compiler.compile(intent, null).forEach(one -> rules.addAll(((SubflowPathIntent) one).rules()));
        intent.paths().forEach(path -> rules.addAll(path.rules(APP)));
        return rules;
    }

    @Test
    void packetsToAnotherAddressAreNotLedToTheHost() {
        SubflowRoute route = via(1000);
        MptcpIntent intent = new MptcpIntent(APP, ConnectionId.of("c"), 1, List.of(route));

        FakeSwitches switches = new FakeSwitches(rules(intent), Nets.diamondLinks());
        assertTrue(switches.send(Nets.edge(1), route.tuple, mac(route.tuple.destination())).isPresent());
        assertFalse(switches.send(Nets.edge(1), route.tuple, MacAddress.valueOf("00:00:00:00:00:99")).isPresent());
    }

    @Test
    void aLabelIsOneOfThePathAloneAndAlwaysTheSame() {
        List<Link> links = List.of(Nets.link(1, 2), Nets.link(2, 5));
        MacAddress label = new LabelledPath(links, Nets.edge(5), HOST).label;

        assertEquals(MacAddress.valueOf(LABEL), label, "another run or node must make the same one");
        Set<MacAddress> others = new HashSet<>(Arrays.asList(label,
                new LabelledPath(List.of(Nets.link(1, 3), Nets.link(3, 5)), Nets.edge(5), HOST).label,
                new LabelledPath(links, Nets.port(5, 101), HOST).label,
                new LabelledPath(links, Nets.edge(5), MacAddress.valueOf("00:00:00:00:00:03")).label));
        assertEquals(4, others.size());
    }

    @Property
    void aLabelIsLocalAndOfOneHost(@ForAll @IntRange(max = 65535) int host) {
        MacAddress label = new LabelledPath(List.of(Nets.link(1, 2)), Nets.edge(2), MacAddress.valueOf(host)).label;
        assertEquals(2, label.toBytes()[0] & 3);
        assertFalse(label.isMulticast());
        assertNotEquals(MacAddress.valueOf(host), label);
    }

    private static SubflowRoute via(int port) {
        Subflow subflow = Subflow.unrouted(tuple(1, 5, port, true), true, false, Nets.edge(1), Nets.edge(5))
                .withRoute(SubflowState.ACTIVE, List.of(Nets.link(1, 2), Nets.link(2, 5)),
                           List.of(Nets.link(5, 2), Nets.link(2, 1)), Nets.CAPACITY);
        return SubflowRoute.of(subflow).labelled();
    }

    /** A simple path between two switches of a complete graph; sometimes both hosts are at one switch. */
    private static SubflowRoute route(Random random, int number, boolean someExact) {
        List<Integer> switches = new ArrayList<>();
        for (int one = 1; one <= SWITCHES; one++) {
            switches.add(one);
        }
        Collections.shuffle(switches, random);
        int hops = random.nextInt(SWITCHES);
        List<Link> forward = new ArrayList<>();
        List<Link> backward = new ArrayList<>();
        for (int hop = 0; hop < hops; hop++) {
            forward.add(Nets.link(switches.get(hop), switches.get(hop + 1)));
            backward.add(0, Nets.link(switches.get(hop + 1), switches.get(hop)));
        }
        int first = switches.get(0);
        int last = switches.get(hops);
        return SubflowRoute.of(Subflow.unrouted(tuple(first, 10 + last, number + 1, !someExact || random.nextBoolean()), true,
                                                false, Nets.edge(first), Nets.port(last, 101))
                .withRoute(SubflowState.ACTIVE, forward, backward, Nets.CAPACITY));
    }

    private static FiveTuple tuple(int client, int server, int port, boolean hasHosts) {
        FiveTuple tuple = FiveTuple.of(IpAddress.valueOf("10.0.0." + client), port, IpAddress.valueOf("10.0.0." + server), 5201);
        return hasHosts ? tuple.between(HostId.hostId(mac(tuple.source())), HostId.hostId(mac(tuple.destination()))) : tuple;
    }

    private static MacAddress mac(IpAddress address) {
        return MacAddress.valueOf(address.getIp4Address().toInt() & 0xff);
    }

    private static List<Link> allLinks() {
        List<Link> links = new ArrayList<>();
        for (int from = 1; from <= SWITCHES; from++) {
            for (int to = 1; to <= SWITCHES; to++) {
                if (from != to) {
                    links.add(Nets.link(from, to));
                }
            }
        }
        return links;
    }
}
