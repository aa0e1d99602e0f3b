// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.monitoring.EndedConnection;
import org.subflow.mptcp.api.monitoring.HistoryService;
import org.subflow.mptcp.cli.completer.ConnectionIdCompleter;
import org.subflow.mptcp.cli.text.ConnectionNames;
import org.subflow.mptcp.cli.text.SubflowTable;
import org.subflow.mptcp.cli.text.Times;

/** Lists the subflows of one MPTCP connection, or of all that are not idle, with their paths. */
@Service
@Command(scope = "onos", name = "mptcp-subflows", description = "Lists MPTCP subflows and their paths",
        detailedDescription = "Examples:\n  mptcp-subflows\n  mptcp-subflows -j 33a99110")
public class SubflowsCommand extends NetworkCommand {
    @Argument(index = 0, name = "id", description = "Connection, also one that has ended; all that are not idle if left out")
    @Completion(ConnectionIdCompleter.class)
    private String id = null;

    @Override
    protected void run() {
        MptcpService mptcp = get(MptcpService.class);
        Optional<EndedConnection> ended = Optional.ofNullable(id)
                .flatMap(name -> ConnectionNames.ended(mptcp, get(HistoryService.class), name));
        List<Connection> connections = ended.map(one -> List.of(one.connection())).orElseGet(() -> chosen(mptcp));
        if (outputJson()) {
            print("%s", json(connections, ended));
            return;
        }
        ended.ifPresent(one -> print("%s ended %s. Its subflows as they were last:", id, Times.of(one.endedMillis())));
        print("%s", SubflowTable.HEAD);
        for (Connection connection : connections) {
            SubflowTable.lines(connection, mptcp.measurement(connection.id()), jsonForEntity(connection, Connection.class),
                               this::path, this::host)
                    .forEach(line -> print("%s", line));
        }
    }

    private List<Connection> chosen(MptcpService mptcp) {
        return id != null ? List.of(ConnectionNames.find(mptcp, id))
                : mptcp.connections().stream()
                        .filter(connection -> connection.state() != ConnectionState.IDLE)
                        .collect(Collectors.toList());
    }

    private ArrayNode json(List<Connection> connections, Optional<EndedConnection> ended) {
        ArrayNode array = mapper().createArrayNode();
        for (Connection connection : connections) {
            ObjectNode whole = jsonForEntity(connection, Connection.class);
            whole.withArray("subflows").forEach(subflow -> {
                ObjectNode node = ((ObjectNode) subflow).put("connection", connection.id().value());
                ended.ifPresent(one -> node.put("endedMillis", one.endedMillis()));
                array.add(node);
            });
        }
        return array;
    }
}
