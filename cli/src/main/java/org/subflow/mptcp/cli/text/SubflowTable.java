// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.onosproject.net.DeviceId;
import org.onosproject.net.HostId;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.placement.Rates;

/** The table of subflows, a line each, and their paths below. Rates are Mbit/s. */
public final class SubflowTable {
    public static final String HEAD = line("CONNECTION", "SOURCE", "DESTINATION", "STATE", "EXPECTED Mb/s", "MEASURED Mb/s", "RATIO");

    private SubflowTable() {
    }

    /**
     * Returns a line for each subflow of a connection, followed by one for its path if it has any or more is to say of it.
     *
     * @param connection  the connection; not null
     * @param measurement its measured rates; not null
     * @param told        the same connection as JSON: the states there follow from those of the connection and the network
     * @param path        writes the switches of a path
     * @param host        writes a host
     */
    public static List<String> lines(Connection connection, Measurement measurement, JsonNode told,
                                     Function<List<DeviceId>, String> path, Function<HostId, String> host) {
        Iterator<JsonNode> states = told.path("subflows").iterator();
        List<String> lines = new ArrayList<>();
        for (Subflow subflow : connection.subflows()) {
            JsonNode one = states.next();
            Optional<Rates> measured = measurement.read(subflow);
            lines.add(line(connection.id(), subflow.tuple().sourceText(), subflow.tuple().destinationText(),
                           one.path("state").asText(), RatesText.of(subflow.expected()), RatesText.of(measured),
                           RatesText.part(measured, subflow.expected())));
            String below = (subflow.devices().isEmpty() ? "" : path.apply(subflow.devices())) + more(connection, subflow, one, host);
            if (!below.isEmpty()) {
                lines.add("           " + below.strip());
            }
        }
        return lines;
    }

    /** Returns what there is to say of a subflow besides: its path's delay, a host's word, hosts that differ from the first one's. */
    private static String more(Connection connection, Subflow subflow, JsonNode told, Function<HostId, String> host) {
        List<String> words = new ArrayList<>();
        if (told.path("delayMillis").isNumber()) {
            words.add(told.path("delayMillis").asText() + " ms");
        }
        if (subflow.isBackup()) {
            words.add("a host wants it as a backup");
        }
        String hosts = Legs.hosts(subflow.fromClient() ? subflow.tuple() : subflow.tuple().reversed(), host);
        if (!hosts.equals(Legs.hosts(connection.first().tuple(), host))) {
            words.add(hosts);
        }
        return words.isEmpty() ? "" : "  (" + String.join(", ", words) + ")";
    }

    private static String line(Object... cells) {
        return String.format("%-10s %-21s %-21s %-8s %13s %13s %6s", cells);
    }
}
