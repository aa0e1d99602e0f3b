// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.flow;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.onlab.packet.IpAddress;
import org.onosproject.cfg.ComponentConfigAdapter;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.CompletedBatchOperation;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleProvider;
import org.onosproject.net.flow.FlowRuleProviderRegistry;
import org.onosproject.net.flow.FlowRuleProviderService;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.flow.FlowRuleStoreException;
import org.onosproject.net.flow.TableStatisticsEntry;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.provider.ProviderId;
import org.onosproject.openflow.controller.Dpid;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.subflow.mptcp.southbound.RecordingSwitch;
import org.subflow.mptcp.southbound.SwitchesController;
import org.subflow.mptcp.southbound.fixtures.Configured;

/** A provider of flow rules between one switch and a core that notes what it is told. */
abstract class FlowScenario {
    static final Dpid S1 = new Dpid(1);
    static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
    static final DeviceId UNKNOWN = DeviceId.deviceId("of:0000000000000009");

    final SwitchesController controller = new SwitchesController();
    final RecordingSwitch s1 = controller.connect(1);
    final Core core = new Core();
    /** The rules that ONOS's store holds for the switch. */
    final List<FlowEntry> stored = new ArrayList<>();
    /** Whether no node is the switch's master. ONOS's store answers nothing then. */
    boolean masterless;
    final OpenFlowRuleProvider provider = new OpenFlowRuleProvider();
    private boolean active;

    @BeforeEach
    void start() {
        provider.providerRegistry = core;
        provider.controller = controller;
        provider.cfgService = new ComponentConfigAdapter();
        provider.flowRuleService = new FlowRuleServiceAdapter() {
            @Override
            public Iterable<FlowEntry> getFlowEntries(DeviceId device) {
                if (masterless) {
                    throw new FlowRuleStoreException("no master for " + device);
                }
                return device.equals(DEVICE) ? stored : List.of();
            }
        };
        provider.activate(every("3600"));
        active = true;
    }

    @AfterEach
    void stop() {
        if (active) {
            active = false;
            provider.deactivate();
        }
    }

    static Configured every(String seconds) {
        return new Configured(Map.of(OpenFlowRuleProvider.POLL_FREQUENCY, seconds));
    }

    void receive(OFMessage message) {
        controller.receive(S1, message);
    }

    /** Returns a rule that takes packets from one port to another. */
    static FlowRule rule(DeviceId device, int inPort, int outPort) {
        return rule(device, inPort, DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(outPort)).build());
    }

    /** Returns a rule that OpenFlow cannot express: an IPv6 address in an IPv4 field. */
    static FlowRule unsupported() {
        return rule(DEVICE, 9, DefaultTrafficTreatment.builder().setIpSrc(IpAddress.valueOf("2001:db8::1")).build());
    }

    private static FlowRule rule(DeviceId device, int inPort, TrafficTreatment treatment) {
        return DefaultFlowRule.builder().forDevice(device)
                .withSelector(DefaultTrafficSelector.builder().matchInPort(PortNumber.portNumber(inPort)).build())
                .withTreatment(treatment).withPriority(10).fromApp(new DefaultApplicationId(6, "test")).makePermanent()
                .build();
    }

    static FlowEntry entry(FlowRule rule) {
        return new DefaultFlowEntry(rule);
    }

    static Set<Long> cookies(CompletedBatchOperation result) {
        return result.failedItems().stream().map(rule -> rule.id().value()).collect(Collectors.toSet());
    }

    /** ONOS's core as the provider sees it. */
    static final class Core implements FlowRuleProviderRegistry, FlowRuleProviderService {
        final Set<FlowRuleProvider> registered = new HashSet<>();
        final List<FlowEntry> removed = new ArrayList<>();
        final Map<DeviceId, List<FlowEntry>> metrics = new LinkedHashMap<>();
        final Map<Long, CompletedBatchOperation> completed = new LinkedHashMap<>();

        @Override
        public FlowRuleProviderService register(FlowRuleProvider provider) {
            registered.add(provider);
            return this;
        }

        @Override
        public void unregister(FlowRuleProvider provider) {
            registered.remove(provider);
        }

        @Override
        public Set<ProviderId> getProviders() {
            return Set.of();
        }

        @Override
        public FlowRuleProvider provider() {
            return registered.iterator().next();
        }

        @Override
        public void flowRemoved(FlowEntry entry) {
            removed.add(entry);
        }

        @Override
        public void pushFlowMetrics(DeviceId device, Iterable<FlowEntry> entries) {
            List<FlowEntry> all = new ArrayList<>();
            entries.forEach(all::add);
            metrics.put(device, all);
        }

        @Override
        public void pushFlowMetricsWithoutFlowMissing(DeviceId device, Iterable<FlowEntry> entries) {
            throw new UnsupportedOperationException("ONOS would not notice the rules that are missing");
        }

        @Override
        public void pushTableStatistics(DeviceId device, List<TableStatisticsEntry> entries) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void batchOperationCompleted(long id, CompletedBatchOperation result) {
            if (completed.put(id, result) != null) {
                throw new AssertionError("batch " + id + " ended twice");
            }
        }
    }
}
