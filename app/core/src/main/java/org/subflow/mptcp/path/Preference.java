// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.Locale;

/** The goal of {@code widest-disjoint} after the number of paths and the smallest bottleneck. */
public enum Preference {
    /** Wide paths: the largest bottleneck for the first path, then for the second, and so on. */
    RATE,
    /** Short paths: the fewest hops of all paths together. */
    HOPS;

    /**
     * Reads a preference as users type it.
     *
     * @param text {@code rate} or {@code hops}
     * @return the preference
     * @throws IllegalArgumentException if it is none of these
     */
    public static Preference parse(String text) {
        for (Preference preference : values()) {
            if (preference.toString().equals(text)) {
                return preference;
            }
        }
        throw new IllegalArgumentException("no preference '" + text + "'; there are rate and hops");
    }

    /** Returns the preference as users type it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
