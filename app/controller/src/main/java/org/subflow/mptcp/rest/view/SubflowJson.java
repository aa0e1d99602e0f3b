// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.view;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.onosproject.net.DeviceId;
import org.onosproject.net.HostId;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.monitoring.NameService;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.placement.Mbps;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.topology.NetworkSnapshot;

/** A subflow with its measured rates as JSON; rates are Mbit/s. */
public final class SubflowJson {
    private static final double THOUSAND = 1000;

    private SubflowJson() {
    }

    /**
     * Writes a subflow.
     *
     * @param network  the network, which tells its path's delay; not null
     * @param names    how hosts and switches are called; not null
     * @param state    the state to tell, which may follow from those of its siblings; not null
     * @param measured its measured rates; empty if there are none
     */
    public static ObjectNode encode(ObjectMapper mapper, NetworkSnapshot network, NameService names, Subflow subflow,
                                    SubflowState state, Optional<Rates> measured) {
        HostId source = subflow.tuple().sourceHost();
        HostId destination = subflow.tuple().destinationHost();
        ObjectNode node = mapper.createObjectNode()
                .put("src", subflow.tuple().sourceText())
                .put("dst", subflow.tuple().destinationText())
                .put("srcHost", host(source))
                .put("dstHost", host(destination))
                .put("srcHostName", names.stated(source).orElse(null))
                .put("dstHostName", names.stated(destination).orElse(null))
                .put("state", state.name().toLowerCase(Locale.ROOT))
                .put("join", subflow.isJoin())
                .put("backup", subflow.isBackup())
                .put("fromClient", subflow.fromClient());
        ArrayNode path = node.putArray("path");
        ArrayNode pathNames = node.putArray("pathNames");
        for (DeviceId device : subflow.devices()) {
            path.add(device.toString());
            pathNames.add(names.of(device));
        }
        ArrayNode links = node.putArray("links");
        subflow.path().forEach(link -> links.add(Json.port(link.src())));
        if (subflow.path().isEmpty()) {
            node.putNull("bottleneckMbps");
        } else {
            node.put("bottleneckMbps", Mbps.rounded(subflow.bottleneck()));
        }
        node.put("expectedMbps", Mbps.rounded(subflow.expected().larger()))
                .put("expectedUpMbps", Mbps.rounded(subflow.expected().up()))
                .put("expectedDownMbps", Mbps.rounded(subflow.expected().down()));
        return putMeasured(node, measured, subflow.expected()).put("delayMillis", delay(network, subflow));
    }

    /** Returns the delay of a path in milliseconds; null without a path, or if the network has no delays. */
    private static Double delay(NetworkSnapshot network, Subflow subflow) {
        return subflow.path().isEmpty() || !network.graph().hasDelays() ? null
                : network.path(subflow.path()).map(Path::delayMillis).orElse(null);
    }

    /** Writes a host as ONOS names it; null if no frame has shown it. */
    private static String host(HostId host) {
        return host.equals(HostId.NONE) ? null : host.toString();
    }

    /**
     * Writes measured rates, and their ratio to what is expected where more is expected: null where nothing was measured, the ratio
     * also if nothing is expected.
     */
    static ObjectNode putMeasured(ObjectNode node, Optional<Rates> measured, Rates expected) {
        OptionalDouble ratio = measured.map(rates -> rates.partOf(expected)).orElse(OptionalDouble.empty());
        return node.put("measuredUpMbps", measured.map(rates -> Mbps.rounded(rates.up())).orElse(null))
                .put("measuredDownMbps", measured.map(rates -> Mbps.rounded(rates.down())).orElse(null))
                .put("ratio", ratio.isPresent() ? (Double) (Math.round(ratio.getAsDouble() * THOUSAND) / THOUSAND) : null);
    }
}
