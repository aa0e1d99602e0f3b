// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.packet.VlanId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.HostId;
import org.onosproject.net.Link;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperation;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.PortCriterion;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.rules.KnownSwitches;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.KnownHosts;
import org.subflow.mptcp.topology.KnownInterfaces;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.StillView;

class PlainTrafficTest {
    private static final int SWITCHES = 5;
    private static final int CONNECTIONS = 100;
    private static final FiveTuple TUPLE =
            FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 1000, IpAddress.valueOf("10.0.0.2"), 80);

    private final List<FlowRule> rules = new ArrayList<>();
    private final List<FlowRuleOperations> applied = new ArrayList<>();
    private FlowEntryState state = FlowEntryState.ADDED;
    private long nanos;
    private int reads;
    private NetworkSnapshot network = Nets.diamond();
    private final KnownHosts hosts = new KnownHosts();
    private final Set<Runnable> waiting = new LinkedHashSet<>();
    private final PlainTraffic traffic = new PlainTraffic(new OwnRules(new FlowRuleServiceAdapter() {
        @Override
        public void apply(FlowRuleOperations operations) {
            applied.add(operations);
            for (Set<FlowRuleOperation> stage : operations.stages()) {
                for (FlowRuleOperation operation : stage) {
                    if (operation.type() == FlowRuleOperation.Type.REMOVE) {
                        rules.remove(operation.rule());
                    } else {
                        rules.add(operation.rule());
                    }
                }
            }
        }

        @Override
        public Iterable<FlowEntry> getFlowEntries(DeviceId device) {
            reads++;
            return rules.stream().filter(rule -> rule.deviceId().equals(device)).map(rule -> new DefaultFlowEntry(rule, state))
                    .collect(Collectors.toList());
        }
    }, new KnownSwitches(SWITCHES), new DefaultApplicationId(7, "org.subflow.mptcp")), (StillView) () -> network,
            new Attachments(hosts, port -> true, new KnownInterfaces().own(), () -> { }),
            () -> Settings.DEFAULTS.with(Settings.PLAIN_IDLE_SECONDS, 10), task -> () -> waiting.add(task), () -> nanos);

    @BeforeEach
    void attach() {
        hosts.add(1, VlanId.NONE, Nets.edge(1), TUPLE.source());
        hosts.add(2, VlanId.NONE, Nets.edge(5), TUPLE.destination());
    }

    private void forward() {
        traffic.forward(TUPLE, Nets.edge(1), Nets.edge(5));
    }

    @Test
    void aServicesRulesMatchEveryPortOfTheClientAndGoByThemselves() {
        traffic.forwardService(TUPLE, Nets.edge(1), Nets.edge(5), BusyServices.UNSEEN_SECONDS);

        assertEquals(6, rules.size());
        for (FlowRule rule : rules) {
            boolean there = rule.selector().getCriterion(Criterion.Type.TCP_DST) != null;
            assertEquals(there, rule.selector().getCriterion(Criterion.Type.TCP_SRC) == null, "the server's port alone");
            assertTrue(rule.selector().getCriterion(Criterion.Type.IPV4_SRC) != null);
            assertTrue(rule.priority() > RuleKind.WATCH.priority() && rule.priority() < RuleKind.PLAIN.priority());
        }
    }

    @Test
    void aServicesRulesGoAfterTheTimeWhereItsPacketsComeInAndElsewhereWhenNoneComes() {
        traffic.forwardService(TUPLE, Nets.edge(1), Nets.edge(5), 8);

        for (FlowRule rule : rules) {
            ConnectPoint in = new ConnectPoint(rule.deviceId(), ((PortCriterion) rule.selector().getCriterion(
                    Criterion.Type.IN_PORT)).port());
            boolean isFirst = Set.of(Nets.edge(1), Nets.edge(5)).contains(in);
            assertEquals(isFirst ? 8 : 0, rule.hardTimeout(), () -> "at " + in);
            assertTrue(isFirst || rule.timeout() == 10 && !rule.isPermanent(), () -> "at " + in);
        }
    }

    @Test
    void aServicesRulesMatchItsHostsWithAllTheirAddressesAndThoseBehindARouterByAddress() {
        FiveTuple tuple = TUPLE.between(HostId.hostId("00:00:00:00:00:01/None"), HostId.hostId("00:00:00:00:00:08/None"));
        ServiceMatch match = new ServiceMatch(tuple, one -> one.source().equals(tuple.source()));

        assertEquals(Set.of(Criterion.Type.ETH_SRC_MASKED, Criterion.Type.ETH_DST, Criterion.Type.VLAN_VID, Criterion.Type.ETH_TYPE,
                            Criterion.Type.IP_PROTO, Criterion.Type.IPV4_DST, Criterion.Type.TCP_DST), types(match.there()));
        assertEquals(Set.of(Criterion.Type.ETH_SRC_MASKED, Criterion.Type.ETH_DST, Criterion.Type.VLAN_VID, Criterion.Type.ETH_TYPE,
                            Criterion.Type.IP_PROTO, Criterion.Type.IPV4_SRC, Criterion.Type.TCP_SRC), types(match.back()));
    }

    private static Set<Criterion.Type> types(TrafficSelector selector) {
        return selector.criteria().stream().map(Criterion::type).collect(Collectors.toSet());
    }

    @Test
    void rulesLeadFromHostToHostAndBackOnTheSameLinks() {
        forward();

        List<ConnectPoint> there = walk(TUPLE.sourcePort(), Nets.edge(1));
        List<ConnectPoint> back = walk(TUPLE.destinationPort(), Nets.edge(5));
        assertEquals(Nets.edge(5), there.get(there.size() - 1));
        assertEquals(Nets.edge(1), back.get(back.size() - 1));
        assertEquals(6, rules.size());
        assertEquals(3, rules.stream().map(FlowRule::deviceId).distinct().count());
    }

    @Test
    void whatComesInElsewhereGetsRulesFromThereOnlyOnce() {
        traffic.forwardFrom(Nets.edge(3), TUPLE);
        traffic.forwardFrom(Nets.edge(3), TUPLE);
        List<ConnectPoint> there = walk(TUPLE.sourcePort(), Nets.edge(3));
        assertEquals(Nets.edge(5), there.get(there.size() - 1));
        assertEquals(2, rules.size(), "nobody else's packets are led there");
    }

    @Test
    void rulesStandBetweenTheWatchRuleAndIntentsAndTimeOut() {
        forward();

        rules.forEach(rule -> {
            assertTrue(rule.priority() > RuleKind.WATCH.priority() && rule.priority() < 100);
            assertFalse(rule.isPermanent());
            assertEquals(10, rule.timeout());
        });
    }

    @Test
    void thePacketsThatOvertakeTheRulesDoNotAskAgain() {
        forward();
        forward();
        traffic.forward(TUPLE.reversed(), Nets.edge(5), Nets.edge(1));

        assertEquals(6, rules.size());
        nanos += TimeUnit.SECONDS.toNanos(1);
        forward();
        assertEquals(2, applied.size(), "they have timed out if a packet comes later");
    }

    @Test
    void hostsOnOneSwitchNeedTwoRules() {
        traffic.forward(TUPLE, Nets.edge(1), Nets.port(1, 77));

        assertEquals(2, rules.size());
    }

    @Test
    void aLinkWithoutCapacityStillForwards() {
        network = NetworkSnapshot.of(Set.of(Nets.device(1), Nets.device(2)),
                                     Nets.bothWays(new int[][] {{1, 2}}), link -> Nets.capacity(0));

        traffic.forward(TUPLE, Nets.edge(1), Nets.edge(2));
        assertEquals(4, rules.size());
    }

    @Test
    void withoutAPathNothingIsInstalled() {
        network = NetworkSnapshot.of(Set.of(Nets.device(1), Nets.device(2)), List.of(), link -> Nets.capacity(1));

        traffic.forward(TUPLE, Nets.edge(1), Nets.edge(2));
        traffic.forward(TUPLE, Nets.edge(1), Nets.edge(9));
        assertTrue(rules.isEmpty());
    }

    /** Returns where rules lead. */
    private static Stream<ConnectPoint> ways(List<FlowRule> rules) {
        return rules.stream().map(rule -> new ConnectPoint(
                rule.deviceId(), ((OutputInstruction) rule.treatment().allInstructions().get(0)).port()));
    }

    private void replaceBroken(NetworkSnapshot now, int serverAt) {
        hosts.add(2, VlanId.NONE, Nets.edge(serverAt), TUPLE.destination());
        network = now;
        traffic.replaceBrokenRules();
        run();
    }

    private void run() {
        List<Runnable> tasks = List.copyOf(waiting);
        waiting.clear();
        tasks.forEach(Runnable::run);
    }

    @Test
    void rulesAlongALostLinkAreReplacedInBothDirectionsByThoseOnAnotherWay() {
        forward();
        List<FlowRule> before = List.copyOf(rules);
        replaceBroken(Nets.diamond(), 5);
        assertEquals(before, rules, "nothing is broken");

        ConnectPoint first = walk(TUPLE.sourcePort(), Nets.edge(1)).get(0);
        replaceBroken(Nets.snapshot(without(first)), 5);
        assertEquals(6, rules.size());
        List<ConnectPoint> there = walk(TUPLE.sourcePort(), Nets.edge(1));
        assertNotEquals(first, there.get(0));
        assertEquals(Nets.edge(5), there.get(there.size() - 1));
        List<ConnectPoint> back = walk(TUPLE.destinationPort(), Nets.edge(5));
        assertEquals(Nets.edge(1), back.get(back.size() - 1));
    }

    @Test
    void aServicesRulesGoWithALinkOrWithItsHosts() {
        FiveTuple tuple = TUPLE.between(HostId.hostId("00:00:00:00:00:01/None"), HostId.hostId("00:00:00:00:00:02/None"));
        traffic.forwardService(tuple, Nets.edge(1), Nets.edge(5), 8);
        replaceBroken(Nets.diamond(), 5);
        assertEquals(6, rules.size(), "nothing is broken");
        replaceBroken(Nets.snapshot(without(ways(rules).findFirst().orElseThrow())), 5);
        assertEquals(List.of(), rules);

        traffic.forwardService(tuple, Nets.edge(1), Nets.edge(5), 8);
        state = FlowEntryState.PENDING_REMOVE;
        replaceBroken(network, 4);
        assertEquals(6, rules.size(), "they are on their way out");
        state = FlowEntryState.ADDED;
        replaceBroken(network, 4);
        assertEquals(List.of(), rules, "the server has moved");
    }

    @Test
    void withoutAnotherWayTheyJustGoAndComeAtOnceWhenThereIsOneAgain() {
        forward();
        replaceBroken(Nets.snapshot(List.of()), 5);
        assertTrue(rules.isEmpty());
        network = Nets.diamond();
        forward();
        assertEquals(6, rules.size(), "although they were installed a moment ago");
    }

    @Test
    void rulesThatCameOrWereRefusedAfterAChangeAreLookedAtOnceMore() {
        forward();
        network = Nets.snapshot(List.of());
        applied.remove(0).callback().onError(null);
        assertEquals(1, waiting.size());
        run();
        assertTrue(rules.isEmpty());

        network = Nets.diamond();
        applied.remove(0).callback().onSuccess(null);
        assertEquals(1, waiting.size(), "perhaps there is a way again");
    }

    private void forwardMany() {
        for (int port = 1; port <= CONNECTIONS; port++) {
            traffic.forward(FiveTuple.of(TUPLE.source(), port, TUPLE.destination(), 80), Nets.edge(1), Nets.edge(5));
        }
    }

    private void installed() {
        List<FlowRuleOperations> done = List.copyOf(applied);
        applied.clear();
        done.forEach(operations -> operations.callback().onSuccess(operations));
    }

    @Test
    void rulesThatComeAfterAChangeAreLookedAtOnceForAllOfThem() {
        forwardMany();
        assertEquals(CONNECTIONS, applied.size());
        network = Nets.snapshot(Nets.diamondLinks().subList(2, Nets.diamondLinks().size()));
        installed();
        assertEquals(0, reads, "not on ONOS's threads");
        assertEquals(1, waiting.size());
        run();
        assertEquals(SWITCHES, reads, "each switch once");
    }

    @Test
    void onTheNetworkThatTheyWereMadeForNobodyLooksAtThem() {
        forwardMany();
        installed();
        assertEquals(Set.of(), waiting);
    }

    @Test
    void rulesThatAreOnTheirWayOutAreNotReplaced() {
        forward();
        List<FlowRule> before = List.copyOf(rules);
        state = FlowEntryState.PENDING_REMOVE;
        replaceBroken(Nets.snapshot(List.of()), 5);
        assertEquals(before, rules);
    }

    @Test
    void rulesToAHostThatHasMovedLeadToItsNewPort() {
        forward();
        replaceBroken(Nets.diamond(), 4);
        List<ConnectPoint> there = walk(TUPLE.sourcePort(), Nets.edge(1));
        assertEquals(Nets.edge(4), there.get(there.size() - 1));
        assertEquals(4, rules.size());
    }

    private static List<Link> without(ConnectPoint end) {
        return Nets.diamondLinks().stream().filter(link -> !link.src().equals(end) && !link.dst().equals(end))
                .collect(Collectors.toList());
    }

    /** Follows the rules of one direction, named by its TCP source port, from a switch port. */
    private List<ConnectPoint> walk(int sourcePort, ConnectPoint start) {
        List<ConnectPoint> way = new ArrayList<>();
        ConnectPoint at = start;
        for (int hop = 0; hop < 10; hop++) {
            ConnectPoint in = at;
            List<FlowRule> matching = rules.stream()
                    .filter(rule -> rule.deviceId().equals(in.deviceId()))
                    .filter(rule -> rule.selector().getCriterion(Criterion.Type.TCP_SRC).toString()
                            .equals("TCP_SRC:" + sourcePort))
                    .filter(rule -> ((PortCriterion) rule.selector().getCriterion(Criterion.Type.IN_PORT)).port()
                            .equals(in.port()))
                    .collect(Collectors.toList());
            assertEquals(1, matching.size(), () -> "rules at " + in);
            ConnectPoint out = new ConnectPoint(in.deviceId(), ((OutputInstruction)
                    matching.get(0).treatment().allInstructions().get(0)).port());
            way.add(out);
            ConnectPoint from = out;
            List<ConnectPoint> next = Nets.diamondLinks().stream().filter(link -> link.src().equals(from))
                    .map(link -> link.dst()).collect(Collectors.toList());
            if (next.isEmpty()) {
                return way;
            }
            at = next.get(0);
        }
        throw new AssertionError("the rules lead in a circle: " + way);
    }
}
