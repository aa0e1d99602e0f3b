// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

/** An option of a {@link PathRequest} that only some strategies understand. */
public enum PathOption {
    /** {@code m}, the paths kept per parent and node. */
    M("m"),
    /** {@code exact}, as many paths as exist instead of as many as a greedy search finds. */
    EXACT("exact"),
    /** {@code prefer}, rate or hops. */
    PREFER("prefer");

    private final String text;

    PathOption(String text) {
        this.text = text;
    }

    /** Returns the option as users type it. */
    @Override
    public String toString() {
        return text;
    }
}
