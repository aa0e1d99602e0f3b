// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A kind of disjointness: the elements that no two paths have in common. Both directions of a link are one link. The source
 * and target of a request are common to all its paths and do not count.
 */
public enum Disjointness {
    /** Paths may have anything in common. */
    NONE,
    /** No link in common. */
    LINK,
    /** No link and no node in between in common. */
    NODE,
    /** No link in common, and no two links of the same shared-risk link group (RFC 4202). */
    SRLG,
    /** As {@link #NODE}, and no node in between of one path is a neighbour of a node in between of another (Gómez). */
    ZONE;

    /**
     * Reads a kind as users type it.
     *
     * @param text {@code none}, {@code link}, {@code node}, {@code srlg} or {@code zone}
     * @return the kind
     * @throws IllegalArgumentException if it is none of these
     */
    public static Disjointness parse(String text) {
        for (Disjointness kind : values()) {
            if (kind.toString().equals(text)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("no disjointness '" + text + "'; there are link, node, srlg and zone");
    }

    /**
     * Returns in which ways the paths of a connection are disjoint, whatever was asked.
     *
     * @param graph the graph of the paths
     * @param paths the paths of its active subflows
     * @return of {@link #LINK}, {@link #NODE} and {@link #SRLG} those that hold for each two of them, the last only if the graph
     *         has groups; empty if there are fewer than two paths
     */
    public static Set<Disjointness> heldBy(Graph graph, List<Path> paths) {
        Set<Disjointness> held = EnumSet.noneOf(Disjointness.class);
        for (Disjointness kind : List.of(LINK, NODE, SRLG)) {
            if (paths.size() > 1 && (kind != SRLG || graph.hasGroups()) && kind.areDisjoint(graph, paths)) {
                held.add(kind);
            }
        }
        return held;
    }

    private boolean areDisjoint(Graph graph, List<Path> paths) {
        BitSet taken = new BitSet();
        for (Path path : paths) {
            BitSet own = elements(graph, path);
            if (taken.intersects(own)) {
                return false;
            }
            taken.or(own);
        }
        return true;
    }

    /**
     * Returns what no disjoint path may have in common with a path, but for neighbours ({@link #ZONE}).
     *
     * @param graph the graph of the path
     * @param path  the path
     * @return bits of links, then of nodes or groups: two paths are disjoint if no bit is in both
     */
    public BitSet elements(Graph graph, Path path) {
        BitSet elements = new BitSet();
        for (int i = 0; i < path.hops(); i++) {
            int link = path.arc(i) >> 1;
            elements.set(link);
            if (this == NODE && i > 0) {
                elements.set(graph.linkCount() + path.node(i));
            }
            if (this == SRLG && graph.groups != null) {
                for (int group : graph.groups[link]) {
                    elements.set(graph.linkCount() + group);
                }
            }
        }
        return elements;
    }

    /** Returns the kind as users type it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
