// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.Range;
import java.util.Collection;
import org.onlab.packet.IpPrefix;
import org.onosproject.codec.CodecContext;
import org.onosproject.codec.JsonCodec;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.api.policy.PolicyMatch;
import org.subflow.mptcp.placement.Mbps;

/** A policy as JSON, with the fields that network configuration takes, and only those that it says something about. */
public final class PolicyCodec extends JsonCodec<Policy> {
    @Override
    public ObjectNode encode(Policy policy, CodecContext context) {
        ObjectNode node = context.mapper().createObjectNode().put("name", policy.name());
        PolicyMatch match = policy.match();
        prefixes(node, "hosts", match.hosts());
        prefixes(node, "clients", match.clients());
        prefixes(node, "servers", match.servers());
        ports(node, match.ports());
        if (!policy.isManaged()) {
            return node.put("managed", false);
        }
        Policy.SETTINGS.forEach(setting -> policy.get(setting).ifPresent(value -> Json.put(node, setting, value)));
        node.put("weight", policy.weight());
        if (Double.isFinite(policy.cap())) {
            node.put("capMbps", Mbps.of(policy.cap()));
        }
        if (policy.minimum() > 0) {
            node.put("whenShort", "refuse").put("minMbps", Mbps.of(policy.minimum()));
        }
        return node;
    }

    private static void prefixes(ObjectNode node, String field, Collection<IpPrefix> prefixes) {
        if (!prefixes.isEmpty()) {
            ArrayNode array = node.putArray(field);
            prefixes.forEach(prefix -> array.add(prefix.toString()));
        }
    }

    private static void ports(ObjectNode node, Collection<Range<Integer>> ranges) {
        if (ranges.isEmpty()) {
            return;
        }
        ArrayNode array = node.putArray("ports");
        for (Range<Integer> range : ranges) {
            int least = range.lowerEndpoint();
            int most = range.upperEndpoint();
            if (least == most) {
                array.add(least);
            } else {
                array.add(least + "-" + most);
            }
        }
    }
}
