// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.view;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.onosproject.codec.CodecContext;
import org.onosproject.codec.JsonCodec;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.monitoring.NameService;

/** One direction of a link as JSON; rates are Mbit/s. */
public final class LinkUsageCodec extends JsonCodec<LinkUsage> {
    @Override
    public ObjectNode encode(LinkUsage usage, CodecContext context) {
        ObjectNode node = context.mapper().createObjectNode();
        Json.putUsage(node, usage, context.getService(NameService.class));
        return node;
    }
}
