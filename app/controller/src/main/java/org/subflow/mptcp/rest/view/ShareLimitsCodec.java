// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.onosproject.codec.CodecContext;
import org.onosproject.codec.JsonCodec;
import org.subflow.mptcp.api.monitoring.NameService;
import org.subflow.mptcp.api.plan.ShareLimits;
import org.subflow.mptcp.placement.Mbps;

/** What limits a connection as JSON; rates are Mbit/s. */
public final class ShareLimitsCodec extends JsonCodec<ShareLimits> {
    @Override
    public ObjectNode encode(ShareLimits limits, CodecContext context) {
        NameService names = context.getService(NameService.class);
        ObjectNode node = context.mapper().createObjectNode()
                .put("direction", limits.isUpwards() ? "up" : "down")
                .put("limitedByDemand", limits.isByDemand());
        ArrayNode links = node.putArray("limitedBy");
        for (ShareLimits.FullLink full : limits.links()) {
            ObjectNode link = Json.ends(links.addObject(), full.link().src(), full.link().dst(), names)
                    .put("capacityMbps", Mbps.rounded(full.capacity()))
                    .put("gainMbps", Mbps.rounded(full.gain()));
            ArrayNode connections = link.putArray("connections");
            full.connections().forEach(id -> connections.add(id.value()));
        }
        ArrayNode cut = node.putArray("minimumCut");
        limits.cut().forEach(link -> Json.ends(cut.addObject(), link.src(), link.dst(), names));
        return node;
    }
}
