// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Decides about a subflow that joins (MP_JOIN, RFC 8684 section 3.2) when no path disjoint from its siblings' exists. */
public enum JoinPolicy {
    /** It takes the path that has least in common with its siblings'. */
    SHARE,
    /** It takes the path that has least in common with its siblings', with an expected throughput of 0 (S-MPTCP). */
    BACKUP,
    /** It gets no path: its MP_JOIN is dropped (Multiflow). */
    BLOCK;

    /**
     * Reads a policy as users type it.
     *
     * @param text {@code share}, {@code backup} or {@code block}
     * @return the policy
     * @throws IllegalArgumentException if it is none of these; the message lists them
     */
    public static JoinPolicy parse(String text) {
        for (JoinPolicy policy : values()) {
            if (policy.toString().equals(text)) {
                return policy;
            }
        }
        throw new IllegalArgumentException("no JOIN policy '" + text + "'; there are "
                + Arrays.stream(values()).map(JoinPolicy::toString).collect(Collectors.joining(", ")));
    }

    /** Returns the policy as users type it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
