// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.onosproject.net.host.HostService;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.monitoring.EndedConnection;
import org.subflow.mptcp.api.monitoring.HistoryService;
import org.subflow.mptcp.cli.completer.ConnectionIdCompleter;
import org.subflow.mptcp.cli.text.ConnectionNames;
import org.subflow.mptcp.cli.text.Legs;
import org.subflow.mptcp.cli.text.RatesText;
import org.subflow.mptcp.cli.text.SubflowTable;
import org.subflow.mptcp.cli.text.Times;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.Rates;

/** Lists MPTCP connections, or shows one of them in detail. */
@Service
@Command(scope = "onos", name = "mptcp-connections", description = "Lists MPTCP connections, or shows one in detail",
        detailedDescription = "Examples:\n  mptcp-connections\n  mptcp-connections -a -j\n  mptcp-connections 33a99110")
public class ConnectionsCommand extends NetworkCommand {
    private static final String FIELD = "%-18s %s";
    private static final String FORMAT = "%-8s %-21s %-21s %-8s %8s %13s %13s %6s %13s";

    private static final String ENDED = "%-8s %-21s %-21s ended    %s";

    @Option(name = "-a", aliases = "--all", description = "Idle connections too, and those that have ended")
    private boolean all = false;

    @Argument(index = 0, name = "id", description = "Connection to show in detail, also an idle one; the list if left out")
    @Completion(ConnectionIdCompleter.class)
    private String id = null;

    @Override
    protected void run() {
        MptcpService mptcp = get(MptcpService.class);
        if (id == null) {
            list(mptcp);
            return;
        }
        Optional<EndedConnection> ended = ConnectionNames.ended(mptcp, get(HistoryService.class), id);
        show(ended.map(EndedConnection::connection).orElseGet(() -> ConnectionNames.find(mptcp, id)), ended, mptcp);
    }

    /** Prints the fields of REST, a line each, which leg of a connection it is, and the table of subflows. */
    private void show(Connection connection, Optional<EndedConnection> ended, MptcpService mptcp) {
        ObjectNode told = jsonForEntity(connection, Connection.class);
        ended.ifPresent(one -> told.put("endedMillis", one.endedMillis()));
        if (outputJson()) {
            print("%s", told);
            return;
        }
        told.fields().forEachRemaining(field -> {
            if (field.getValue().isValueNode()) {
                print(FIELD, field.getKey(), field.getValue().isNull() ? "-" : field.getValue().asText());
            }
        });
        print(FIELD, "disjointIn", listed(StreamSupport.stream(told.path("disjointIn").spliterator(), false).map(JsonNode::asText)));
        showLeg(connection, mptcp);
        print("%n%s", SubflowTable.HEAD);
        SubflowTable.lines(connection, mptcp.measurement(connection.id()), told, this::path, this::host).forEach(line -> print("%s", line));
    }

    /** Prints between which hosts the connection's frames run, and where more of it is to be found. */
    private void showLeg(Connection connection, MptcpService mptcp) {
        print(FIELD, "hosts", Legs.hosts(connection.first().tuple(), this::host));
        String leg = new Legs(host -> get(HostService.class).getHost(host)).text(connection);
        List<Connection> others = Legs.others(connection, mptcp.connections());
        if (!leg.isEmpty() || !others.isEmpty()) {
            print(FIELD, "leg", leg.isEmpty() ? "-" : leg);
            print(FIELD, "otherLegs", listed(others.stream().map(other -> other.id().value())));
        }
    }

    private static String listed(Stream<String> words) {
        String text = words.collect(Collectors.joining(" "));
        return text.isEmpty() ? "-" : text;
    }

    private void list(MptcpService mptcp) {
        List<Connection> connections = mptcp.connections().stream()
                .filter(connection -> all || connection.state() != ConnectionState.IDLE)
                .collect(Collectors.toList());
        if (outputJson()) {
            ArrayNode array = mapper().createArrayNode();
            connections.forEach(connection -> array.add(jsonForEntity(connection, Connection.class)));
            print("%s", array);
            return;
        }
        print(FORMAT, "ID", "CLIENT", "SERVER", "STATE", "SUBFLOWS", "EXPECTED Mb/s", "MEASURED Mb/s", "RATIO", "FAIR Mb/s");
        Legs legs = new Legs(host -> get(HostService.class).getHost(host));
        for (Connection connection : connections) {
            Optional<Rates> measured = mptcp.measurement(connection.id()).read(connection);
            AttainableRate rate = mptcp.attainableRate(connection.id());
            print(FORMAT, connection.id(), connection.first().tuple().sourceText(),
                  connection.first().tuple().destinationText(), connection.state().name().toLowerCase(Locale.ROOT),
                  connection.subflows().size(), RatesText.of(connection.expected()), RatesText.of(measured),
                  RatesText.part(measured, connection.expected()), RatesText.of(rate.fair()));
            String leg = legs.text(connection);
            if (!leg.isEmpty()) {
                print("         leg %s", leg);
            }
        }
        if (connections.isEmpty()) {
            print("No MPTCP connection is active%s.", all ? " or remembered" : " (-a shows idle ones)");
        }
        if (all) {
            get(HistoryService.class).ended().forEach(this::tell);
        }
    }

    private void tell(EndedConnection ended) {
        FiveTuple first = ended.connection().first().tuple();
        print(ENDED, ended.connection().id(), first.sourceText(), first.destinationText(), Times.of(ended.endedMillis()));
    }
}
