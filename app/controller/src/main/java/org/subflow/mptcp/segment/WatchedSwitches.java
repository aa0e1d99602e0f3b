// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.List;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipService;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.rules.RuleKind;

/**
 * Says of which switches a handshake may still go unseen: those whose rules for it are not confirmed, or are those of an earlier
 * master. Thread-safe.
 */
public final class WatchedSwitches {
    /** The southbound's annotation with the node whose rules for copies the switch has confirmed last. */
    private static final String CONFIRMED = "tcpFlagsNode";
    /** One rule for each IP version. */
    private static final int RULES = 2;

    private final DeviceService devices;
    private final MastershipService masters;
    private final OwnRules rules;
    private final FlagCopies copies;

    /**
     * Makes it.
     *
     * @param devices ONOS's device service; not null
     * @param masters knows the switches' masters; not null
     * @param rules   those of the application, with {@link WatchRules}; not null
     */
    public WatchedSwitches(DeviceService devices, MastershipService masters, OwnRules rules) {
        this.devices = checkNotNull(devices, "devices");
        this.masters = checkNotNull(masters, "masters");
        this.rules = checkNotNull(rules, "rules");
        this.copies = new FlagCopies(devices);
    }

    /** Returns the switches that are up and may not show every handshake yet; new. */
    public List<DeviceId> missing() {
        List<DeviceId> missing = new ArrayList<>();
        for (Device device : devices.getAvailableDevices(Device.Type.SWITCH)) {
            if (!isWatched(device)) {
                missing.add(device.id());
            }
        }
        return missing;
    }

    private boolean isWatched(Device device) {
        NodeId master;
        try {
            master = masters.getMasterFor(device.id());
        } catch (RuntimeException e) {
            // The storage nodes do not answer.
            return false;
        }
        if (master == null) {
            return false;
        }
        if (copies.on(device.id())) {
            String confirmed = device.annotations().value(CONFIRMED);
            // Another southbound may not say it.
            return confirmed == null || confirmed.equals(master.toString());
        }
        return rules.read().own(device.id()).stream()
                .filter(entry -> RuleKind.WATCH.includes(entry) && entry.state() == FlowEntryState.ADDED).count() >= RULES;
    }
}
