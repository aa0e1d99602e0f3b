// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.monitoring;

import static com.google.common.base.Preconditions.checkNotNull;

import org.onosproject.net.DeviceId;

/** A switch that ONOS knows and does not reach. Immutable. */
public final class FailedSwitch {
    private final DeviceId device;
    private final long sinceMillis;

    /**
     * Makes it.
     *
     * @param device      the switch; not null
     * @param sinceMillis since when, milliseconds of the Unix epoch
     */
    public FailedSwitch(DeviceId device, long sinceMillis) {
        this.device = checkNotNull(device, "device");
        this.sinceMillis = sinceMillis;
    }

    /** Returns the switch. */
    public DeviceId device() {
        return device;
    }

    /** Returns since when, milliseconds of the Unix epoch. */
    public long sinceMillis() {
        return sinceMillis;
    }
}
