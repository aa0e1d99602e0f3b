// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.onosproject.codec.CodecContext;
import org.onosproject.codec.JsonCodec;
import org.subflow.mptcp.api.LinkUsage;

/** One direction of a link as JSON; rates are Mbit/s. */
public final class LinkUsageCodec extends JsonCodec<LinkUsage> {
    @Override
    public ObjectNode encode(LinkUsage usage, CodecContext context) {
        return context.mapper().createObjectNode()
                .put("source", usage.link().src().toString())
                .put("target", usage.link().dst().toString())
                .put("capacityMbps", Mbps.of(usage.capacity()))
                .put("reservedMbps", Mbps.of(usage.reserved()))
                .put("measuredMbps", Mbps.of(usage.measured()))
                .put("othersMbps", Mbps.of(usage.others()))
                .put("subflows", usage.subflows());
    }
}
