// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

/** The three ways to paths: for new connections, for further subflows, and for idle connections and subflows. */
public final class Admissions {
    final Admission connections;
    final JoinAdmission joins;
    final Resumptions resumptions;

    public Admissions(Admission connections, JoinAdmission joins, Resumptions resumptions) {
        this.connections = checkNotNull(connections, "connections");
        this.joins = checkNotNull(joins, "joins");
        this.resumptions = checkNotNull(resumptions, "resumptions");
    }
}
