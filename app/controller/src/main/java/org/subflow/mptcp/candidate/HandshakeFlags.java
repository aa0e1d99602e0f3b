// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import java.util.Set;
import org.subflow.mptcp.api.FiveTuple;

/**
 * What hosts have said of a connection's subflows: flag C of MP_CAPABLE (RFC 8684, section 3.1), flag B of MP_JOIN (section 3.2)
 * and MP_PRIO (section 3.3.8). Immutable.
 */
public final class HandshakeFlags {
    /** Hosts have said nothing. */
    public static final HandshakeFlags NONE = new HandshakeFlags(false, Set.of());

    private final boolean deniesJoins;
    private final ImmutableSet<FiveTuple> backups;

    private HandshakeFlags(boolean deniesJoins, Set<FiveTuple> backups) {
        this.deniesJoins = deniesJoins;
        this.backups = ImmutableSet.copyOf(backups);
    }

    /** Returns the same with or without flag C. */
    public HandshakeFlags withDeniedJoins(boolean denies) {
        return new HandshakeFlags(denies, backups);
    }

    /**
     * Returns the same with the priority of one subflow.
     *
     * @param tuple    its five-tuple, from the sender of the SYN; not null
     * @param isBackup whether a host wants it as a backup
     */
    public HandshakeFlags with(FiveTuple tuple, boolean isBackup) {
        if (isBackup == isBackup(tuple)) {
            return this;
        }
        return new HandshakeFlags(deniesJoins, isBackup ? Sets.union(backups, Set.of(tuple))
                : Sets.difference(backups, Set.of(tuple)));
    }

    /** Returns whether the server wants no further subflows to the address and port to which the connection was opened. */
    public boolean deniesJoins() {
        return deniesJoins;
    }

    /** Returns whether a host wants a subflow, named by the five-tuple of its SYN, as a backup. */
    public boolean isBackup(FiveTuple tuple) {
        return backups.contains(tuple);
    }
}
