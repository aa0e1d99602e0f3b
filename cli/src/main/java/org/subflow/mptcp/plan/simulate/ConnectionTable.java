// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.plan.simulate.engine.Arrival;

/** The connections of one run with their completion times, for JSON. Immutable. */
final class ConnectionTable {
    private final Topology topology;
    private final List<Arrival> arrivals;
    private final int[] order;
    private final double[] completions;

    /**
     * Makes a table.
     *
     * @param topology    names the nodes
     * @param arrivals    by their numbers
     * @param order       the numbers in the order of the table
     * @param completions seconds by number; not a number for a connection that has not ended
     */
    ConnectionTable(Topology topology, List<Arrival> arrivals, int[] order, double[] completions) {
        this.topology = topology;
        this.arrivals = arrivals;
        this.order = order;
        this.completions = completions;
    }

    void write(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("connections");
        for (int number : order) {
            Arrival arrival = arrivals.get(number);
            json.writeStartObject();
            Report.writeFigure(json, "at", Summary.rounded(arrival.at));
            json.writeStringField("source", topology.name(arrival.source));
            json.writeStringField("target", topology.name(arrival.target));
            Report.writeFigure(json, "bytes", Summary.rounded(arrival.bytes));
            Report.writeFigure(json, "completionSeconds", Summary.rounded(completions[number]));
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
