// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.subflow.mptcp.api.FiveTuple;

/** What the handshakes of a connection have told of its subflows. Immutable. */
public final class Opening {
    /** The five-tuple of the first subflow, from client to server. */
    public final FiveTuple first;
    /** Whether a host wants that one as a backup (MP_PRIO: RFC 8684, section 3.3.8). */
    private final boolean firstIsBackup;
    /**
     * Whether the server wants no further subflows to the address and port to which the connection was opened: flag C of MP_CAPABLE
     * (section 3.1).
     */
    public final boolean deniesJoins;
    /** The further subflows, oldest first. */
    public final ImmutableList<Join> joins;

    /** Makes one; nothing may be null. */
    public Opening(FiveTuple first, boolean firstIsBackup, boolean deniesJoins, List<Join> joins) {
        this.first = checkNotNull(first, "first");
        this.firstIsBackup = firstIsBackup;
        this.deniesJoins = deniesJoins;
        this.joins = ImmutableList.copyOf(joins);
    }

    /** Makes one of whose subflows hosts have said nothing. */
    public static Opening of(FiveTuple first, List<Join> joins) {
        return new Opening(first, false, false, joins);
    }

    /** Returns whether a host wants a subflow, named by the five-tuple of its SYN, as a backup. */
    public boolean isBackup(FiveTuple tuple) {
        return tuple.equals(first) ? firstIsBackup : joins.stream().anyMatch(join -> join.isBackup && join.tuple.equals(tuple));
    }
}
