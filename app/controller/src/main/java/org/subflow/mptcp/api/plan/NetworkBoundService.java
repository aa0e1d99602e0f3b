// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.plan;

import java.util.Optional;

/**
 * Tells how close the expected throughputs of all connections together come to the best of any routing. Thread-safe.
 *
 * <p>The best routing may send each connection over all paths of the network at once; see
 * {@link org.subflow.mptcp.placement.rate.SplittableFlow}.
 */
@FunctionalInterface
public interface NetworkBoundService {
    /**
     * Returns the newest comparison. There is a new one once a minute at most.
     *
     * @return the comparison; empty without connections, before the first one, or if the best routing takes too much work
     */
    Optional<NetworkBound> bound();
}
