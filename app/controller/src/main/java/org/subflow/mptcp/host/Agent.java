// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.agent.AgentStatus;
import org.subflow.mptcp.host.report.Report;
import org.subflow.mptcp.host.report.SenderWords;
import org.subflow.mptcp.wire.AgentRecord;

/** The agent of a registered host, as long as its token is valid. Thread-safe. */
public final class Agent {
    /** Most reports of an agent in a second. An agent that is answered as often as possible sends less than half as many. */
    private static final int MOST_A_SECOND = 50;
    private static final int MOST_AT_ONCE = 3;
    private static final long SECOND = 1000;

    final AgentRecord record;
    /** The connections of which its host is an end, perhaps some that have gone. */
    final Set<ConnectionId> connections = ConcurrentHashMap.newKeySet();
    /** Whether something may have changed since its answer was made. */
    final AtomicBoolean isStale = new AtomicBoolean(true);
    /** Its answers; used only while the agent's monitor is held. */
    final Conversation conversation = new Conversation();
    private volatile Heard last;
    private long secondMillis;
    private int reportsOfSecond;
    private int reading;

    /** The head of its last report. */
    static final class Heard {
        final long millis;
        final String version;
        final String backend;
        final int connections;
        final boolean managesPaths;

        private Heard(long millis, Report report) {
            this.millis = millis;
            this.version = report.version;
            this.backend = report.backend;
            this.connections = report.connections.size();
            this.managesPaths = report.managesPaths;
        }
    }

    Agent(AgentRecord record) {
        this.record = checkNotNull(record, "record");
    }

    /** Returns the address by which the host is registered. */
    public IpAddress host() {
        return record.addresses().get(0);
    }

    boolean has(IpAddress address) {
        return record.addresses().contains(address);
    }

    /** Notes a report; returns whether it says otherwise than the last one who manages paths. */
    boolean heard(Report report, long nowMillis) {
        boolean before = managesPaths();
        last = new Heard(nowMillis, report);
        return before != managesPaths();
    }

    /** Returns whether its last report says that it can open subflows. */
    boolean managesPaths() {
        Heard heard = last;
        return heard != null && heard.managesPaths;
    }

    /** Returns whether it has reported within the last five seconds. */
    boolean isHeard(long nowMillis) {
        Heard heard = last;
        return heard != null && nowMillis - heard.millis <= SenderWords.FRESH_MILLIS;
    }

    /** Returns what is known of it. */
    AgentStatus status(long nowMillis) {
        Heard heard = last;
        return heard == null
                ? new AgentStatus(host(), record.addresses(), OptionalLong.empty(), "", "", 0, "")
                : new AgentStatus(host(), record.addresses(), OptionalLong.of(nowMillis - heard.millis), heard.backend,
                                  heard.version, heard.connections, heard.managesPaths ? "user" : "kernel");
    }

    /** Returns the head of the last report; null if there is none. */
    Heard last() {
        return last;
    }

    /**
     * Begins to read a report.
     *
     * <p>A host whose link fails in the middle of a report sends the next one over another TCP connection. The server may wait
     * long for the rest of the first. So a few are read at a time.
     *
     * @param nowMillis milliseconds of the Unix epoch
     * @return whether it may be read; then {@link #leave} must follow. At most three reports are read at a time, and 50 in a
     *         second
     */
    synchronized boolean enter(long nowMillis) {
        if (nowMillis - secondMillis >= SECOND) {
            secondMillis = nowMillis;
            reportsOfSecond = 0;
        }
        boolean isFree = reportsOfSecond < MOST_A_SECOND && reading < MOST_AT_ONCE;
        if (isFree) {
            reportsOfSecond++;
            reading++;
        }
        return isFree;
    }

    /** Ends the reading of a report. */
    synchronized void leave() {
        reading--;
    }
}
