// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
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
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleService;

/**
 * Rules in every switch that show TCP to the controller, tagged or not: one for each IP version.
 *
 * <p>A switch that copies SYN, FIN and RST ({@link FlagCopies}) has them below all other rules, for the packets that no
 * application forwards. In any other switch they are above stock reactive forwarding (10), whose MAC-level rules would hide
 * later handshakes, and below plain TCP's rules and all applications' intents (100).
 */
public final class WatchRules {
    /** Priority of the rules in a switch that does not copy segments. */
    public static final int PRIORITY = 50;
    /** Priority in a switch that does: below what reactive applications request (5). */
    public static final int LAST_PRIORITY = 3;

    private static final short[] ETHER_TYPES = {Ethernet.TYPE_IPV4, Ethernet.TYPE_IPV6};

    private final FlowRuleService flowRules;
    private final DeviceService devices;
    private final FlagCopies copies;
    private final ApplicationId appId;
    private final DeviceListener listener = new ChangeListener();
    private final Map<DeviceId, Integer> priorities = new ConcurrentHashMap<>();

    /**
     * Makes the rules' keeper; nothing happens before {@link #start()}.
     *
     * @param flowRules ONOS's flow rule service; not null
     * @param devices   ONOS's device service; not null
     * @param copies    which switches copy segments; not null
     * @param appId     the application in whose name rules are installed; not null
     */
    public WatchRules(FlowRuleService flowRules, DeviceService devices, FlagCopies copies, ApplicationId appId) {
        this.flowRules = checkNotNull(flowRules, "flowRules");
        this.devices = checkNotNull(devices, "devices");
        this.copies = checkNotNull(copies, "copies");
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

    private synchronized void install(DeviceId device) {
        int priority = copies.on(device) ? LAST_PRIORITY : PRIORITY;
        Integer before = priorities.put(device, priority);
        FlowRuleOperations.Builder operations = FlowRuleOperations.builder();
        for (short etherType : ETHER_TYPES) {
            operations.add(rule(device, etherType, priority));
        }
        // An earlier run of the application may have left the others.
        int other = priority == PRIORITY ? LAST_PRIORITY : PRIORITY;
        if (before == null || before == other) {
            operations.newStage();
            for (short etherType : ETHER_TYPES) {
                operations.remove(rule(device, etherType, other));
            }
        }
        flowRules.apply(operations.build());
    }

    private FlowRule rule(DeviceId device, short etherType, int priority) {
        return DefaultFlowRule.builder()
                .forDevice(device)
                .withSelector(DefaultTrafficSelector.builder()
                                      .matchEthType(etherType)
                                              .matchIPProtocol(IPv4.PROTOCOL_TCP)
                                      .build())
                .withTreatment(DefaultTrafficTreatment.builder().punt().build())
                .withPriority(priority)
                .fromApp(appId)
                .makePermanent()
                .build();
    }

    private final class ChangeListener implements DeviceListener {
        @Override
        public boolean isRelevant(DeviceEvent event) {
            return event.type() == DeviceEvent.Type.DEVICE_ADDED
                    || event.type() == DeviceEvent.Type.DEVICE_UPDATED
                    || event.type() == DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED;
        }

        @Override
        public void event(DeviceEvent event) {
            DeviceId device = event.subject().id();
            boolean isNew = event.type() != DeviceEvent.Type.DEVICE_UPDATED;
            int wanted = copies.on(device) ? LAST_PRIORITY : PRIORITY;
            if (devices.isAvailable(device) && (isNew || priorities.getOrDefault(device, -1) != wanted)) {
                install(device);
            }
        }
    }
}
