// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.subflows;

import java.util.ArrayList;
import java.util.List;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;

/**
 * Limits the subflows of a connection: those in use, and the unused ones that its record keeps. A long-lived connection
 * opens new subflows again and again. Stateless.
 */
public final class SubflowLimit {
    /** Limit of idle and blocked subflows in the record of a connection. */
    public static final int MOST_UNUSED = 16;

    private SubflowLimit() {
    }

    /** Returns whether a connection has reached its limit of subflows in use, without this one. */
    public static boolean isFull(Connection connection, FiveTuple tuple) {
        return connection.subflows().stream()
                .filter(subflow -> subflow.isUsed() && !subflow.tuple().equals(tuple)
                        && !subflow.tuple().equals(tuple.reversed()))
                .count() >= connection.terms().mostSubflows();
    }

    /**
     * Returns a connection with an added subflow. Removes unused subflows that the new one replaces, and the oldest unused
     * ones beyond {@link #MOST_UNUSED}. The first subflow always stays, because it identifies the connection.
     */
    public static Connection with(Connection connection, Subflow added) {
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

    /**
     * Returns whether two subflows go from the same address to the same address and port. One that an agent was told to open
     * takes nobody's place: it is there for a path of its own.
     */
    public static boolean takesPlaceOf(FiveTuple newcomer, FiveTuple other) {
        return !SourcePorts.has(newcomer.sourcePort())
                && newcomer.source().equals(other.source())
                && newcomer.destination().equals(other.destination())
                && newcomer.destinationPort() == other.destinationPort();
    }
}
