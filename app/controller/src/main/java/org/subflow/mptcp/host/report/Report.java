// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host.report;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.OptionalLong;

/** What an agent reports of its host's connections. Immutable. */
public final class Report {
    /** Most connections of a report. */
    public static final int MOST_CONNECTIONS = 1000;
    /** Most subflows of a connection in a report. */
    public static final int MOST_SUBFLOWS = 64;
    /** Greatest rate that a report may have, bit/s on the wire. */
    public static final double MOST_BITS_PER_SECOND = 1e12;

    /** The agent's version. */
    public final String version;
    /** How the agent limits rates. */
    public final String backend;
    /** The revision of the last answer that the agent has; empty if it has none. */
    public final OptionalLong since;
    /** How long the answer may wait for a change, milliseconds. */
    public final long waitMillis;
    /** The host's connections. */
    public final ImmutableList<ReportedConnection> connections;
    /** Whether the agent can open subflows. */
    public final boolean managesPaths;

    /** Makes a report of a host whose kernel manages the paths; see the other constructor. */
    public Report(String version, String backend, OptionalLong since, long waitMillis, List<ReportedConnection> connections) {
        this(version, backend, since, waitMillis, connections, false);
    }

    /** Makes a report; nothing may be null. */
    public Report(String version, String backend, OptionalLong since, long waitMillis, List<ReportedConnection> connections,
                  boolean managesPaths) {
        this.version = checkNotNull(version, "version");
        this.backend = checkNotNull(backend, "backend");
        this.since = checkNotNull(since, "since");
        this.waitMillis = waitMillis;
        this.connections = ImmutableList.copyOf(connections);
        this.managesPaths = managesPaths;
    }
}
