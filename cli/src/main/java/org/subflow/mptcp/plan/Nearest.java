// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.subflow.mptcp.path.topology.Topology;

/** Finds the name that somebody may have meant. */
public final class Nearest {
    /** One letter in so many may be missing, too many or another one. */
    private static final int LETTERS_PER_MISTAKE = 3;

    private Nearest() {
    }

    /**
     * Asks whether the nearest of some names was meant.
     *
     * @param name  a name that there is not
     * @param known the names that there are
     * @return the end of a message, or nothing if no name is near
     */
    public static String told(String name, Collection<String> known) {
        String nearest = "";
        int least = name.length() / LETTERS_PER_MISTAKE + 1;
        for (String other : known) {
            if (Math.abs(other.length() - name.length()) < least) {
                int distance = distance(name.toLowerCase(Locale.ROOT), other.toLowerCase(Locale.ROOT));
                if (distance < least) {
                    least = distance;
                    nearest = other;
                }
            }
        }
        return nearest.isEmpty() ? "" : "; did you mean " + nearest + "?";
    }

    /**
     * Finds a node.
     *
     * @param topology where to look
     * @param name     its name, or its label
     * @return its id
     * @throws IllegalArgumentException if there is none of that name; the message has the nearest one
     */
    public static int node(Topology topology, String name) {
        try {
            return topology.node(name);
        } catch (IllegalArgumentException e) {
            List<String> known = new ArrayList<>(topology.nodes());
            for (int node = 0; node < topology.nodes().size(); node++) {
                if (topology.label(node) != null) {
                    known.add(topology.label(node));
                }
            }
            throw new IllegalArgumentException(e.getMessage() + told(name, known), e);
        }
    }

    /** Returns Levenshtein's distance: how many letters are to be changed, put in or taken out. */
    private static int distance(String a, String b) {
        int[] before = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            before[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int other = before[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(other, Math.min(before[j], row[j - 1]) + 1);
            }
            before = row;
        }
        return before[b.length()];
    }
}
