// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.agent;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.OptionalLong;
import org.onlab.packet.IpAddress;

/** What is known of the agent on a host. Immutable. */
public final class AgentStatus {
    private final IpAddress host;
    private final ImmutableList<IpAddress> addresses;
    private final OptionalLong lastReportMillis;
    private final String backend;
    private final String version;
    private final int connections;
    private final String pathManager;

    /**
     * Makes a status.
     *
     * @param host             the address by which the host is registered; not null
     * @param addresses        all its addresses, that one first; not null
     * @param lastReportMillis age of its last report in milliseconds; empty if it has not reported since the start
     * @param backend          how its agent limits rates, as it says itself; empty without a report; not null
     * @param version          the agent's version, as it says itself; empty without a report; not null
     * @param connections      how many connections were in its last report
     * @param pathManager      who can open subflows there, as its agent says: {@code user}, {@code kernel}, or empty without a
     *                         report; not null
     */
    public AgentStatus(IpAddress host, List<IpAddress> addresses, OptionalLong lastReportMillis, String backend,
                       String version, int connections, String pathManager) {
        this.host = checkNotNull(host, "host");
        this.addresses = ImmutableList.copyOf(addresses);
        this.lastReportMillis = checkNotNull(lastReportMillis, "lastReportMillis");
        this.backend = checkNotNull(backend, "backend");
        this.version = checkNotNull(version, "version");
        this.connections = connections;
        this.pathManager = checkNotNull(pathManager, "pathManager");
    }

    /** Returns the address by which the host is registered. */
    public IpAddress host() {
        return host;
    }

    /** Returns all addresses of the host, the one by which it is registered first. */
    public List<IpAddress> addresses() {
        return addresses;
    }

    /** Returns the age of the last report in milliseconds; empty if there was none since the application started. */
    public OptionalLong lastReportMillis() {
        return lastReportMillis;
    }

    /** Returns how the agent limits rates, such as {@code bpf}; empty without a report. */
    public String backend() {
        return backend;
    }

    /** Returns the agent's version; empty without a report. */
    public String version() {
        return version;
    }

    /** Returns how many connections were in the last report. */
    public int connections() {
        return connections;
    }

    /**
     * Returns who can open subflows on the host.
     *
     * @return {@code user} for its agent; {@code kernel} where the kernel lets no program do that, and opens them to and from the
     *         endpoints that it has ({@code ip mptcp endpoint}); empty without a report
     */
    public String pathManager() {
        return pathManager;
    }
}
