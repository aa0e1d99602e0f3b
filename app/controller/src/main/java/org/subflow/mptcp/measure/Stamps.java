// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

import org.onosproject.net.DeviceId;

/** Makes of the times with which ONOS has stamped the counters of switches times of one clock without steps. */
@FunctionalInterface
public interface Stamps {
    /** Takes the times as they are. */
    Stamps AS_THEY_ARE = (device, stampMillis) -> stampMillis;

    /**
     * Returns when a switch reported a counter.
     *
     * @param device      the switch; not null
     * @param stampMillis the time on the counter, milliseconds of the Unix epoch
     * @return milliseconds of the clock without steps
     */
    long at(DeviceId device, long stampMillis);
}
