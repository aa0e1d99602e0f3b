// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.file;

import java.util.ArrayList;
import java.util.List;
import org.subflow.mptcp.path.topology.LinkFields;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.path.topology.TopologyBuilder;

/**
 * Reads graphs and demands of REPETITA (Gay, Schaus, Vissicchio). A node's name is its number from 0, its label as in the file.
 * Each edge is one direction. Bandwidths are in kbit/s, delays in microseconds.
 */
final class RepetitaReader {
    private static final double KILOBITS_PER_MEGABIT = 1e3;
    private static final double MICROS_PER_MILLI = 1e3;
    private static final int EDGE_WORDS = 6;
    private static final int DEMAND_WORDS = 4;

    private RepetitaReader() {
    }

    static Topology read(String name, String text, double defaultMbps) {
        TextLines lines = new TextLines(name, text);
        TopologyBuilder topology = new TopologyBuilder(name, "line", defaultMbps);
        int nodes = section(lines, "NODES");
        for (int node = 0; node < nodes; node++) {
            topology.node(Integer.toString(node), lines.words(1, "a node: label x y")[0], lines.line());
        }
        int edges = section(lines, "EDGES");
        for (int edge = 0; edge < edges; edge++) {
            String[] words = lines.words(EDGE_WORDS, "an edge: label src dest weight bw delay");
            LinkFields fields = new LinkFields().capacityMbps(lines.number(words[4], "bw") / KILOBITS_PER_MEGABIT)
                    .delayMillis(lines.number(words[5], "delay") / MICROS_PER_MILLI);
            topology.link(words[1], words[2], fields, lines.line());
        }
        return topology.build(true, true);
    }

    static List<FileDemand> demands(String name, String text) {
        TextLines lines = new TextLines(name, text);
        List<FileDemand> demands = new ArrayList<>();
        int count = section(lines, "DEMANDS");
        for (int demand = 0; demand < count; demand++) {
            String[] words = lines.words(DEMAND_WORDS, "a demand: label src dest bw");
            demands.add(new FileDemand(words[0], words[1], words[2], lines.number(words[3], "bw") / KILOBITS_PER_MEGABIT));
        }
        return demands;
    }

    /** Reads a section's title and the line with the names of its columns; returns how many lines it has. */
    private static int section(TextLines lines, String title) {
        String[] words = lines.words(2, title + " and how many");
        if (!words[0].equals(title) || !words[1].matches("[0-9]{1,7}")) {
            throw lines.bad("expected " + title + " and how many");
        }
        lines.words(1, "the names of columns");
        return Integer.parseInt(words[1]);
    }
}
