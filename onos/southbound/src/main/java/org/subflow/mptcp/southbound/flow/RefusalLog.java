// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.flow;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.onosproject.openflow.controller.Dpid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells that switches refuse rules, of each switch once in a while: ONOS sends missing rules again and again. */
final class RefusalLog {

    static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final Logger log = LoggerFactory.getLogger(RefusalLog.class);

    private final LongSupplier clockNanos;
    private final Map<Dpid, Told> switches = new ConcurrentHashMap<>();

    private static final class Told {
        private final long since;
        private final int silent;

        Told(long since, int silent) {
            this.since = since;
            this.silent = silent;
        }
    }

    /**
     * Makes a log.
     *
     * @param clockNanos a monotonic clock, nanoseconds
     */
    RefusalLog(LongSupplier clockNanos) {
        this.clockNanos = clockNanos;
    }

    /**
     * Tells of a refused rule unless the switch has refused another one a moment ago.
     *
     * @return whether it was told
     */
    boolean refused(Dpid dpid, Object error) {
        long now = clockNanos.getAsLong();
        Told before = switches.get(dpid);
        if (before != null && now - before.since < PAUSE_NANOS) {
            switches.put(dpid, new Told(before.since, before.silent + 1));
            return false;
        }
        log.warn("{} refused a rule{}: {}", dpid, before == null || before.silent == 0 ? ""
                : " (and " + before.silent + " since the last time this was said)", error);
        switches.put(dpid, new Told(now, 0));
        return true;
    }
}
