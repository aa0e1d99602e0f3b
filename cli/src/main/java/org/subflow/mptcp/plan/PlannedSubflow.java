// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.util.Locale;
import org.subflow.mptcp.path.Path;

/** A subflow on its path. Immutable. */
final class PlannedSubflow {
    /** How a subflow came to its path. */
    enum Role {
        /** The strategy gave it one. */
        OWN,
        /** There was none for it, and it takes the shortest ({@link JoinPolicy#SHARE}). */
        SHARED,
        /** There was none for it, and it waits on the shortest ({@link JoinPolicy#BACKUP}). */
        BACKUP;

        /** Returns the role as it is printed. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    final Path path;
    final Role role;

    PlannedSubflow(Path path, Role role) {
        this.path = path;
        this.role = role;
    }

    /** Says whether it is meant to carry something. */
    boolean isActive() {
        return role != Role.BACKUP;
    }
}
