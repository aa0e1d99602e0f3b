// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.link;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.onosproject.net.LinkKey;

/**
 * When each link last carried a probe. Times are milliseconds of any clock that only goes forward. Thread-safe.
 */
final class LinkAges {

    private final Map<LinkKey, Long> lastSeen = new HashMap<>();
    private long lastCheck = Long.MIN_VALUE;

    /** Notes that a probe crossed a link. */
    synchronized void seen(LinkKey link, long now) {
        lastSeen.put(link, now);
    }

    /** Forgets the links that a condition holds for. */
    synchronized void forget(Predicate<LinkKey> condition) {
        lastSeen.keySet().removeIf(condition);
    }

    /**
     * Forgets the links without a probe for too long.
     *
     * <p>If nobody called this for half that time, the controller itself stood still and missed probes. Then the age of
     * every link begins anew.
     *
     * @param now time
     * @param maxAge how long a link may go without a probe, in milliseconds
     * @return the links forgotten
     */
    synchronized List<LinkKey> expire(long now, long maxAge) {
        boolean stoodStill = lastCheck != Long.MIN_VALUE && now - lastCheck > maxAge / 2;
        lastCheck = now;
        if (stoodStill) {
            lastSeen.replaceAll((link, seen) -> now);
            return List.of();
        }
        List<LinkKey> stale = new ArrayList<>();
        lastSeen.forEach((link, seen) -> {
            if (now - seen > maxAge) {
                stale.add(link);
            }
        });
        stale.forEach(lastSeen::remove);
        return stale;
    }
}
