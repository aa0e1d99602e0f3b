// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

import static com.google.common.base.Preconditions.checkNotNull;

import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;

/** A further subflow of a connection, as its handshake with MP_JOIN has shown it (RFC 8684, section 3.2). Immutable. */
public final class Join {
    /** Its five-tuple, the source being the sender of the SYN. */
    public final FiveTuple tuple;
    /** The direction of its SYN. */
    public final Direction direction;
    /** Whether a host wants it as a backup: flag B, or MP_PRIO (section 3.3.8). */
    public final boolean isBackup;

    /** Makes one; nothing may be null. */
    public Join(FiveTuple tuple, Direction direction, boolean isBackup) {
        this.tuple = checkNotNull(tuple, "tuple");
        this.direction = checkNotNull(direction, "direction");
        this.isBackup = isBackup;
    }

    /** Returns the same with another priority. */
    Join withBackup(boolean backup) {
        return new Join(tuple, direction, backup);
    }

    @Override
    public String toString() {
        return tuple + " " + direction + (isBackup ? " backup" : "");
    }
}
