// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.onosproject.net.DeviceId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.loop.Clock;

/**
 * Estimates how far the clocks of other nodes are behind this node's, and corrects what they stamp. ONOS stamps the counters of a
 * switch with the clock of its master, and a node tells no other its time.
 *
 * <p>A fresh counter is young. So the least age of the last stamps of a switch tells the difference, but for a moment. A difference of
 * up to three seconds may be nothing but late polls, and is left as it is. Used by the control loop only.
 */
public final class MasterClocks implements Stamps {
    /** What counts as no difference: polls and readings may be late by that much. */
    static final long TOLERANCE_MILLIS = 3000;
    /** The least age is that of the last one or two times so long; ONOS polls every five seconds. */
    static final long SPAN_NANOS = TimeUnit.SECONDS.toNanos(8);

    private static final Logger LOG = LoggerFactory.getLogger(MasterClocks.class);
    private static final double MILLIS_PER_SECOND = 1000;

    private final Clock clock;
    private final Predicate<DeviceId> isOwn;
    private final Map<DeviceId, Difference> bySwitch = new HashMap<>();

    /** The least ages of stamps of a switch, and by how much its master's clock is taken to be behind. */
    private static final class Difference {
        private long behindMillis;
        private long begunNanos;
        private long leastBefore = Long.MAX_VALUE;
        private long least = Long.MAX_VALUE;

        private long least(long ageMillis, long now) {
            if (now - begunNanos >= SPAN_NANOS) {
                leastBefore = now - begunNanos < 2 * SPAN_NANOS ? least : Long.MAX_VALUE;
                least = Long.MAX_VALUE;
                begunNanos = now;
            }
            least = Math.min(least, ageMillis);
            return Math.min(least, leastBefore);
        }
    }

    /**
     * Takes the clocks of all nodes for equal until stamps tell otherwise.
     *
     * @param isOwn whether this node is the master of a switch; not null
     */
    public MasterClocks(Clock clock, Predicate<DeviceId> isOwn) {
        this.clock = checkNotNull(clock, "clock");
        this.isOwn = checkNotNull(isOwn, "isOwn");
    }

    @Override
    public long at(DeviceId device, long stampMillis) {
        long now = clock.nanos();
        Difference difference = bySwitch.computeIfAbsent(device, unused -> new Difference());
        long least = difference.least(clock.ageMillis(stampMillis), now);
        if (Math.abs(least - difference.behindMillis) > TOLERANCE_MILLIS) {
            correct(device, difference, isOwn.test(device) ? 0 : least);
        }
        return clock.at(stampMillis + difference.behindMillis);
    }

    private static void correct(DeviceId device, Difference difference, long behindMillis) {
        if (difference.behindMillis != behindMillis) {
            LOG.info("The clock of the master of {} is {} s behind this node's; its counters are corrected by that", device,
                     behindMillis / MILLIS_PER_SECOND);
            difference.behindMillis = behindMillis;
        }
    }
}
