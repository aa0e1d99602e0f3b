// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import java.util.List;
import java.util.OptionalLong;

/**
 * Connections that are added before they start. Each has its paths, rules and reservations at once, as if its demand had no
 * limit. The handshake of its first subflow, or any packet that its rules count, makes it a connection as any other.
 *
 * <p>One that does not start in time gives everything back. After a restart of the application an awaited connection counts as
 * one that has started. Thread-safe.
 */
public interface AwaitedService {
    /** Most connections that are awaited at once. */
    int MOST = 100;
    /** Most seconds for which one is awaited. */
    int MOST_SECONDS = 86_400;
    /** Seconds for which one is awaited unless its user says otherwise. */
    int SECONDS = 300;

    /**
     * Adds a connection.
     *
     * @param subflows five-tuples of its subflows, each from the sender of the SYN; first that of the handshake with
     *                 MP_CAPABLE, whose source is the client; not null, not empty
     * @param seconds  how long it is awaited, from 1 to {@link #MOST_SECONDS}
     * @return the connection; its expected throughputs follow
     * @throws IllegalArgumentException if the subflows cannot be those of one connection, or are too many, or the time is out of
     *                                  range; the message says what would be right
     * @throws IllegalStateException    if it cannot be admitted now; the message says why
     */
    Connection add(List<FiveTuple> subflows, int seconds);

    /**
     * Removes a connection that has not started.
     *
     * @param id its name; not null
     * @return false if no connection has this name
     * @throws IllegalStateException if it has started
     */
    boolean remove(ConnectionId id);

    /**
     * Returns until when a connection is awaited.
     *
     * @param id its name; not null
     * @return milliseconds of the Unix epoch; empty if it has started or nobody has added it
     */
    OptionalLong awaitedUntil(ConnectionId id);
}
