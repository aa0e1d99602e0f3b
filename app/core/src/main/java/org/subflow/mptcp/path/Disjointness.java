// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.Locale;

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
    /** As {@link #NODE}, and no node in between of one path is a neighbour of a node in between of another (Gómez). */
    ZONE;

    /**
     * Reads a kind as users type it.
     *
     * @param text {@code none}, {@code link}, {@code node} or {@code zone}
     * @return the kind
     * @throws IllegalArgumentException if it is none of these
     */
    public static Disjointness parse(String text) {
        for (Disjointness kind : values()) {
            if (kind.toString().equals(text)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("no disjointness '" + text + "'; there are link, node and zone");
    }

    /** Returns the kind as users type it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
