// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.forward;

import static org.onlab.util.Tools.getIntegerProperty;
import static org.onlab.util.Tools.groupedThreads;
import static org.onlab.util.Tools.isPropertyEnabled;

import java.util.Dictionary;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import org.onlab.packet.Ethernet;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.cfg.ComponentConfigService;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreService;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.Link;
import org.onosproject.net.Path;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flowobjective.DefaultForwardingObjective;
import org.onosproject.net.flowobjective.FlowObjectiveService;
import org.onosproject.net.flowobjective.ForwardingObjective;
import org.onosproject.net.flowobjective.Objective;
import org.onosproject.net.flowobjective.ObjectiveContext;
import org.onosproject.net.flowobjective.ObjectiveError;
import org.onosproject.net.host.HostEvent;
import org.onosproject.net.host.HostListener;
import org.onosproject.net.host.HostService;
import org.onosproject.net.link.LinkEvent;
import org.onosproject.net.link.LinkListener;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.packet.DefaultOutboundPacket;
import org.onosproject.net.packet.OutboundPacket;
import org.onosproject.net.packet.PacketContext;
import org.onosproject.net.packet.PacketPriority;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketService;
import org.onosproject.net.topology.Topology;
import org.onosproject.net.topology.TopologyService;
import org.osgi.service.component.ComponentContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.southbound.rate.PortBudget;

/**
 * Sends each packet on along a shortest path and installs a rule for its pair of MAC addresses, which goes after some
 * seconds without a packet. What comes from a host not known gets no rule. Broadcasts, and whatever else is for a host not
 * known, are flooded where the topology allows flooding. Of both, each port has a {@link PortBudget}: they come to the controller
 * from every switch again.
 *
 * <p>A packet goes on once its rule is there, unless {@code packetAfterRule} says otherwise. So both directions have their rules when a TCP handshake ends, and no data
 * overtakes a packet on its way over the controller. Linux takes such data for those of a host without MPTCP.
 */
@Component(immediate = true, property = {
        ReactiveForwarding.PACKET_OUT_ONLY + ":Boolean=false",
        ReactiveForwarding.PACKET_OUT_OFPP_TABLE + ":Boolean=false",
        ReactiveForwarding.FLOW_TIMEOUT + ":Integer=" + ReactiveForwarding.FLOW_TIMEOUT_DEFAULT,
        ReactiveForwarding.FLOW_PRIORITY + ":Integer=" + ReactiveForwarding.FLOW_PRIORITY_DEFAULT,
        ReactiveForwarding.IPV6_FORWARDING + ":Boolean=false",
        ReactiveForwarding.MATCH_DST_MAC_ONLY + ":Boolean=false",
        ReactiveForwarding.IGNORE_IPV4_MULTICAST + ":Boolean=false",
        ReactiveForwarding.PACKET_AFTER_RULE + ":Boolean=true"
    })
public class ReactiveForwarding {

    static final String APPLICATION = "org.onosproject.fwd";
    static final String PACKET_OUT_ONLY = "packetOutOnly";
    static final String PACKET_OUT_OFPP_TABLE = "packetOutOfppTable";
    static final String FLOW_TIMEOUT = "flowTimeout";
    static final int FLOW_TIMEOUT_DEFAULT = 10;
    static final String FLOW_PRIORITY = "flowPriority";
    static final int FLOW_PRIORITY_DEFAULT = 10;
    static final String IPV6_FORWARDING = "ipv6Forwarding";
    static final String MATCH_DST_MAC_ONLY = "matchDstMacOnly";
    static final String IGNORE_IPV4_MULTICAST = "ignoreIPv4Multicast";
    static final String PACKET_AFTER_RULE = "packetAfterRule";

    private static final Logger log = LoggerFactory.getLogger(ReactiveForwarding.class);
    /** Packets a second of a port that get no rule, as their sender is not known; so many again that are flooded. */
    static final int MOST_PER_SECOND = 100;
    private static final int PROCESSOR_PRIORITY = PacketProcessor.director(2);
    private static final TrafficSelector IPV4 =
            DefaultTrafficSelector.builder().matchEthType(Ethernet.TYPE_IPV4).build();
    private static final TrafficSelector IPV6 =
            DefaultTrafficSelector.builder().matchEthType(Ethernet.TYPE_IPV6).build();

    @Reference
    protected TopologyService topologyService;

    @Reference
    protected LinkService linkService;

    @Reference
    protected PacketService packetService;

    @Reference
    protected HostService hostService;

    @Reference
    protected DeviceService deviceService;

    @Reference
    protected FlowRuleService flowRuleService;

    @Reference
    protected FlowObjectiveService flowObjectiveService;

    @Reference
    protected CoreService coreService;

    @Reference
    protected ComponentConfigService cfgService;

    private volatile boolean packetOutOnly;
    private volatile boolean packetOutOfppTable;
    private volatile int flowTimeout = FLOW_TIMEOUT_DEFAULT;
    private volatile int flowPriority = FLOW_PRIORITY_DEFAULT;
    private volatile boolean ipv6Forwarding;
    private volatile boolean matchDstMacOnly;
    private volatile boolean ignoreIpv4Multicast;
    private volatile boolean packetAfterRule = true;

    private final PacketProcessor processor = this::process;
    private final LinkListener linkListener = this::linkChanged;
    private final HostListener hostListener = this::hostChanged;
    private final PortBudget strangers;
    private final PortBudget floods;
    private ApplicationId applicationId;
    private ExecutorService cleaner;
    private StaleRules staleRules;

    /** Makes the forwarder; the framework starts it. */
    public ReactiveForwarding() {
        this(System::nanoTime);
    }

    ReactiveForwarding(LongSupplier clock) {
        strangers = new PortBudget("packets of hosts not known", MOST_PER_SECOND, clock);
        floods = new PortBudget("packets that are to be flooded", MOST_PER_SECOND, clock);
    }

    @Activate
    protected void activate(ComponentContext context) {
        cfgService.registerProperties(getClass());
        applicationId = coreService.registerApplication(APPLICATION);
        cleaner = Executors.newSingleThreadExecutor(groupedThreads("onos/fwd", "stale-rules", log));
        staleRules = new StaleRules(flowRuleService, deviceService, applicationId);
        packetService.addProcessor(processor, PROCESSOR_PRIORITY);
        linkService.addListener(linkListener);
        hostService.addListener(hostListener);
        modified(context);
        log.info("Started");
    }

    @Deactivate
    protected void deactivate() {
        cfgService.unregisterProperties(getClass(), false);
        request(false, IPV4);
        request(false, IPV6);
        linkService.removeListener(linkListener);
        hostService.removeListener(hostListener);
        packetService.removeProcessor(processor);
        cleaner.shutdownNow();
        flowRuleService.removeFlowRulesById(applicationId);
        log.info("Stopped");
    }

    @Modified
    protected void modified(ComponentContext context) {
        Dictionary<?, ?> properties = context.getProperties();
        packetOutOnly = isPropertyEnabled(properties, PACKET_OUT_ONLY, false);
        packetOutOfppTable = isPropertyEnabled(properties, PACKET_OUT_OFPP_TABLE, false);
        flowTimeout = Math.max(1, getIntegerProperty(properties, FLOW_TIMEOUT, FLOW_TIMEOUT_DEFAULT));
        flowPriority = getIntegerProperty(properties, FLOW_PRIORITY, FLOW_PRIORITY_DEFAULT);
        ipv6Forwarding = isPropertyEnabled(properties, IPV6_FORWARDING, false);
        matchDstMacOnly = isPropertyEnabled(properties, MATCH_DST_MAC_ONLY, false);
        ignoreIpv4Multicast = isPropertyEnabled(properties, IGNORE_IPV4_MULTICAST, false);
        packetAfterRule = isPropertyEnabled(properties, PACKET_AFTER_RULE, true);
        request(true, IPV4);
        request(ipv6Forwarding, IPV6);
    }

    private void request(boolean wanted, TrafficSelector selector) {
        if (wanted) {
            packetService.requestPackets(selector, PacketPriority.REACTIVE, applicationId);
        } else {
            packetService.cancelPackets(selector, PacketPriority.REACTIVE, applicationId);
        }
    }

    private void process(PacketContext context) {
        Ethernet frame = context.inPacket().parsed();
        if (context.isHandled() || frame == null || isNoneOfOurs(frame)) {
            return;
        }
        ConnectPoint from = context.inPacket().receivedFrom();
        // Hosts become known by their ARP.
        if (frame.getEtherType() != Ethernet.TYPE_ARP && host(frame.getSourceMAC(), frame) == null && !strangers.admits(from)) {
            context.block();
            return;
        }
        Host destination = host(frame.getDestinationMAC(), frame);
        if (destination == null) {
            flood(context);
        } else if (from.deviceId().equals(destination.location().deviceId())) {
            if (!from.port().equals(destination.location().port())) {
                forward(context, destination.location().port(), () -> { });
            }
        } else {
            nextHop(from, destination).ifPresentOrElse(
                    port -> forward(context, port, () -> removeIfLost(new ConnectPoint(from.deviceId(), port))),
                    () -> flood(context));
        }
    }

    /** Returns the host with an address in a frame's VLAN, null if ONOS knows none. */
    private Host host(MacAddress address, Ethernet frame) {
        return hostService.getHost(HostId.hostId(address, VlanId.vlanId(frame.getVlanID())));
    }

    private boolean isNoneOfOurs(Ethernet frame) {
        short type = frame.getEtherType();
        MacAddress destination = frame.getDestinationMAC();
        return type == Ethernet.TYPE_LLDP || type == Ethernet.TYPE_BSN || destination.isLldp()
                || type == Ethernet.TYPE_IPV6 && destination.isMulticast() && !ipv6Forwarding
                || type == Ethernet.TYPE_IPV4 && destination.isMulticast() && ignoreIpv4Multicast;
    }

    /** Returns the port to the next switch on a shortest path, but not the one that the packet came from. */
    private Optional<PortNumber> nextHop(ConnectPoint from, Host destination) {
        return topologyService
                .getPaths(topologyService.currentTopology(), from.deviceId(), destination.location().deviceId())
                .stream()
                .map(Path::src)
                .map(ConnectPoint::port)
                .filter(port -> !port.equals(from.port()))
                // The topology follows lost links with a delay.
                .filter(port -> leadsOn(new ConnectPoint(from.deviceId(), port)))
                .findFirst();
    }

    /** Returns whether a link begins at a port now. */
    private boolean leadsOn(ConnectPoint port) {
        return linkService.getEgressLinks(port).stream().anyMatch(link -> link.state() == Link.State.ACTIVE);
    }

    private void flood(PacketContext context) {
        ConnectPoint from = context.inPacket().receivedFrom();
        Topology topology = topologyService.currentTopology();
        // What comes from another switch has been counted where it entered the network.
        if (topologyService.isBroadcastPoint(topology, from)
                && (topologyService.isInfrastructure(topology, from) || floods.admits(from))) {
            packetOut(context, PortNumber.FLOOD);
        } else {
            context.block();
        }
    }

    /** Removes rules that came after their link was lost, and so after its other rules were removed. */
    private void removeIfLost(ConnectPoint port) {
        if (!leadsOn(port)) {
            cleaner.execute(() -> staleRules.removeAllAlong(port));
        }
    }

    /** Sends a packet on out of a port; if it gets a rule, once the rule is there or at once. Then does what comes after the rule. */
    private void forward(PacketContext context, PortNumber port, Runnable afterRule) {
        Ethernet frame = context.inPacket().parsed();
        // Anybody can invent sources; of those that ONOS believes there are few.
        boolean withRule = !packetOutOnly && frame.getEtherType() != Ethernet.TYPE_ARP
                && host(frame.getSourceMAC(), frame) != null;
        if (!withRule) {
            packetOut(context, port);
            return;
        }
        PortNumber way = packetOutOfppTable ? PortNumber.TABLE : port;
        if (!packetAfterRule) {
            installRule(context, port, afterRule);
            packetOut(context, way);
            return;
        }
        context.block();
        OutboundPacket packet = new DefaultOutboundPacket(
                context.inPacket().receivedFrom().deviceId(),
                DefaultTrafficTreatment.builder().setOutput(way).build(),
                context.inPacket().unparsed(), context.inPacket().receivedFrom().port());
        installRule(context, port, () -> {
            packetService.emit(packet);
            afterRule.run();
        });
    }

    private static void packetOut(PacketContext context, PortNumber port) {
        context.treatmentBuilder().setOutput(port);
        context.send();
    }

    /** Installs the packet's rule; then, or if that fails, does what comes after it. */
    private void installRule(PacketContext context, PortNumber port, Runnable after) {
        ConnectPoint from = context.inPacket().receivedFrom();
        Ethernet frame = context.inPacket().parsed();
        TrafficSelector.Builder selector =
                DefaultTrafficSelector.builder().matchEthDst(frame.getDestinationMAC());
        if (!matchDstMacOnly) {
            selector.matchInPort(from.port()).matchEthSrc(frame.getSourceMAC());
        }
        if (frame.getVlanID() != Ethernet.VLAN_UNTAGGED) {
            // The same MAC addresses may be elsewhere in another VLAN.
            selector.matchVlanId(VlanId.vlanId(frame.getVlanID()));
        }
        flowObjectiveService.forward(from.deviceId(), DefaultForwardingObjective.builder()
                .withSelector(selector.build())
                .withTreatment(DefaultTrafficTreatment.builder().setOutput(port).build())
                .withPriority(flowPriority)
                .withFlag(ForwardingObjective.Flag.VERSATILE)
                .fromApp(applicationId)
                .makeTemporary(flowTimeout)
                .add(new ObjectiveContext() {
                    @Override
                    public void onSuccess(Objective objective) {
                        after.run();
                    }

                    @Override
                    public void onError(Objective objective, ObjectiveError error) {
                        after.run();
                    }
                }));
    }

    private void linkChanged(LinkEvent event) {
        if (event.type() == LinkEvent.Type.LINK_REMOVED) {
            cleaner.execute(() -> staleRules.removeAllAlong(event.subject().src()));
        }
    }

    private void hostChanged(HostEvent event) {
        // A host whose port went down is removed, and may be at another one before its rules go idle.
        if (event.type() == HostEvent.Type.HOST_MOVED || event.type() == HostEvent.Type.HOST_REMOVED) {
            cleaner.execute(() -> staleRules.removeAllOf(event.subject().mac()));
        }
    }
}
