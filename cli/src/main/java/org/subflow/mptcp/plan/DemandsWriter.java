// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.util.List;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.placement.Mbps;

/**
 * Writes what connections send at most as a traffic matrix, {@code source,target,mbps}, which {@code ./lab demo}, {@code compare}
 * and {@code simulate} take as {@code --traffic}. Nodes have their labels, as there.
 */
final class DemandsWriter {
    private DemandsWriter() {
    }

    /** Returns the matrix as CSV with a heading; InputException if a connection could send without limit. */
    static String written(List<ConnectionRequest> requests, Topology topology) {
        StringBuilder csv = new StringBuilder("source,target,mbps\n");
        for (ConnectionRequest request : requests) {
            if (Double.isInfinite(request.cap)) {
                throw new InputException("connection '" + request.id + "' has no capMbps: a traffic matrix says how much is sent");
            }
            csv.append(quoted(topology, request.source)).append(',').append(quoted(topology, request.target)).append(',')
                    .append(Mbps.of(request.cap)).append('\n');
        }
        return csv.toString();
    }

    private static String quoted(Topology topology, int node) {
        String name = topology.label(node) == null ? topology.name(node) : topology.label(node);
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
