// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.onlab.packet.MacAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction.ModEtherInstruction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.rules.TupleMatch;

/** Switches that forward a packet by rules: the one with the greatest priority that matches, and links between them. */
final class FakeSwitches {
    private static final int MOST_HOPS = 50;

    private final Collection<FlowRule> rules;
    private final Collection<Link> links;

    FakeSwitches(Collection<FlowRule> rules, Collection<Link> links) {
        this.rules = rules;
        this.links = links;
    }

    /** Where a packet has left the network, with which destination, and the links on its way. */
    static final class Arrival {
        final ConnectPoint port;
        final MacAddress destination;
        final List<Link> way;

        private Arrival(ConnectPoint port, MacAddress destination, List<Link> way) {
            this.port = port;
            this.destination = destination;
            this.way = way;
        }
    }

    /** Sends a packet into the network; empty if a switch has no rule for it. */
    Optional<Arrival> send(ConnectPoint from, FiveTuple tuple, MacAddress to) {
        ConnectPoint in = from;
        MacAddress destination = to;
        List<Link> way = new ArrayList<>();
        while (way.size() < MOST_HOPS) {
            Optional<FlowRule> rule = rule(in, tuple, destination);
            if (rule.isEmpty()) {
                return Optional.empty();
            }
            ConnectPoint out = null;
            for (Instruction instruction : rule.get().treatment().allInstructions()) {
                if (instruction instanceof ModEtherInstruction) {
                    destination = ((ModEtherInstruction) instruction).mac();
                } else {
                    out = new ConnectPoint(in.deviceId(), ((OutputInstruction) instruction).port());
                }
            }
            ConnectPoint left = out;
            Optional<Link> link = links.stream().filter(one -> one.src().equals(left)).findFirst();
            if (link.isEmpty()) {
                return Optional.of(new Arrival(left, destination, way));
            }
            way.add(link.get());
            in = link.get().dst();
        }
        throw new IllegalStateException(tuple + " is in a loop: " + way);
    }

    private Optional<FlowRule> rule(ConnectPoint in, FiveTuple tuple, MacAddress destination) {
        List<FlowRule> matching = rules.stream()
                .filter(rule -> rule.deviceId().equals(in.deviceId()) && matches(rule.selector(), in, tuple, destination))
                .sorted(Comparator.comparing(FlowRule::priority).reversed()).collect(Collectors.toList());
        if (matching.size() > 1 && matching.get(0).priority() == matching.get(1).priority()) {
            throw new IllegalStateException("it is not defined which of two rules takes the packet: " + matching);
        }
        return matching.stream().findFirst();
    }

    private static boolean matches(TrafficSelector match, ConnectPoint in, FiveTuple tuple, MacAddress destination) {
        TrafficSelector packet = DefaultTrafficSelector.builder(TupleMatch.of(tuple)).matchInPort(in.port())
                .matchEthDst(destination).build();
        return match.criteria().stream().allMatch(wanted -> wanted.equals(packet.getCriterion(wanted.type())));
    }
}
