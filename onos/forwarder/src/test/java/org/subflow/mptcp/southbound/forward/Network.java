// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.forward;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.onlab.graph.ScalarWeight;
import org.onlab.packet.Ethernet;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.cfg.ComponentConfigAdapter;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.DefaultPath;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.Link;
import org.onosproject.net.Path;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowId;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.onosproject.net.flowobjective.FlowObjectiveServiceAdapter;
import org.onosproject.net.flowobjective.ForwardingObjective;
import org.onosproject.net.flowobjective.ObjectiveError;
import org.onosproject.net.host.HostEvent;
import org.onosproject.net.host.HostListener;
import org.onosproject.net.host.HostServiceAdapter;
import org.onosproject.net.link.LinkEvent;
import org.onosproject.net.packet.DefaultInboundPacket;
import org.onosproject.net.packet.DefaultPacketContext;
import org.onosproject.net.packet.OutboundPacket;
import org.onosproject.net.packet.PacketContext;
import org.onosproject.net.provider.ProviderId;
import org.onosproject.net.topology.Topology;
import org.onosproject.net.topology.TopologyServiceAdapter;
import org.subflow.mptcp.southbound.fixtures.Applications;
import org.subflow.mptcp.southbound.fixtures.Configured;
import org.subflow.mptcp.southbound.fixtures.Devices;
import org.subflow.mptcp.southbound.fixtures.Links;
import org.subflow.mptcp.southbound.fixtures.Packets;

/** The forwarder on a network of two switches, joined by the link between their ports 100. */
final class Network {
    private static final ProviderId PROVIDER = new ProviderId("of", "test");
    private static final ApplicationId APPLICATION = new DefaultApplicationId(6, ReactiveForwarding.APPLICATION);
    private static final int TIMEOUT_SECONDS = 30;

    /** The switches. */
    enum Switch {
        ONE("of:0000000000000001"), TWO("of:0000000000000002");

        private final String uri;

        Switch(String uri) {
            this.uri = uri;
        }

        DeviceId id() {
            return DeviceId.deviceId(uri);
        }

        ConnectPoint port(int number) {
            return new ConnectPoint(id(), PortNumber.portNumber(number));
        }
    }

    static final Switch S1 = Switch.ONE;
    static final Switch S2 = Switch.TWO;

    /** The rules that the forwarder asked for. */
    final List<ForwardingObjective> rules = new ArrayList<>();
    final Packets packets = new Packets() {
        @Override
        public void emit(OutboundPacket packet) {
            goesOut(packet.treatment());
        }
    };
    /** The links that ONOS knows. A lost one is still in the topology for a while. */
    final Links links = new Links();
    final Set<HostListener> hostListeners = new HashSet<>();
    boolean floodingIsSafe = true;
    /** Whether it is left to the test to say when a rule is there. */
    boolean rulesTakeTime;
    boolean rulesAreRefused;
    /** The ports that packets went out of since the last was sent. */
    final List<String> outputs = new ArrayList<>();
    boolean allRulesRemoved;
    private final ReactiveForwarding forwarder = new ReactiveForwarding(() -> 0);
    private final Map<HostId, Host> hosts = new HashMap<>();
    private final List<FlowEntry> installed = new ArrayList<>();
    private final BlockingQueue<List<FlowId>> removed = new LinkedBlockingQueue<>();
    private boolean active;

    void attach(String mac, ConnectPoint point) {
        HostId id = HostId.hostId(MacAddress.valueOf(mac));
        hosts.put(id, new DefaultHost(PROVIDER, id, id.mac(), VlanId.NONE,
                new HostLocation(point.deviceId(), point.port(), 0), Set.of()));
    }

    void start(Map<String, Object> properties) {
        forwarder.topologyService = new Topologies();
        links.all.addAll(List.of(Links.link(S1.port(100), S2.port(100)), Links.link(S2.port(100), S1.port(100))));
        forwarder.linkService = links;
        forwarder.packetService = packets;
        forwarder.hostService = new Hosts();
        forwarder.deviceService = new DeviceServiceAdapter() {
            @Override
            public Iterable<Device> getDevices() {
                return List.of(Devices.device(S1.id()), Devices.device(S2.id()));
            }
        };
        forwarder.flowRuleService = new Rules();
        forwarder.cfgService = new ComponentConfigAdapter();
        forwarder.flowObjectiveService = new FlowObjectiveServiceAdapter() {
            @Override
            public void forward(DeviceId device, ForwardingObjective objective) {
                rules.add(objective);
                if (rulesAreRefused) {
                    objective.context().get().onError(objective, ObjectiveError.FLOWINSTALLATIONFAILED);
                } else if (!rulesTakeTime) {
                    objective.context().get().onSuccess(objective);
                }
            }
        };
        forwarder.coreService = new Applications(APPLICATION.id());
        forwarder.activate(new Configured(properties));
        active = true;
    }

    void configure(Map<String, Object> properties) {
        forwarder.modified(new Configured(properties));
    }

    void stop() {
        if (active) {
            active = false;
            forwarder.deactivate();
        }
    }

    /** Sends a frame; returns the port that it goes out of, "blocked" or "nothing". */
    String send(String from, String to, short type, ConnectPoint at) {
        return send(frame(from, to, type), at, false);
    }

    /** Sends a frame with a VLAN tag; both hosts are known in that VLAN. */
    String sendTagged(String from, String to, short vlan, ConnectPoint at) {
        for (String mac : List.of(from, to)) {
            Host untagged = hosts.get(HostId.hostId(MacAddress.valueOf(mac)));
            HostId id = HostId.hostId(untagged.mac(), VlanId.vlanId(vlan));
            hosts.put(id, new DefaultHost(PROVIDER, id, id.mac(), id.vlanId(), untagged.location(), Set.of()));
        }
        return send(frame(from, to, Ethernet.TYPE_IPV4).setVlanID(vlan), at, false);
    }

    String sendHandled(String from, String to, ConnectPoint at) {
        return send(frame(from, to, Ethernet.TYPE_IPV4), at, true);
    }

    String sendUnreadable(ConnectPoint at) {
        return send(null, at, false);
    }

    private String send(Ethernet frame, ConnectPoint at, boolean handled) {
        outputs.clear();
        PacketContext context = new DefaultPacketContext(
                0, new DefaultInboundPacket(at, frame, ByteBuffer.allocate(0)), null, handled) {
            @Override
            public void send() {
                goesOut(treatmentBuilder().build());
            }
        };
        packets.processors.forEach(processor -> processor.process(context));
        if (outputs.isEmpty()) {
            return context.isHandled() && !handled ? "blocked" : "nothing";
        }
        return String.join(",", outputs);
    }

    private void goesOut(TrafficTreatment treatment) {
        treatment.allInstructions().forEach(output -> outputs.add(((OutputInstruction) output).port().toString()));
    }

    ForwardingObjective onlyRule() {
        if (rules.size() != 1) {
            throw new AssertionError("one rule expected, not " + rules);
        }
        return rules.get(0);
    }

    /** Puts a rule of the forwarder into a switch. */
    FlowRule install(DeviceId device, String destination, int outPort) {
        FlowEntry entry = new DefaultFlowEntry(DefaultFlowRule.builder().forDevice(device)
                .withSelector(DefaultTrafficSelector.builder().matchEthDst(MacAddress.valueOf(destination)).build())
                .withTreatment(DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(outPort)).build())
                .withPriority(10).fromApp(APPLICATION).makeTemporary(10).build());
        installed.add(entry);
        return entry;
    }

    /** Waits for the rules that are removed next. */
    List<FlowId> nextRemoved() throws InterruptedException {
        List<FlowId> next = removed.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no rule was removed");
        }
        return next;
    }

    void tellLink(LinkEvent.Type type, ConnectPoint src, ConnectPoint dst) {
        links.tell(type, Links.link(src, dst));
    }

    void tellHost(HostEvent.Type type, String mac) {
        Host host = hosts.get(HostId.hostId(MacAddress.valueOf(mac)));
        hostListeners.forEach(listener -> listener.event(new HostEvent(type, host)));
    }

    private static Ethernet frame(String from, String to, short type) {
        Ethernet frame = new Ethernet();
        frame.setSourceMACAddress(from).setDestinationMACAddress(to).setEtherType(type);
        return frame;
    }

    private final class Topologies extends TopologyServiceAdapter {
        @Override
        public Set<Path> getPaths(Topology topology, DeviceId src, DeviceId dst) {
            Link between = src.equals(S1.id()) ? Links.link(S1.port(100), S2.port(100)) : Links.link(S2.port(100), S1.port(100));
            return Set.of(new DefaultPath(PROVIDER, List.of(between), ScalarWeight.toWeight(1)));
        }

        @Override
        public boolean isBroadcastPoint(Topology topology, ConnectPoint point) {
            return floodingIsSafe;
        }

        @Override
        public boolean isInfrastructure(Topology topology, ConnectPoint point) {
            return point.port().toLong() == 100;
        }
    }

    private final class Hosts extends HostServiceAdapter {
        @Override
        public Host getHost(HostId id) {
            return hosts.get(id);
        }

        @Override
        public void addListener(HostListener listener) {
            hostListeners.add(listener);
        }

        @Override
        public void removeListener(HostListener listener) {
            hostListeners.remove(listener);
        }
    }

    private final class Rules extends FlowRuleServiceAdapter {
        @Override
        public Iterable<FlowEntry> getFlowEntries(DeviceId device) {
            return installed.stream().filter(rule -> rule.deviceId().equals(device)).collect(Collectors.toList());
        }

        @Override
        public void removeFlowRules(FlowRule... stale) {
            removed.add(List.of(stale).stream().map(FlowRule::id).collect(Collectors.toList()));
        }

        @Override
        public void removeFlowRulesById(ApplicationId id) {
            allRulesRemoved = true;
        }
    }
}
