// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.onosproject.codec.CodecContext;
import org.onosproject.codec.JsonCodec;
import org.subflow.mptcp.api.agent.AgentStatus;

/** A host with what is known of its agent as JSON. */
public final class AgentStatusCodec extends JsonCodec<AgentStatus> {
    @Override
    public ObjectNode encode(AgentStatus agent, CodecContext context) {
        ObjectNode node = context.mapper().createObjectNode().put("host", agent.host().toString());
        ArrayNode addresses = node.putArray("addresses");
        agent.addresses().forEach(address -> addresses.add(address.toString()));
        if (agent.lastReportMillis().isPresent()) {
            node.put("lastReportMillis", agent.lastReportMillis().getAsLong());
        } else {
            node.putNull("lastReportMillis");
        }
        return node.put("backend", agent.backend()).put("pathManager", agent.pathManager())
                .put("connections", agent.connections()).put("version", agent.version());
    }
}
