// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static com.google.common.base.Preconditions.checkNotNull;

import org.subflow.mptcp.api.ConnectionId;


/** Which submission of which connection an intent is. Immutable. */
final class ConnectionSubmission {
    /** The revision of a submission of another node, or of an earlier run. */
    static final long UNKNOWN = -1;

    private final ConnectionId connection;
    private final long revision;
    private final boolean hasPath;

    /**
     * Makes it.
     *
     * @param connection the connection; not null
     * @param revision   the number of the submission, {@link #UNKNOWN} if it is not one of this object's
     * @param hasPath    whether a path joined the hosts
     */
    ConnectionSubmission(ConnectionId connection, long revision, boolean hasPath) {
        this.connection = checkNotNull(connection, "connection");
        this.revision = revision;
        this.hasPath = hasPath;
    }

    ConnectionId connection() {
        return connection;
    }

    long revision() {
        return revision;
    }

    boolean hasPath() {
        return hasPath;
    }
}
