// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.monitoring;

import java.util.List;

/**
 * Tells which links and switches have failed, until they are back or ONOS forgets them: it no longer knows a switch or port, or
 * another link begins or ends at the port. Thread-safe; what is told is bounded, and of what this node has seen itself.
 */
public interface FailureService {
    /** Returns the links that have failed, once for both directions, oldest failure first. */
    List<FailedLink> links();

    /** Returns the switches that have failed, oldest failure first. */
    List<FailedSwitch> switches();
}
