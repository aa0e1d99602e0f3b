// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onlab.packet.Ethernet;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flowobjective.ForwardingObjective;
import org.onosproject.net.host.HostEvent;
import org.onosproject.net.link.LinkEvent;

/** Which way packets go on a network of two switches, and which rules they leave behind. */
class ReactiveForwardingTest {
    private static final ConnectPoint H1_PORT = Network.S1.port(1);
    private static final String H1 = "02:00:00:00:00:01";
    /** On the same switch as {@link #H1}. */
    private static final String NEIGHBOUR = "02:00:00:00:00:02";
    /** On the other switch. */
    private static final String REMOTE = "02:00:00:00:00:03";
    private static final String STRANGER = "02:00:00:00:00:99";
    private static final String BROADCAST = "ff:ff:ff:ff:ff:ff";

    private final Network network = new Network();

    @BeforeEach
    void attach() {
        network.attach(H1, H1_PORT);
        network.attach(H1, H1_PORT);
        network.attach(NEIGHBOUR, Network.S1.port(2));
        network.attach(REMOTE, Network.S2.port(1));
        network.start(Map.of());
    }

    @AfterEach
    void stop() {
        network.stop();
    }

    @Test
    void aPacketToANeighbourGoesOutOfTheNeighboursPort() {
        assertEquals("2", network.send(H1, NEIGHBOUR, Ethernet.TYPE_IPV4, H1_PORT));
    }

    @Test
    void itsRuleMatchesTheTwoHostsAndThePortForAWhile() {
        network.send(H1, NEIGHBOUR, Ethernet.TYPE_IPV4, H1_PORT);
        ForwardingObjective rule = network.onlyRule();
        assertEquals(DefaultTrafficSelector.builder().matchInPort(H1_PORT.port())
                .matchEthSrc(MacAddress.valueOf(H1)).matchEthDst(MacAddress.valueOf(NEIGHBOUR)).build(), rule.selector());
        assertEquals(DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(2)).build(), rule.treatment());
        assertEquals(10, rule.priority());
        assertEquals(10, rule.timeout());
        assertFalse(rule.permanent());
    }

    @Test
    void ofATaggedPacketTheRuleMatchesTheVlanToo() {
        assertEquals("2", network.sendTagged(H1, NEIGHBOUR, (short) 10, H1_PORT));
        assertEquals(DefaultTrafficSelector.builder().matchInPort(H1_PORT.port()).matchEthSrc(MacAddress.valueOf(H1))
                .matchEthDst(MacAddress.valueOf(NEIGHBOUR)).matchVlanId(VlanId.vlanId((short) 10)).build(),
                network.onlyRule().selector());
    }

    @Test
    void whatComesFromAStrangerIsForwardedWithoutARule() {
        assertEquals("2", network.send(STRANGER, NEIGHBOUR, Ethernet.TYPE_IPV4, H1_PORT));
        assertEquals(List.of(), network.rules);
    }

    @Test
    void ofManyPacketsOfStrangersSomeAreForwarded() {
        for (int i = 0; i < ReactiveForwarding.MOST_PER_SECOND; i++) {
            network.send(STRANGER, NEIGHBOUR, Ethernet.TYPE_IPV4, H1_PORT);
        }
        assertEquals("blocked", network.send(STRANGER, NEIGHBOUR, Ethernet.TYPE_IPV4, H1_PORT));
        assertEquals("2", network.send(STRANGER, NEIGHBOUR, Ethernet.TYPE_ARP, H1_PORT), "else nobody would get known");
        assertEquals("2", network.send(H1, NEIGHBOUR, Ethernet.TYPE_IPV4, H1_PORT));
    }

    @Test
    void aPacketWaitsForItsRule() {
        network.rulesTakeTime = true;
        assertEquals("blocked", network.send(H1, NEIGHBOUR, Ethernet.TYPE_IPV4, H1_PORT));
        ForwardingObjective rule = network.onlyRule();
        rule.context().get().onSuccess(rule);
        assertEquals(List.of("2"), network.outputs);
    }

    @Test
    void aPacketNeedNotWait() {
        network.configure(Map.of(ReactiveForwarding.PACKET_AFTER_RULE, "false"));
        network.rulesTakeTime = true;
        assertEquals("2", network.send(H1, NEIGHBOUR, Ethernet.TYPE_IPV4, H1_PORT));
        assertEquals(1, network.rules.size());
    }

    @Test
    void aPacketGoesOnIfItsRuleIsRefused() {
        network.rulesAreRefused = true;
        assertEquals("2", network.send(H1, NEIGHBOUR, Ethernet.TYPE_IPV4, H1_PORT));
    }

    @Test
    void aPacketToAnotherSwitchTakesAShortestPath() {
        assertEquals("100", network.send(H1, REMOTE, Ethernet.TYPE_IPV4, H1_PORT));
        assertEquals(1, network.rules.size());
    }

    @Test
    void aPacketNeverGoesBackToWhereItCameFrom() {
        assertEquals("FLOOD", network.send(H1, REMOTE, Ethernet.TYPE_IPV4, Network.S1.port(100)), "no other way");
        assertEquals("nothing", network.send(STRANGER, H1, Ethernet.TYPE_IPV4, H1_PORT), "the host has had it");
        assertEquals(List.of(), network.rules);
    }

    @Test
    void aPacketToAStrangerIsFloodedWhereFloodingIsSafe() {
        assertEquals("FLOOD", network.send(H1, STRANGER, Ethernet.TYPE_IPV4, H1_PORT));
        network.floodingIsSafe = false;
        assertEquals("blocked", network.send(H1, STRANGER, Ethernet.TYPE_IPV4, H1_PORT));
        assertEquals(List.of(), network.rules);
    }

    @Test
    void ofAStormFromAHostSomeIsFlooded() {
        for (int i = 0; i < 10 * ReactiveForwarding.MOST_PER_SECOND; i++) {
            network.send(H1, BROADCAST, Ethernet.TYPE_ARP, H1_PORT);
        }
        assertEquals("blocked", network.send(H1, BROADCAST, Ethernet.TYPE_IPV4, H1_PORT));
        assertEquals("FLOOD", network.send(NEIGHBOUR, BROADCAST, Ethernet.TYPE_ARP, Network.S1.port(2)), "another port");
        assertEquals("FLOOD", network.send(H1, BROADCAST, Ethernet.TYPE_ARP, Network.S2.port(100)), "another switch");
        assertEquals("2", network.send(H1, NEIGHBOUR, Ethernet.TYPE_ARP, H1_PORT), "to a host that is known");
    }

    @Test
    void arpIsForwardedWithoutARule() {
        assertEquals("2", network.send(H1, NEIGHBOUR, Ethernet.TYPE_ARP, H1_PORT));
        assertEquals("FLOOD", network.send(H1, "ff:ff:ff:ff:ff:ff", Ethernet.TYPE_ARP, H1_PORT));
        assertEquals(List.of(), network.rules);
    }

    @Test
    void probesOfLinksAreLeftAlone() {
        assertEquals("nothing", network.send(H1, NEIGHBOUR, Ethernet.TYPE_LLDP, H1_PORT));
        assertEquals("nothing", network.send(H1, NEIGHBOUR, Ethernet.TYPE_BSN, H1_PORT));
        assertEquals("nothing", network.send(H1, MacAddress.ONOS_LLDP.toString(), Ethernet.TYPE_IPV4, H1_PORT));
    }

    @Test
    void whatOthersHandledOrNobodyCanReadIsLeftAlone() {
        assertEquals("nothing", network.sendHandled(H1, NEIGHBOUR, H1_PORT));
        assertEquals("nothing", network.sendUnreadable(H1_PORT));
        assertEquals(List.of(), network.rules);
    }

    @Test
    void ipv6MulticastIsForwardedOnlyIfConfigured() {
        String allNodes = "33:33:00:00:00:01";
        assertEquals("nothing", network.send(H1, allNodes, Ethernet.TYPE_IPV6, H1_PORT));
        network.configure(Map.of(ReactiveForwarding.IPV6_FORWARDING, "true"));
        assertEquals("FLOOD", network.send(H1, allNodes, Ethernet.TYPE_IPV6, H1_PORT));
    }

    @Test
    void ipv4MulticastIsForwardedUnlessConfigured() {
        String group = "01:00:5e:00:00:fb";
        assertEquals("FLOOD", network.send(H1, group, Ethernet.TYPE_IPV4, H1_PORT));
        network.configure(Map.of(ReactiveForwarding.IGNORE_IPV4_MULTICAST, "true"));
        assertEquals("nothing", network.send(H1, group, Ethernet.TYPE_IPV4, H1_PORT));
    }

    @Test
    void ipv6IsAskedForOnlyIfConfigured() {
        assertEquals(1, network.packets.requested.size());
        network.configure(Map.of(ReactiveForwarding.IPV6_FORWARDING, "true"));
        assertEquals(2, network.packets.requested.size());
        network.configure(Map.of());
        assertEquals(1, network.packets.requested.size());
    }

    @Test
    void packetsCanGoWithoutRules() {
        network.configure(Map.of(ReactiveForwarding.PACKET_OUT_ONLY, "true"));
        assertEquals("2", network.send(H1, NEIGHBOUR, Ethernet.TYPE_IPV4, H1_PORT));
        assertEquals(List.of(), network.rules);
    }

    @Test
    void packetsCanGoThroughTheRulesThatTheyMake() {
        network.configure(Map.of(ReactiveForwarding.PACKET_OUT_OFPP_TABLE, "true"));
        assertEquals("TABLE", network.send(H1, NEIGHBOUR, Ethernet.TYPE_IPV4, H1_PORT));
        assertEquals("2", network.send(H1, NEIGHBOUR, Ethernet.TYPE_ARP, H1_PORT), "ARP has no rule");
    }

    @Test
    void rulesCanMatchTheDestinationAloneWithAPriorityAndTimeOfTheirOwn() {
        network.configure(Map.of(ReactiveForwarding.MATCH_DST_MAC_ONLY, "true",
                ReactiveForwarding.FLOW_PRIORITY, "77", ReactiveForwarding.FLOW_TIMEOUT, "0"));
        network.send(H1, NEIGHBOUR, Ethernet.TYPE_IPV4, H1_PORT);
        ForwardingObjective rule = network.onlyRule();
        assertEquals(DefaultTrafficSelector.builder().matchEthDst(MacAddress.valueOf(NEIGHBOUR)).build(), rule.selector());
        assertEquals(77, rule.priority());
        assertEquals(1, rule.timeout(), "no rule stays for ever");
    }

    @Test
    void rulesAlongALostLinkAreRemoved() throws InterruptedException {
        FlowRule along = network.install(H1_PORT.deviceId(), REMOTE, 100);
        network.install(H1_PORT.deviceId(), NEIGHBOUR, 2);
        network.tellLink(LinkEvent.Type.LINK_ADDED, Network.S1.port(100), Network.S2.port(100));
        network.tellLink(LinkEvent.Type.LINK_REMOVED, Network.S1.port(100), Network.S2.port(100));
        assertEquals(List.of(along.id()), network.nextRemoved());
    }

    @Test
    void aRuleThatComesAfterItsLinkWasLostIsRemoved() throws InterruptedException {
        network.rulesTakeTime = true;
        network.send(H1, REMOTE, Ethernet.TYPE_IPV4, H1_PORT);
        FlowRule late = network.install(H1_PORT.deviceId(), REMOTE, 100);
        network.links.all.clear();
        network.onlyRule().context().get().onSuccess(network.onlyRule());
        assertEquals(List.of(late.id()), network.nextRemoved());
    }

    @Test
    void noRuleLeadsIntoALinkThatIsLost() {
        network.links.all.clear();
        assertEquals("FLOOD", network.send(H1, REMOTE, Ethernet.TYPE_IPV4, H1_PORT));
        assertEquals(List.of(), network.rules);
    }

    @ParameterizedTest
    @EnumSource(value = HostEvent.Type.class, names = {"HOST_MOVED", "HOST_REMOVED"})
    void rulesToAHostThatHasGoneFromItsPortAreRemoved(HostEvent.Type gone) throws InterruptedException {
        FlowRule to = network.install(Network.S2.id(), NEIGHBOUR, 100);
        network.install(Network.S2.id(), REMOTE, 1);
        network.tellHost(HostEvent.Type.HOST_UPDATED, REMOTE);
        network.tellHost(gone, NEIGHBOUR);
        assertEquals(List.of(to.id()), network.nextRemoved());
    }

    @Test
    void onceStoppedItLeavesNothingBehind() {
        network.stop();
        assertTrue(network.allRulesRemoved);
        assertEquals(Set.of(), network.packets.requested);
        assertEquals(Set.of(), network.packets.processors);
        assertEquals(Set.of(), network.links.listeners);
        assertEquals(Set.of(), network.hostListeners);
    }
}
