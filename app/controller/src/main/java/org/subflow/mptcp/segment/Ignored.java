// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.concurrent.TimeUnit;
import org.onlab.packet.IpAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.topology.Attachments.Obstacle;

/**
 * Counts MPTCP connections that are forwarded like plain TCP because of a host, and says so in the log: once in a while for
 * each address, so that a flood does not fill the log. Thread-safe.
 */
public final class Ignored {
    private static final Logger LOG = LoggerFactory.getLogger(Ignored.class);
    private static final int MOST_SUBJECTS = 256;
    private static final int QUIET_MINUTES = 10;

    private final DetectCounters counters;
    private final Cache<IpAddress, Boolean> told = CacheBuilder.newBuilder()
            .maximumSize(MOST_SUBJECTS)
            .expireAfterWrite(QUIET_MINUTES, TimeUnit.MINUTES)
            .build();

    /**
     * Makes it.
     *
     * @param counters counts; not null
     */
    public Ignored(DetectCounters counters) {
        this.counters = checkNotNull(counters, "counters");
    }

    /** An MPTCP connection was established that is forwarded like plain TCP because of an address of its own. */
    public void connection(IpAddress address, Obstacle obstacle) {
        counters.increment(Counter.ESTABLISHED_UNMANAGED);
        if (told.asMap().putIfAbsent(address, true) == null) {
            LOG.warn("MPTCP connections of {} are forwarded like plain TCP: {}", address, obstacle);
        }
    }
}
