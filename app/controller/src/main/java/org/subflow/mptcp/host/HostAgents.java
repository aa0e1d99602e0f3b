// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.agent.AgentService;
import org.subflow.mptcp.api.agent.AgentStatus;
import org.subflow.mptcp.host.report.Report;
import org.subflow.mptcp.host.report.SenderWords;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.store.AgentStore;
import org.subflow.mptcp.store.ConnectionStore;

/** The agents on hosts: their logins, their reports, and what they are told. Thread-safe. */
public final class HostAgents implements AgentService {
    private static final long TICK_MILLIS = 1000;
    /** So long is between two reports of an agent for each registered host: all of them bring 250 reports a second at most. */
    private static final long MILLIS_PER_HOST = 4;

    private final AgentDirectory directory;
    private final ConnectionStore store;
    private final Exchange exchange;
    private final ReportReception reception;
    private final Later later;
    private final LongSupplier clockMillis;
    private final LongAdder reports = new LongAdder();
    private final LongAdder refused = new LongAdder();
    /** What clients shall open and close, where that is anything. */
    private final Map<ConnectionId, PathCommand> commands = new ConcurrentHashMap<>();
    private final AgentSettings settings;
    private final Decider decider;
    private final Ends ends;
    private boolean didManagePaths;
    private volatile boolean isStopped;

    /**
     * Makes it, with the hosts that are stored.
     *
     * @param agents      the registered hosts; not null
     * @param connections the connections; not null
     * @param decider     knows ζ, and takes in what is reported; not null
     * @param settings    what is wanted of agents; not null
     * @param isItself    whether a five-tuple's source sends its frames itself, and no router on the fabric; not null
     * @param later       runs tasks at their time; not null
     * @param clockMillis a clock without steps, milliseconds of the Unix epoch at its start; not null
     */
    public HostAgents(AgentStore agents, ConnectionStore connections, Decider decider, AgentSettings settings,
                      Predicate<FiveTuple> isItself, Later later, LongSupplier clockMillis) {
        this.directory = new AgentDirectory(agents, this::gather);
        this.store = checkNotNull(connections, "connections");
        this.decider = checkNotNull(decider, "decider");
        this.settings = checkNotNull(settings, "settings");
        this.ends = new Ends(isItself);
        this.later = checkNotNull(later, "later");
        this.clockMillis = checkNotNull(clockMillis, "clockMillis");
        Contents contents = new Contents(store, decider::attainableRate, this::isManager,
                                         id -> commands.getOrDefault(id, PathCommand.NONE), ends);
        this.exchange = new Exchange(contents, later, clockMillis, directory::size, settings::managesPaths);
        this.reception = new ReportReception(store, ends, decider::reported, clockMillis);
        directory.read();
        later.after(TICK_MILLIS, this::tick);
    }

    /** Ends the requests that wait. Afterwards every request is answered at once. */
    public void stop() {
        isStopped = true;
        directory.all().forEach(exchange::dismiss);
    }

    /** Returns whether it has been stopped: then another one may have taken its place. */
    public boolean isStopped() {
        return isStopped;
    }

    /** Returns whether ONOS's store has said which hosts are registered. Until then nobody can log in, or be refused. */
    public boolean knowsHosts() {
        return directory.isRead();
    }

    private void tick() {
        reception.expire();
        if (didManagePaths != settings.managesPaths()) {
            didManagePaths = !didManagePaths;
            directory.all().forEach(exchange::changed);
        }
        if (!isStopped) {
            later.after(TICK_MILLIS, this::tick);
        }
    }

    /**
     * Logs an agent in.
     *
     * @param host  the address by which its host is registered; not null
     * @param token what it says its token is; not null
     * @return the agent; empty if the host is not registered or the token is not its
     */
    public Optional<Agent> login(IpAddress host, String token) {
        return directory.withToken(host, token);
    }

    /**
     * Begins to read a report, unless too many come.
     *
     * @param agent whose it is; not null
     * @return whether it may be read; then {@link #read} must follow. At most three reports of an agent are read at a
     *         time, and 50 in a second
     */
    public boolean mayRead(Agent agent) {
        return agent.enter(clockMillis.getAsLong());
    }

    /** Ends what {@link #mayRead} began. */
    public void read(Agent agent) {
        agent.leave();
    }

    /** Counts a request that is refused. */
    public void refuse() {
        refused.increment();
    }

    /**
     * Takes a report in, and answers it now or later.
     *
     * @param agent  whose it is; not null
     * @param report the report; not null
     * @param reply  takes the answer, on any thread; not null
     */
    public void report(Agent agent, Report report, Consumer<Answer> reply) {
        reports.increment();
        if (agent.heard(report, clockMillis.getAsLong())) {
            exchange.changed(agent);
        }
        reception.take(agent, report);
        exchange.ask(agent, report.since, waitMillis(report), reply);
    }

    /** Returns how long an answer without news waits: with many agents as long as these are ready to wait. */
    private long waitMillis(Report report) {
        long wanted = Math.max(settings.reportMillis(), directory.size() * MILLIS_PER_HOST);
        return isStopped ? 0 : Math.min(report.waitMillis, wanted);
    }

    /** Follows an event of a connection, on any thread. Does next to nothing for hosts without an agent. */
    public void changed(ConnectionEvent event) {
        if (directory.size() == 0) {
            return;
        }
        Connection connection = event.subject();
        for (Subflow subflow : connection.subflows()) {
            boolean isGone = event.type() == ConnectionEvent.Type.CLOSED;
            changed(sender(subflow.tuple()), connection.id(), isGone);
            changed(sender(subflow.tuple().reversed()), connection.id(), isGone);
        }
    }

    /** Returns the agent of the host that sends the frames of a five-tuple; null if it has none, or if a router sends them. */
    private Agent sender(FiveTuple tuple) {
        Agent agent = directory.having(tuple.source());
        return agent != null && ends.isSource(agent, tuple) ? agent : null;
    }

    private void changed(Agent agent, ConnectionId id, boolean isGone) {
        if (agent == null) {
            return;
        }
        if (isGone) {
            agent.connections.remove(id);
        } else {
            agent.connections.add(id);
        }
        exchange.changed(agent);
    }

    /** Returns whether the agent of the host that has an address has reported within the last five seconds. */
    public boolean isHeard(IpAddress address) {
        Agent agent = directory.having(address);
        return agent != null && agent.isHeard(clockMillis.getAsLong());
    }

    /** Returns what controller and agent both know of the agent's token, its SHA-256; empty if the host is not registered. */
    public Optional<byte[]> key(IpAddress address) {
        return Optional.ofNullable(directory.having(address)).map(agent -> agent.record.hash());
    }

    /** Notes that ζ of a connection has changed noticeably, on any thread. */
    public void attainableRateChanged(Connection connection) {
        changed(new ConnectionEvent(ConnectionEvent.Type.ATTAINABLE_RATE_CHANGED, connection));
    }

    /** Returns whether the agent of the host that sends the frames of a five-tuple opens and closes subflows as it is told. */
    public boolean managesPaths(FiveTuple client) {
        Agent agent = sender(client);
        return agent != null && settings.managesPaths() && agent.managesPaths() && agent.isHeard(clockMillis.getAsLong());
    }

    /**
     * Returns the addresses between which the agent of a host lets subflows run.
     *
     * @param from a five-tuple from one of the host's; not null
     * @return all of them, the one first by which the host is registered; only that of the five-tuple if no agent manages paths there
     */
    public List<IpAddress> addresses(FiveTuple from) {
        Agent agent = sender(from);
        return agent != null && managesPaths(from) ? agent.record.addresses() : List.of(from.source());
    }

    private boolean isManager(Agent agent, Connection connection) {
        return ends.isSource(agent, connection.first().tuple()) && settings.managesPaths() && agent.managesPaths();
    }

    /**
     * Sets what the client of a connection shall open and close.
     *
     * @param id     the connection; not null
     * @param client the client's address; not null
     * @param command the subflows; not null
     */
    public void command(ConnectionId id, IpAddress client, PathCommand command) {
        Agent agent = directory.having(client);
        PathCommand before = command.equals(PathCommand.NONE) ? commands.remove(id) : commands.put(id, command);
        if (agent != null && !command.equals(before == null ? PathCommand.NONE : before)) {
            exchange.changed(agent);
        }
    }

    /** Forgets what the client of a connection that has gone should have opened and closed. */
    public void forgetCommand(ConnectionId id) {
        commands.remove(id);
    }

    /** Returns ζ of a connection. */
    public AttainableRate attainable(ConnectionId id) {
        return decider.attainableRate(id);
    }

    /** Returns what agents report. */
    public ReportReception reception() {
        return reception;
    }

    @Override
    public List<AgentStatus> agents() {
        directory.checkRead();
        long now = clockMillis.getAsLong();
        return directory.all().stream()
                .sorted(Comparator.comparing(Agent::host))
                .map(agent -> agent.status(now))
                .collect(Collectors.toList());
    }

    @Override
    public String register(IpAddress host, Collection<IpAddress> further, boolean renew) {
        AgentDirectory.Registration registration = directory.register(host, further, renew);
        gather(registration.agent);
        if (registration.before != null) {
            exchange.dismiss(registration.before);
        }
        return registration.token;
    }

    @Override
    public boolean remove(IpAddress host) {
        Agent agent = directory.remove(host);
        if (agent != null) {
            exchange.dismiss(agent);
        }
        return agent != null;
    }

    /** Collects the connections of a host that has just become known; events add those that come. */
    private void gather(Agent agent) {
        for (Connection connection : store.all()) {
            if (connection.subflows().stream().anyMatch(subflow -> ends.isAt(agent, subflow))) {
                agent.connections.add(connection.id());
            }
        }
        exchange.changed(agent);
    }

    /** Returns the counters of agents by name. */
    public Map<String, Long> counters() {
        long now = clockMillis.getAsLong();
        List<Agent> all = new ArrayList<>(directory.all());
        return ImmutableMap.of(
                "agents.known", (long) all.size(),
                "agents.reporting", all.stream().map(Agent::last)
                        .filter(last -> last != null && now - last.millis <= SenderWords.FRESH_MILLIS).count(),
                "agents.reports", reports.sum(),
                "agents.refused", refused.sum(),
                "agents.foreign", reception.foreign());
    }
}
