// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.policy;

import java.util.Locale;

/**
 * When subflows on the same path share its rules, by a label in the destination MAC address. Otherwise each subflow has a rule of
 * its own in every switch.
 */
public enum PathLabels {
    /**
     * For connections that come while many have paths: each has fewer rules then, and a failure of a link is repaired sooner. A
     * connection keeps what it began with.
     */
    AUTO,
    /** Always. */
    ON,
    /** Never. */
    OFF;

    /** So many connections have rules of their own with {@link #AUTO}; those that come later get labels. */
    public static final int MANY = 64;

    /** Returns whether a connection gets labels that comes while so many others have rules or wait for them. */
    public boolean areUsed(int others) {
        return this == ON || this == AUTO && others >= MANY;
    }

    /** Returns the value as users type it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
