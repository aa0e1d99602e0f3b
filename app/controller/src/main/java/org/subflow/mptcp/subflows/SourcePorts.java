// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.subflows;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.cache.CacheBuilder;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.FiveTuple;

/**
 * Source ports for subflows that hosts' agents open: above those that Linux gives to sockets by itself, one after the other,
 * so that a port rests for long before it is used again. Used by the control loop only.
 */
public final class SourcePorts {
    static final int FIRST = 61_000;
    static final int LAST = 65_535;
    /** Ports that are tried for one subflow. */
    private static final int TRIES = 100;
    private static final int MOST_HOSTS = 10_000;

    private final Predicate<FiveTuple> isTaken;
    private final Map<IpAddress, Integer> last =
            CacheBuilder.newBuilder().concurrencyLevel(1).maximumSize(MOST_HOSTS).<IpAddress, Integer>build().asMap();

    SourcePorts(Predicate<FiveTuple> isTaken) {
        this.isTaken = checkNotNull(isTaken, "isTaken");
    }

    /** Returns whether a port is one of these. */
    public static boolean has(int port) {
        return port >= FIRST;
    }

    /** Returns a five-tuple between the same addresses and to the same port as another one; empty if no port is found. */
    Optional<FiveTuple> next(FiveTuple like) {
        for (int tries = 0; tries < TRIES; tries++) {
            int port = last.merge(like.source(), FIRST, (before, first) -> before == LAST ? first : before + 1);
            FiveTuple tuple = like.withSourcePort(port);
            if (!isTaken.test(tuple)) {
                return Optional.of(tuple);
            }
        }
        return Optional.empty();
    }
}
