// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.onosproject.cli.AbstractShellCommand;
import org.onosproject.net.DeviceId;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.placement.Rates;

/** Lists the subflows of one MPTCP connection, or of all that are not idle, with their paths. */
@Service
@Command(scope = "onos", name = "mptcp-subflows", description = "Lists MPTCP subflows and their paths")
public class SubflowsCommand extends AbstractShellCommand {
    private static final String FORMAT = "%-12s %-22s %-22s %-8s %14s %14s %6s  %s";

    @Argument(index = 0, name = "id", description = "Connection; all that are not idle if left out")
    @Completion(ConnectionIdCompleter.class)
    private String id = null;

    @Override
    protected void doExecute() {
        MptcpService mptcp = get(MptcpService.class);
        List<Connection> connections = chosen(mptcp);
        if (connections == null) {
            return;
        }
        if (outputJson()) {
            print("%s", json(connections));
            return;
        }
        print(FORMAT, "CONNECTION", "SOURCE", "DESTINATION", "STATE", "EXPECTED Mb/s", "MEASURED Mb/s", "RATIO",
              "PATH");
        for (Connection connection : connections) {
            Measurement measurement = mptcp.measurement(connection.id());
            // As in JSON: the states follow from those of the connection and the network.
            Iterator<JsonNode> told = jsonForEntity(connection, Connection.class).path("subflows").iterator();
            for (Subflow subflow : connection.subflows()) {
                Rates measured = measurement.rates(subflow.tuple());
                print(FORMAT, connection.id(), subflow.tuple().sourceText(), subflow.tuple().destinationText(),
                      told.next().path("state").asText(), RatesText.of(subflow.expected()),
                      RatesText.of(measured), RatesText.part(measured, subflow.expected()), path(subflow));
            }
        }
    }

    private List<Connection> chosen(MptcpService mptcp) {
        if (id == null) {
            return mptcp.connections().stream()
                    .filter(connection -> connection.state() != ConnectionState.IDLE)
                    .collect(Collectors.toList());
        }
        List<Connection> one = mptcp.connections().stream()
                .filter(connection -> connection.id().value().equals(id))
                .collect(Collectors.toList());
        if (one.isEmpty()) {
            error("No MPTCP connection has the id %s; mptcp-connections -a lists them", id);
            return null;
        }
        return one;
    }

    private ArrayNode json(List<Connection> connections) {
        ArrayNode array = mapper().createArrayNode();
        for (Connection connection : connections) {
            ObjectNode whole = jsonForEntity(connection, Connection.class);
            whole.withArray("subflows").forEach(
                    subflow -> array.add(((ObjectNode) subflow).put("connection", connection.id().value())));
        }
        return array;
    }

    private static String path(Subflow subflow) {
        String path = subflow.devices().stream().map(DeviceId::toString).collect(Collectors.joining(" > "));
        return path.isEmpty() ? "-" : path;
    }
}
