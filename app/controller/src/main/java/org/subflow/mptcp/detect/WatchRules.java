// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.detect;

import static com.google.common.base.Preconditions.checkNotNull;

import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onlab.packet.VlanId;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleService;

/**
 * One rule per switch and IP version that shows untagged TCP to the controller until exact rules take it off again.
 *
 * <p>OpenFlow through ONOS cannot match TCP flags. Above stock reactive forwarding (10), whose MAC-level rules would
 * hide later handshakes, and below our exact rules and intents (100).
 */
public final class WatchRules {
    /** Priority of the rules. */
    public static final int PRIORITY = 50;

    private static final short[] ETHER_TYPES = {Ethernet.TYPE_IPV4, Ethernet.TYPE_IPV6};

    private final FlowRuleService flowRules;
    private final DeviceService devices;
    private final ApplicationId appId;
    private final DeviceListener listener = new AvailabilityListener();

    /**
     * Makes the rules' keeper; nothing happens before {@link #start()}.
     *
     * @param flowRules ONOS's flow rule service; not null
     * @param devices   ONOS's device service; not null
     * @param appId     the application in whose name rules are installed; not null
     */
    public WatchRules(FlowRuleService flowRules, DeviceService devices, ApplicationId appId) {
        this.flowRules = checkNotNull(flowRules, "flowRules");
        this.devices = checkNotNull(devices, "devices");
        this.appId = checkNotNull(appId, "appId");
    }

    /** Installs the rules in every switch that is up, and in those that come. */
    public void start() {
        devices.addListener(listener);
        for (Device device : devices.getAvailableDevices()) {
            install(device.id());
        }
    }

    /** Takes no further switch in; the rules stay until the application's rules are removed. */
    public void stop() {
        devices.removeListener(listener);
    }

    private void install(DeviceId device) {
        for (short etherType : ETHER_TYPES) {
            flowRules.applyFlowRules(rule(device, etherType));
        }
    }

    private FlowRule rule(DeviceId device, short etherType) {
        return DefaultFlowRule.builder()
                .forDevice(device)
                .withSelector(DefaultTrafficSelector.builder()
                                      .matchEthType(etherType)
                                      .matchVlanId(VlanId.NONE)
                                      .matchIPProtocol(IPv4.PROTOCOL_TCP)
                                      .build())
                .withTreatment(DefaultTrafficTreatment.builder().punt().build())
                .withPriority(PRIORITY)
                .fromApp(appId)
                .makePermanent()
                .build();
    }

    private final class AvailabilityListener implements DeviceListener {
        @Override
        public boolean isRelevant(DeviceEvent event) {
            return event.type() == DeviceEvent.Type.DEVICE_ADDED
                    || event.type() == DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED;
        }

        @Override
        public void event(DeviceEvent event) {
            if (devices.isAvailable(event.subject().id())) {
                install(event.subject().id());
            }
        }
    }
}
