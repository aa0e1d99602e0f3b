// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperations;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.rules.WantedRules;

/**
 * Rules in every switch that show TCP to the controller, tagged or not: one for each IP version.
 *
 * <p>A switch that copies SYN, FIN and RST ({@link FlagCopies}) has them below all other rules, for the packets that no
 * application forwards ({@link RuleKind#LAST_WATCH}). In any other switch they are above those of stock reactive forwarding
 * ({@link RuleKind#WATCH}).
 */
public final class WatchRules {
    private static final List<Short> ETHER_TYPES = List.of(Ethernet.TYPE_IPV4, Ethernet.TYPE_IPV6);

    private final OwnRules rules;
    private final DeviceService devices;
    private final FlagCopies copies;
    private final DeviceListener listener = new ChangeListener();
    private final Map<DeviceId, RuleKind> kinds = new ConcurrentHashMap<>();

    /**
     * Makes the rules' keeper; nothing happens before {@link #start()}.
     *
     * @param rules   the application's rules; not null
     * @param devices ONOS's device service; not null
     * @param copies  which switches copy segments; not null
     */
    public WatchRules(OwnRules rules, DeviceService devices, FlagCopies copies) {
        this.rules = checkNotNull(rules, "rules");
        this.devices = checkNotNull(devices, "devices");
        this.copies = checkNotNull(copies, "copies");
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
        RuleKind kind = kind(device);
        RuleKind before = kinds.put(device, kind);
        FlowRuleOperations.Builder operations = FlowRuleOperations.builder();
        rules(device, kind).forEach(operations::add);
        if (before != kind) {
            // An earlier run of the application may have left the others.
            operations.newStage();
            rules(device, kind == RuleKind.WATCH ? RuleKind.LAST_WATCH : RuleKind.WATCH).forEach(operations::remove);
        }
        rules.apply(operations, unused -> { });
    }

    private RuleKind kind(DeviceId device) {
        return copies.on(device) ? RuleKind.LAST_WATCH : RuleKind.WATCH;
    }

    /** Returns the rules of a kind that the switches which are up should have. */
    public WantedRules wanted(RuleKind kind) {
        List<FlowRule> wanted = new ArrayList<>();
        for (Device device : devices.getAvailableDevices()) {
            if (kind(device.id()) == kind) {
                wanted.addAll(rules(device.id(), kind));
            }
        }
        return new WantedRules(wanted.stream(), other -> false);
    }

    private List<FlowRule> rules(DeviceId device, RuleKind kind) {
        return ETHER_TYPES.stream().map(etherType -> kind.rule(
                rules.appId(), device,
                DefaultTrafficSelector.builder().matchEthType(etherType).matchIPProtocol(IPv4.PROTOCOL_TCP).build(),
                DefaultTrafficTreatment.builder().punt().build())).collect(Collectors.toList());
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
            if (devices.isAvailable(device) && (isNew || kinds.get(device) != kind(device))) {
                install(device);
            }
        }
    }
}
