// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import java.util.ArrayList;
import java.util.List;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;

/**
 * How many subflows a connection may have, and which of those that are not used it remembers: a connection that lives for
 * long has new ones again and again. Stateless.
 */
final class SubflowLimit {
    /** Most subflows of a connection that are remembered although they are idle or blocked. */
    static final int MOST_UNUSED = 16;

    private SubflowLimit() {
    }

    /** Returns whether a connection has as many subflows in use as it may, so that this one would be one too many. */
    static boolean isFull(Connection connection, FiveTuple tuple, int most) {
        return connection.subflows().stream()
                .filter(subflow -> subflow.isUsed() && !subflow.tuple().equals(tuple)
                        && !subflow.tuple().equals(tuple.reversed()))
                .count() >= most;
    }

    /**
     * Returns a connection with one subflow more. Of those that are not used it no longer has the ones in whose place the
     * new one comes, nor the oldest ones beyond {@link #MOST_UNUSED}. The first subflow stays: the connection is known by it.
     */
    static Connection with(Connection connection, Subflow added) {
        List<Subflow> kept = new ArrayList<>(connection.subflows());
        kept.removeIf(subflow -> isObsolete(connection, subflow) && takesPlaceOf(added.tuple(), subflow.tuple()));
        long tooMany = kept.stream().filter(subflow -> isObsolete(connection, subflow)).count() - MOST_UNUSED;
        for (int i = 1; tooMany > 0; i++) {
            if (isObsolete(connection, kept.get(i))) {
                kept.remove(i--);
                tooMany--;
            }
        }
        kept.add(added);
        return connection.withSubflows(kept);
    }

    private static boolean isObsolete(Connection connection, Subflow subflow) {
        return !subflow.isUsed() && subflow != connection.first();
    }

    /** Returns whether a subflow goes from the same address as another to the same address and port. */
    static boolean takesPlaceOf(FiveTuple newcomer, FiveTuple other) {
        return newcomer.source().equals(other.source())
                && newcomer.destination().equals(other.destination())
                && newcomer.destinationPort() == other.destinationPort();
    }
}
