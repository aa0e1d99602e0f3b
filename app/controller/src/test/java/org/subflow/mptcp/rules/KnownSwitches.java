// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rules;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.MastershipRole;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.subflow.mptcp.topology.Nets;

/** Switches {@code of:1}, {@code of:2}, … that are up until a test says otherwise. */
public final class KnownSwitches extends DeviceServiceAdapter {
    /** Those that are up. */
    public final Set<DeviceId> up = new LinkedHashSet<>();
    private final Set<DeviceId> all;

    public KnownSwitches(int count) {
        for (int number = 1; number <= count; number++) {
            up.add(Nets.device(number));
        }
        all = Set.copyOf(up);
    }

    private static Iterable<Device> devices(Set<DeviceId> ids) {
        return ids.stream().map(id -> new DefaultDevice(null, id, Device.Type.SWITCH, "", "", "", "", null))
                .collect(Collectors.toList());
    }

    @Override
    public Iterable<Device> getDevices() {
        return devices(all);
    }

    @Override
    public Iterable<Device> getAvailableDevices() {
        return devices(up);
    }

    @Override
    public boolean isAvailable(DeviceId id) {
        return up.contains(id);
    }

    @Override
    public MastershipRole getRole(DeviceId id) {
        return MastershipRole.MASTER;
    }
}
