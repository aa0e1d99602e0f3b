// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoCopyable;
import com.google.common.collect.ImmutableList;
import java.util.Collection;
import java.util.List;
import org.onlab.graph.ScalarWeight;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultEdgeLink;
import org.onosproject.net.DefaultPath;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.Link;
import org.onosproject.net.NetworkResource;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.intent.PathIntent;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.rules.TupleMatch;

/**
 * One direction of a subflow on its path, from the sender's link to the receiver's. ONOS shows the links
 * of such an intent. {@link SubflowPathInstaller} writes its rules.
 *
 * <p>It names no links as its resources. ONOS would compile the connection again when one of them fails, beside the submission
 * with other routes that follows, and then perhaps install the older one of both last.
 *
 * <p>Immutable. Kryo can copy it without registration, as {@link MptcpIntent}.
 */
public final class SubflowPathIntent extends PathIntent implements KryoCopyable<SubflowPathIntent> {
    private static final ProviderId PROVIDER = new ProviderId("mptcp", "org.subflow.mptcp");

    private final ImmutableList<FlowRule> rules;

    private SubflowPathIntent(MptcpIntent of, TrafficSelector match, List<Link> links, List<FlowRule> rules) {
        super(of.appId(), of.key(), match, DefaultTrafficTreatment.emptyTreatment(),
              new DefaultPath(PROVIDER, links, ScalarWeight.toWeight(links.size())), ImmutableList.of(), of.priority(),
              ProtectionType.PRIMARY, of.resourceGroup());
        this.rules = ImmutableList.copyOf(rules);
    }

    /**
     * Makes one.
     *
     * @param of      the intent of the connection; not null
     * @param tuple   the five-tuple of the packets; not null
     * @param match   matches the packets, as {@link TupleMatch#of}; not null
     * @param ingress the port where the sender is attached; not null
     * @param links   the links between switches, in the order of the packets; empty if both hosts are on one switch
     * @param egress  the port where the receiver is attached; not null
     * @param rules   its rules, that of the first switch first; at least one
     */
    public static SubflowPathIntent of(MptcpIntent of, FiveTuple tuple, TrafficSelector match, ConnectPoint ingress,
                                       List<Link> links, ConnectPoint egress, List<FlowRule> rules) {
        return new SubflowPathIntent(of, match, ImmutableList.<Link>builder()
                .add(edge(tuple.sourceHost(), ingress, true))
                .addAll(links)
                .add(edge(tuple.destinationHost(), egress, false))
                .build(), rules);
    }

    private static Link edge(HostId host, ConnectPoint port, boolean isIngress) {
        return new DefaultEdgeLink(PROVIDER, new ConnectPoint(host, PortNumber.P0), new HostLocation(port, 0), isIngress);
    }

    /** Returns the rules of the switches on the path that it has for itself, that of the first switch first. */
    public List<FlowRule> rules() {
        return rules;
    }

    /** Returns the links between switches, in the order of the packets. */
    List<Link> links() {
        List<Link> all = path().links();
        return all.subList(1, all.size() - 1);
    }

    @Override
    public boolean isInstallable() {
        return true;
    }

    @Override
    public Collection<NetworkResource> resources() {
        return ImmutableList.of();
    }

    @Override
    public SubflowPathIntent copy(Kryo kryo) {
        return this;
    }
}
