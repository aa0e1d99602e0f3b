// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static com.google.common.base.Preconditions.checkNotNull;

import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceService;

/**
 * Knows which switches copy TCP segments with SYN, FIN or RST to the controller and forward them all the same. The southbound
 * says so by an annotation of the device. Any other switch sends all TCP without a rule to the controller. Thread-safe.
 */
public final class FlagCopies {
    /** Service property of a packet processor that takes such segments; its values are the next two. */
    public static final String PROPERTY = "tcp.flags";
    /** The processor takes copies of segments with SYN, FIN or RST. */
    public static final String COPIES = "copies";
    /** The processor takes SYNs that wait in the controller until it forwards them. */
    public static final String DIVERTED_SYNS = "diverted-syns";

    private static final String ANNOTATION = "tcpFlags";
    private static final String COPIED = "copied";

    private final DeviceService devices;

    /**
     * Makes it.
     *
     * @param devices ONOS's device service; not null
     */
    public FlagCopies(DeviceService devices) {
        this.devices = checkNotNull(devices, "devices");
    }

    /** Returns whether a switch copies these segments. */
    public boolean on(DeviceId device) {
        Device known = devices.getDevice(device);
        return known != null && COPIED.equals(known.annotations().value(ANNOTATION));
    }

    /** Returns how many switches that are up copy these segments. */
    public long count() {
        long copying = 0;
        for (Device device : devices.getAvailableDevices()) {
            copying += on(device.id()) ? 1 : 0;
        }
        return copying;
    }
}
