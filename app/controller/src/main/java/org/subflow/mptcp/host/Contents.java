// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.store.ConnectionStore;

/**
 * Makes what an agent is to know: the live connections of its host, with the rates of the direction that the host sends.
 * Thread-safe.
 *
 * <p>A subflow that nobody limits is left out: one that is idle, one without a share yet, and one that a host itself wants as a
 * backup, so that it carries all at the moment when its host needs it. Rates are rounded to 1 kbit/s,
 * so that smaller changes are none.
 */
final class Contents implements Function<Agent, List<Answer.ToldConnection>> {
    private static final double STEP = 1000;

    private final ConnectionStore store;
    private final Function<ConnectionId, AttainableRate> attainable;
    private final BiPredicate<Agent, Connection> isClient;
    private final Function<ConnectionId, PathCommand> commands;
    private final Ends ends;

    /**
     * Makes it.
     *
     * @param store      the connections; not null
     * @param attainable tells ζ of a connection; not null
     * @param isClient   tells whether an agent is to manage a connection's paths; not null
     * @param commands     the subflows that a connection's client shall open and close; not null
     * @param ends       tells which end of a subflow an agent's host is; not null
     */
    Contents(ConnectionStore store, Function<ConnectionId, AttainableRate> attainable, BiPredicate<Agent, Connection> isClient,
             Function<ConnectionId, PathCommand> commands, Ends ends) {
        this.store = checkNotNull(store, "store");
        this.attainable = checkNotNull(attainable, "attainable");
        this.isClient = checkNotNull(isClient, "isClient");
        this.commands = checkNotNull(commands, "commands");
        this.ends = checkNotNull(ends, "ends");
    }

    @Override
    public List<Answer.ToldConnection> apply(Agent agent) {
        List<Answer.ToldConnection> told = new ArrayList<>();
        for (ConnectionId id : new TreeSet<>(agent.connections)) {
            Optional<Connection> connection = store.get(id);
            if (!connection.isPresent()) {
                agent.connections.remove(id);
            }
            connection.filter(one -> one.state() != ConnectionState.IDLE).ifPresent(one -> told.add(told(one, agent)));
        }
        return told;
    }

    private Answer.ToldConnection told(Connection connection, Agent agent) {
        Direction sent = agent.has(connection.client()) ? Direction.UP : Direction.DOWN;
        AttainableRate rate = attainable.apply(connection.id());
        return new Answer.ToldConnection(
                connection.id(), rounded(rate.fair(), sent), rounded(rate.available(), sent),
                rounded(connection.expected(), sent),
                connection.subflows().stream()
                        .filter(subflow -> isLimited(subflow) && ends.isAt(agent, subflow))
                        .map(subflow -> new Answer.ToldSubflow(Ends.sender(agent, subflow),
                                rounded(subflow.expected(), Ends.sent(agent, subflow)), subflow.state()))
                        .collect(Collectors.toList()),
                isClient.test(agent, connection) ? Optional.of(paths(connection)) : Optional.empty());
    }

    private ToldPaths paths(Connection connection) {
        PathCommand command = commands.apply(connection.id());
        // Not before its rules are in the switches: then its MP_JOINs need no controller.
        boolean isReady = connection.state() == ConnectionState.ACTIVE;
        Direction most = Direction.ofMost(connection.expected());
        List<FiveTuple> backups = new ArrayList<>();
        if (rounded(connection.expected(), most) > 0) {
            connection.subflows().stream()
                    .filter(subflow -> subflow.isRouted() && !subflow.isBackup() && rounded(subflow.expected(), most) == 0)
                    .forEach(subflow -> backups.add(subflow.fromClient() ? subflow.tuple() : subflow.tuple().reversed()));
        }
        return new ToldPaths(connection.first().tuple(), isReady ? command : new PathCommand(List.of(), command.drop), backups);
    }

    private static boolean isLimited(Subflow subflow) {
        boolean isNew = subflow.state() == SubflowState.ACTIVE && subflow.expected().equals(Rates.ZERO);
        boolean standsBy = subflow.state() == SubflowState.BACKUP && subflow.isBackup();
        return subflow.state() != SubflowState.IDLE && !isNew && !standsBy;
    }

    private static double rounded(Rates rates, Direction direction) {
        return STEP * Math.round(direction.of(rates) / STEP);
    }
}
