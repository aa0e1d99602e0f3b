// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

import static com.google.common.base.Preconditions.checkNotNull;

import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;

/** A further subflow of a connection, as its handshake with MP_JOIN has shown it (RFC 8684, section 3.2). Immutable. */
public final class Join {
    private final FiveTuple tuple;
    private final Direction direction;
    private final boolean backup;

    private Join(FiveTuple tuple, Direction direction, boolean backup) {
        this.tuple = checkNotNull(tuple, "tuple");
        this.direction = checkNotNull(direction, "direction");
        this.backup = backup;
    }

    /**
     * Makes one.
     *
     * @param tuple     five-tuple, its source the sender of the SYN; not null
     * @param direction that of the SYN; not null
     * @param isBackup  whether a host wants it as a backup: flag B, or MP_PRIO (section 3.3.8)
     */
    public static Join of(FiveTuple tuple, Direction direction, boolean isBackup) {
        return new Join(tuple, direction, isBackup);
    }

    /** Returns the same with another priority. */
    Join withBackup(boolean isBackup) {
        return new Join(tuple, direction, isBackup);
    }

    /** Returns its five-tuple, the source being the sender of the SYN. */
    public FiveTuple tuple() {
        return tuple;
    }

    /** Returns the direction of its SYN. */
    public Direction direction() {
        return direction;
    }

    /** Returns whether a host wants it as a backup. */
    public boolean isBackup() {
        return backup;
    }

    @Override
    public String toString() {
        return tuple + " " + direction + (backup ? " backup" : "");
    }
}
