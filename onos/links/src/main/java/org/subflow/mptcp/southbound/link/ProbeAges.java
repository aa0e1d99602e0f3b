// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.link;

import java.util.HashMap;
import java.util.Map;
import org.onosproject.net.DeviceId;

/**
 * Tells fresh probes from recorded ones. The node that sends a probe writes its time on it, and the clock of the node that gets it
 * may be another one.
 *
 * <p>So the age of a probe is how much it is behind the newest probe of its switch. Clocks that are apart or that are set do not
 * matter. A recorded probe is found out if the switch's own probes come in here as well. Thread-safe.
 */
final class ProbeAges {

    /** What a switch's newest probe was is forgotten after one or two times so long: its master, or that one's clock, may change. */
    static final long SPAN_MILLIS = 2500;

    private final Map<DeviceId, Newest> bySwitch = new HashMap<>();

    /** By how much the times on a switch's probes are ahead of the clock here, milliseconds: the greatest in two spans. */
    private static final class Newest {
        private long begun;
        private long aheadBefore = Long.MIN_VALUE;
        private long ahead = Long.MIN_VALUE;

        private long note(long aheadMillis, long now) {
            if (now - begun >= SPAN_MILLIS) {
                aheadBefore = now - begun < 2 * SPAN_MILLIS ? ahead : Long.MIN_VALUE;
                ahead = Long.MIN_VALUE;
                begun = now;
            }
            ahead = Math.max(ahead, aheadMillis);
            return Math.max(ahead, aheadBefore);
        }
    }

    /**
     * {@return the age of a probe that has just come in, milliseconds}
     *
     * @param from        the switch that the probe names, not null
     * @param stampMillis the time on the probe, milliseconds of the Unix epoch
     * @param epochMillis the time of the clock here, milliseconds of the Unix epoch
     * @param now         the time of a clock that only goes forward, milliseconds
     */
    synchronized long age(DeviceId from, long stampMillis, long epochMillis, long now) {
        long aheadMillis = stampMillis - epochMillis;
        return bySwitch.computeIfAbsent(from, unused -> new Newest()).note(aheadMillis, now) - aheadMillis;
    }
}
