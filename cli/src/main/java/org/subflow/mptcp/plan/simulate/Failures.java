// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.plan.InputException;
import org.subflow.mptcp.plan.simulate.engine.LinkChange;

/** Reads links that go down and come up: CSV with {@code at,source,target,state}. Parallel links go together. */
final class Failures {
    private static final double MOST_SECONDS = 1e9;

    private Failures() {
    }

    /**
     * Reads a file.
     *
     * @param file     its path; null for none
     * @param topology the network; not null
     * @return the changes by time; of the same time in the order of the file
     * @throws InputException if it cannot be read, or names a link that there is not; the message names the line
     */
    static List<LinkChange> read(String file, Topology topology) {
        List<LinkChange> changes = new ArrayList<>();
        if (file == null) {
            return changes;
        }
        Csv csv = new Csv("--failures", file);
        if (!csv.has("at", "source", "target", "state")) {
            throw new InputException(file + ": the first line must name the columns: at,source,target,state");
        }
        Graph graph = topology.graph();
        for (int row = 0; row < csv.rows(); row++) {
            double at = csv.number(row, "at", 0, MOST_SECONDS);
            int source = csv.node(row, "source", topology);
            int target = csv.node(row, "target", topology);
            String state = csv.text(row, "state");
            if (!state.equals("up") && !state.equals("down")) {
                throw csv.bad(row, "state is '" + state + "'; it must be down or up");
            }
            int before = changes.size();
            for (int i = 0; i < graph.degree(source); i++) {
                int arc = graph.arcFrom(source, i);
                if (graph.head(arc) == target) {
                    changes.add(new LinkChange(at, Graph.linkOf(arc), state.equals("up")));
                }
            }
            if (changes.size() == before) {
                throw csv.bad(row, "no link joins " + csv.text(row, "source") + " and " + csv.text(row, "target"));
            }
        }
        changes.sort(Comparator.comparingDouble(change -> change.at));
        return changes;
    }
}
