// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.host;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.Maps;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.onlab.packet.IpAddress;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;

/**
 * Which addresses a host keeps when it has told of as many as it may have. Those go first that nothing has come from since they
 * were declared, the oldest of them first; then those that have been silent for longest. Thread-safe.
 */
final class AddressBound {

    /** Addresses of all hosts; what is known of further ones is forgotten. */
    private static final int MOST = 1 << 16;

    /** Ranks from here on are those of addresses that are in use. */
    private static final long IN_USE = 1L << 62;

    private final Cache<Map.Entry<HostId, IpAddress>, Long> ranks = CacheBuilder.newBuilder().maximumSize(MOST).build();
    private final AtomicLong count = new AtomicLong();

    /** A host has used these addresses; only those count that it was known to have. */
    void used(Host host, Set<IpAddress> addresses) {
        addresses.stream().filter(host.ipAddresses()::contains).forEach(
                address -> ranks.put(Maps.immutableEntry(host.id(), address), IN_USE + count.incrementAndGet()));
    }

    /**
     * {@return the addresses of a host from now on}
     *
     * @param known the addresses so far
     * @param fresh further ones, of which it has just told
     * @param most  how many it may have
     */
    Set<IpAddress> keep(HostId host, Set<IpAddress> known, Set<IpAddress> fresh, int most) {
        fresh.forEach(address -> ranks.put(Maps.immutableEntry(host, address), count.incrementAndGet()));
        Set<IpAddress> kept = new HashSet<>(fresh);
        // Those of which nothing is known may have been in use on another node.
        known.stream().sorted(Comparator.comparing((IpAddress address) -> rank(host, address)).reversed())
                .limit(Math.max(0, most - fresh.size())).forEach(kept::add);
        return kept;
    }

    private long rank(HostId host, IpAddress address) {
        Long rank = ranks.getIfPresent(Maps.immutableEntry(host, address));
        return rank == null ? IN_USE : rank;
    }
}
