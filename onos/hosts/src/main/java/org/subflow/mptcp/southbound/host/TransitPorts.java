// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.host;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.concurrent.TimeUnit;
import org.onosproject.net.ConnectPoint;

/**
 * Ports that may lead to another switch although ONOS knows no link there. Such a port has just come up, or has just lost
 * its link. Packets of hosts that are known elsewhere may only pass through it. Thread-safe.
 */
final class TransitPorts {
    /** Longer than discovery takes. */
    private static final long UNTIL_DISCOVERED_SECONDS = 5;
    private static final long AFTER_A_LINK_SECONDS = 30;

    private final Cache<ConnectPoint, Boolean> up;
    private final Cache<ConnectPoint, Boolean> linked;

    TransitPorts(Ticker clock) {
        up = CacheBuilder.newBuilder().ticker(clock).expireAfterWrite(UNTIL_DISCOVERED_SECONDS, TimeUnit.SECONDS).build();
        linked = CacheBuilder.newBuilder().ticker(clock).expireAfterWrite(AFTER_A_LINK_SECONDS, TimeUnit.SECONDS).build();
    }

    /** A port has come up. */
    void cameUp(ConnectPoint port) {
        up.put(port, true);
    }

    /** A link that ended at a port is gone. */
    void lostLink(ConnectPoint port) {
        linked.put(port, true);
    }

    /** Returns whether packets of a host that is known elsewhere say nothing about where it is. */
    boolean mayBe(ConnectPoint port) {
        return up.getIfPresent(port) != null || linked.getIfPresent(port) != null;
    }
}
