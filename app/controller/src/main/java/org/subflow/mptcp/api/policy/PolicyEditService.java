// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.policy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Changes the policies in ONOS's network configuration. Those that are in force follow a moment later.
 *
 * <p>Changes through this service wait for one another. ONOS's configuration itself knows no compare-and-set: what somebody else
 * writes to it in the same moment, or on another node, can get lost. Thread-safe.
 */
public interface PolicyEditService {
    /** Returns the policies as they are configured, in their order; empty if the configuration cannot be read. */
    List<Policy> configured();

    /**
     * Changes the list.
     *
     * @param change gets the configured policies, and the same list as JSON, which it changes; it may throw an exception to leave
     *               everything as it is; not null
     * @return the list as it is configured now
     * @throws IllegalArgumentException if a policy is unusable; the message has one line, and nothing changes
     */
    ArrayNode change(BiConsumer<List<Policy>, ArrayNode> change);
}
