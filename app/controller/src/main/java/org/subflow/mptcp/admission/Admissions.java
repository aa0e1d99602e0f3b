// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

/** The three ways to paths: for new connections, for further subflows, and for idle connections and subflows. */
public final class Admissions {
    final Admission connections;
    final JoinAdmission joins;
    final Resumptions resumptions;
    private volatile boolean closed;

    public Admissions(Admission connections, JoinAdmission joins, Resumptions resumptions) {
        this.connections = checkNotNull(connections, "connections");
        this.joins = checkNotNull(joins, "joins");
        this.resumptions = checkNotNull(resumptions, "resumptions");
    }

    /** Lets no connection or subflow in any more: the application stops. Any thread may call. */
    public void close() {
        closed = true;
    }

    /** Returns whether the application stops. Any thread may ask. */
    boolean isClosed() {
        return closed;
    }
}
