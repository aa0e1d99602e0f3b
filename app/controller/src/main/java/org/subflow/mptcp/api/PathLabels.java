// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import java.util.Locale;

/**
 * When subflows on the same path share its rules, by a label in the destination MAC address. Otherwise each subflow has a rule of
 * its own in every switch.
 */
public enum PathLabels {
    /** Where many connections have paths: then each has fewer rules, and a failure of a link is repaired sooner. */
    AUTO,
    /** Always. */
    ON,
    /** Never. */
    OFF;

    /** So many connections have rules of their own with {@link #AUTO}; what is submitted while there are more gets labels. */
    public static final int MANY = 64;

    /**
     * Reads a value as users type it.
     *
     * @param text {@code auto}, {@code on} or {@code off}
     * @return the value
     * @throws IllegalArgumentException if it is none of these; the message lists them
     */
    public static PathLabels parse(String text) {
        return UserValues.parse("pathLabels", text, values());
    }

    /** Returns whether subflows get labels while so many connections have rules or wait for them. */
    public boolean areUsed(int connections) {
        return this == ON || this == AUTO && connections > MANY;
    }

    /** Returns the value as users type it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
