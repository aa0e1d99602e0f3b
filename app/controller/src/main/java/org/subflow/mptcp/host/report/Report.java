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

    private final String version;
    private final String backend;
    private final OptionalLong since;
    private final long waitMillis;
    private final ImmutableList<ReportedConnection> connections;
    private final boolean managesPaths;

    /** Makes a report of a host whose kernel manages the paths; see the other constructor. */
    public Report(String version, String backend, OptionalLong since, long waitMillis, List<ReportedConnection> connections) {
        this(version, backend, since, waitMillis, connections, false);
    }

    /**
     * Makes a report.
     *
     * @param version      the agent's version; not null
     * @param backend      how it limits rates; not null
     * @param since        the revision of the last answer that it has; empty if it has none; not null
     * @param waitMillis   how long the answer may wait for a change, milliseconds
     * @param connections  the host's connections, at most 1000; not null
     * @param managesPaths whether the agent can open subflows
     */
    public Report(String version, String backend, OptionalLong since, long waitMillis, List<ReportedConnection> connections,
                  boolean managesPaths) {
        this.version = checkNotNull(version, "version");
        this.backend = checkNotNull(backend, "backend");
        this.since = checkNotNull(since, "since");
        this.waitMillis = waitMillis;
        this.connections = ImmutableList.copyOf(connections);
        this.managesPaths = managesPaths;
    }

    /** Returns the agent's version. */
    public String version() {
        return version;
    }

    /** Returns how the agent limits rates. */
    public String backend() {
        return backend;
    }

    /** Returns the revision of the last answer that the agent has; empty if it has none. */
    public OptionalLong since() {
        return since;
    }

    /** Returns how long the answer may wait for a change, milliseconds. */
    public long waitMillis() {
        return waitMillis;
    }

    /** Returns whether the agent can open subflows. */
    public boolean managesPaths() {
        return managesPaths;
    }

    /** Returns the host's connections. */
    public List<ReportedConnection> connections() {
        return connections;
    }
}
