// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableList;
import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.onlab.packet.MacAddress;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.EthCriterion;
import org.subflow.mptcp.rules.RuleKind;

/**
 * A directed path to a host, with a label: a MAC address that stands for the path. The path's first switch writes the label
 * where packets have the host's MAC address. Each further switch has one rule for all packets with the label, and the last one
 * writes the host's address back. So all subflows on a path share these rules.
 *
 * <p>The technique is known as shadow MACs: K. Agarwal, C. Dixon, E. Rozner and J. Carter, "Shadow MACs: Scalable label-switching
 * for commodity Ethernet", HotSDN 2014.
 *
 * <p>A label is locally administered and no group address. Its other 46 bits come from SHA-256 over links, port and host. So it
 * needs no allocation: another run of the application, or another node, makes the same label of the same path. Immutable.
 */
public final class LabelledPath {
    private static final int LOCAL_BIT = 0x02;
    private static final int GROUP_BIT = 0x01;

    /** The links of this path. */
    public final ImmutableList<Link> links;
    private final ConnectPoint egress;
    private final MacAddress host;
    /** The label. */
    public final MacAddress label;

    /**
     * Makes a path with its label.
     *
     * @param links  the links between switches, in the order of the packets; at least one
     * @param egress the port to which the host is attached, at the last switch; not null
     * @param host   the destination address that packets have before and after the path; not null
     */
    public LabelledPath(List<Link> links, ConnectPoint egress, MacAddress host) {
        checkArgument(!links.isEmpty(), "a path within one switch needs no label");
        this.links = ImmutableList.copyOf(links);
        this.egress = checkNotNull(egress, "egress");
        this.host = checkNotNull(host, "host");
        this.label = label(links, egress, host);
    }

    private static MacAddress label(List<Link> links, ConnectPoint egress, MacAddress host) {
        StringBuilder text = new StringBuilder();
        links.forEach(link -> text.append(link.src()).append('>').append(link.dst()).append(' '));
        text.append(egress).append(' ').append(host);
        byte[] hash = Hashing.sha256().hashString(text, StandardCharsets.UTF_8).asBytes();
        byte[] octets = Arrays.copyOf(hash, MacAddress.MAC_ADDRESS_LENGTH);
        octets[0] = (byte) (octets[0] & ~GROUP_BIT | LOCAL_BIT);
        return MacAddress.valueOf(octets);
    }

    /** Returns the label that a rule matches; empty if it is not the rule of a path with a label. */
    public static Optional<MacAddress> label(FlowRule rule) {
        return !RuleKind.PATH.includes(rule) ? Optional.empty()
                : Optional.ofNullable(rule.selector().getCriterion(Criterion.Type.ETH_DST))
                        .map(criterion -> ((EthCriterion) criterion).mac());
    }

    /** Returns the rules that all subflows on this path share: one in each switch but the first. */
    public List<FlowRule> rules(ApplicationId appId) {
        return rules(appId, links);
    }

    /** Returns these rules for packets that go another way, from the first link of this path to its last switch. */
    public List<FlowRule> rules(ApplicationId appId, List<Link> way) {
        checkArgument(way.get(0).equals(links.get(0)), "the rules of the first switch lead to the path's first link");
        ImmutableList.Builder<FlowRule> rules = ImmutableList.builder();
        for (int i = 1; i < way.size(); i++) {
            rules.add(rule(appId, way.get(i - 1).dst(), DefaultTrafficTreatment.builder(), way.get(i).src()));
        }
        return rules.add(rule(appId, way.get(way.size() - 1).dst(), DefaultTrafficTreatment.builder().setEthDst(host),
                              egress)).build();
    }

    private FlowRule rule(ApplicationId appId, ConnectPoint in, TrafficTreatment.Builder treatment, ConnectPoint out) {
        checkArgument(in.deviceId().equals(out.deviceId()), "%s and %s are not on one switch", in, out);
        return RuleKind.PATH.rule(appId, in.deviceId(),
                                  DefaultTrafficSelector.builder().matchInPort(in.port()).matchEthDst(label).build(),
                                  treatment.setOutput(out.port()).build());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LabelledPath
                && ((LabelledPath) other).label.equals(label)
                && ((LabelledPath) other).host.equals(host)
                && ((LabelledPath) other).egress.equals(egress)
                && ((LabelledPath) other).links.equals(links);
    }

    @Override
    public int hashCode() {
        return label.hashCode();
    }

    @Override
    public String toString() {
        return label + " to " + host + " by " + links.size() + " links";
    }
}
