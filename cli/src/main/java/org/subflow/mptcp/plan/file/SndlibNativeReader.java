// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.file;

import java.util.ArrayList;
import java.util.List;
import org.subflow.mptcp.path.topology.LinkFields;
import org.subflow.mptcp.path.topology.TopologyBuilder;

/** Reads a network of SNDlib in its native form: the same as {@link SndlibReader}, in sections with parentheses. */
final class SndlibNativeReader {
    private static final int LINK_WORDS = 6;
    private static final int DEMAND_WORDS = 7;

    private SndlibNativeReader() {
    }

    static TopologyFile read(String name, String text, double defaultMbps) {
        TextLines lines = new TextLines(name, text);
        TopologyBuilder topology = new TopologyBuilder(name, "line", defaultMbps);
        List<FileDemand> demands = new ArrayList<>();
        String section = "";
        for (String[] words = lines.words(); words != null; words = lines.words()) {
            if (words[0].startsWith("#") || words[0].startsWith("?") || words[0].equals("META")) {
                continue;
            }
            if (words.length == 2 && words[1].equals("(") && words[0].equals(words[0].toUpperCase(java.util.Locale.ROOT))) {
                section = words[0];
            } else if (words[0].equals(")")) {
                section = "";
            } else if (section.equals("NODES")) {
                topology.node(words[0], lines.line());
            } else if (section.equals("LINKS")) {
                readLink(words, lines, topology);
            } else if (section.equals("DEMANDS")) {
                demands.add(readDemand(words, lines));
            }
        }
        return new TopologyFile(topology.build(false, true), demands);
    }

    /** Reads {@code ID ( SOURCE TARGET ) CAPACITY …}: the capacity of the preinstalled module, 0 if there is none. */
    private static void readLink(String[] words, TextLines lines, TopologyBuilder topology) {
        if (words.length < LINK_WORDS || !words[1].equals("(") || !words[4].equals(")")) {
            throw lines.bad("expected a link: ID ( SOURCE TARGET ) CAPACITY …");
        }
        double capacity = lines.number(words[5], "the capacity");
        topology.link(words[2], words[3], new LinkFields().key(words[0]).capacityMbps(capacity > 0 ? Double.valueOf(capacity) : null),
                      lines.line());
    }

    /** Reads {@code ID ( SOURCE TARGET ) UNIT VALUE …}. */
    private static FileDemand readDemand(String[] words, TextLines lines) {
        if (words.length < DEMAND_WORDS || !words[1].equals("(") || !words[4].equals(")")) {
            throw lines.bad("expected a demand: ID ( SOURCE TARGET ) UNIT VALUE …");
        }
        return new FileDemand(words[0], words[2], words[3],
                              lines.number(words[5], "the unit") * lines.number(words[6], "the value"));
    }
}
