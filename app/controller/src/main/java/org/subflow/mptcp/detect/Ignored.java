// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.detect;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.concurrent.TimeUnit;
import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.topology.Attachments.Obstacle;

/**
 * Counts what is left to other applications, and says so in the log: once in a while for each port or address, so that a
 * flood does not fill the log. Thread-safe.
 */
public final class Ignored {
    private static final Logger LOG = LoggerFactory.getLogger(Ignored.class);
    private static final int MOST_SUBJECTS = 256;
    private static final int QUIET_MINUTES = 10;

    private final DetectCounters counters;
    private final Cache<Object, Boolean> told = CacheBuilder.newBuilder()
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

    /** A VLAN-tagged TCP packet came in. */
    void tagged(ConnectPoint from, short vlan) {
        counters.increment(Counter.IGNORED_VLAN);
        if (isNews(from)) {
            LOG.info("TCP with VLAN tag {} comes in at {}: VLAN-tagged hosts are left to other applications", vlan,
                     from);
        }
    }

    /** A TCP packet came in whose destination is nowhere, or nowhere certain. */
    void destination(IpAddress address, Obstacle obstacle) {
        switch (obstacle) {
            case UNKNOWN:
                // Not worth a line: any port scan has plenty.
                counters.increment(Counter.IGNORED_UNKNOWN_HOST);
                return;
            case SEVERAL_HOSTS:
                counters.increment(Counter.IGNORED_SEVERAL_HOSTS);
                break;
            case TAGGED:
                counters.increment(Counter.IGNORED_VLAN);
                break;
            default:
                return;
        }
        if (isNews(address)) {
            LOG.warn("TCP to {} is left to other applications: {}", address, obstacle);
        }
    }

    /** An MPTCP connection was established that is forwarded like plain TCP because of an address of its own. */
    public void connection(IpAddress address, Obstacle obstacle) {
        counters.increment(Counter.ESTABLISHED_UNMANAGED);
        if (isNews(address)) {
            LOG.warn("MPTCP connections of {} are forwarded like plain TCP: {}", address, obstacle);
        }
    }

    private boolean isNews(Object subject) {
        return told.asMap().putIfAbsent(subject, true) == null;
    }
}
