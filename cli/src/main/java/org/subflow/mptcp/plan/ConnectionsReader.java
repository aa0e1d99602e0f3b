// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.plan.file.FileDemand;

/**
 * Reads connections: {@code [{"id": "c1", "source": "a", "target": "b", "subflows": 3, "weight": 1, "capMbps": null}]}. Only
 * source and target are mandatory. Any other field is refused, because it may be a misspelt one.
 */
final class ConnectionsReader {
    private static final double BITS_PER_MEGABIT = 1e6;

    private final String file;
    private final Topology topology;
    private final int defaultSubflows;
    private final List<ConnectionRequest> connections = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();

    private ConnectionsReader(String file, Topology topology, int defaultSubflows) {
        this.file = file;
        this.topology = topology;
        this.defaultSubflows = defaultSubflows;
    }

    /**
     * Reads a file, in our form, or in one that has demands: SNDlib's and REPETITA's.
     *
     * @param file            its path
     * @param topology        the network of the connections
     * @param defaultSubflows subflows of a connection that does not say how many
     * @return the connections in the order of the file
     * @throws InputException if it cannot be read, or is not a list of connections; the message names the line
     */
    static List<ConnectionRequest> read(String file, Topology topology, int defaultSubflows) {
        List<FileDemand> demands = TopologySource.demands(file);
        if (demands != null) {
            return of(file, demands, topology, defaultSubflows);
        }
        ConnectionsReader reader = new ConnectionsReader(file, topology, defaultSubflows);
        JsonFactory factory = new JsonFactory().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS.mappedFeature());
        try (JsonParser json = factory.createParser(Files.newInputStream(Path.of(file)))) {
            reader.readList(json);
        } catch (JsonProcessingException e) {
            throw new InputException(file + ": not JSON"
                    + (e.getLocation() == null ? "" : " at line " + e.getLocation().getLineNr()) + ": "
                    + e.getOriginalMessage(), e);
        } catch (IOException | InvalidPathException e) {
            throw new InputException("--connections " + file + ": cannot be read: "
                    + (Files.isDirectory(Path.of(file)) ? "it is a folder" : "there is no such file, or no right to it"), e);
        }
        return reader.connections;
    }

    /**
     * Makes connections of demands, each with its demand as the most that it sends.
     *
     * @param file     what has them, for messages
     * @param demands  the demands; not null
     * @param topology the network that they are for
     * @param subflows how many each connection opens
     * @return the connections in the order of the demands
     * @throws InputException if there is none, a demand names an unknown node or one twice, or is negative
     */
    static List<ConnectionRequest> of(String file, List<FileDemand> demands, Topology topology, int subflows) {
        List<ConnectionRequest> connections = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (FileDemand demand : demands) {
            String what = file + ": demand '" + demand.id + "' ";
            if (demand.source.equals(demand.target) || !ids.add(demand.id)) {
                throw new InputException(what + (demand.source.equals(demand.target) ? "leads from a node to itself" : "comes twice"));
            }
            if (!(demand.mbps >= 0)) {
                throw new InputException(what + "is " + demand.mbps + " Mbit/s; it must be 0 or more");
            }
            try {
                connections.add(new ConnectionRequest(demand.id, Nearest.node(topology, demand.source),
                                                      Nearest.node(topology, demand.target),
                                                      demand.subflows == 0 ? subflows : demand.subflows, 1, demand.mbps * BITS_PER_MEGABIT));
            } catch (IllegalArgumentException e) {
                throw new InputException(what + "has an end that is missing: " + e.getMessage(), e);
            }
        }
        if (connections.isEmpty()) {
            throw new InputException(file + ": there is no demand");
        }
        return connections;
    }

    private void readList(JsonParser json) throws IOException {
        if (json.nextToken() != JsonToken.START_ARRAY) {
            throw bad(json, "expected a list of connections, [{\"source\": …, \"target\": …}, …]");
        }
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (json.currentToken() != JsonToken.START_OBJECT) {
                throw bad(json, "expected a connection, {\"source\": …, \"target\": …}");
            }
            connections.add(readConnection(json));
        }
        if (json.nextToken() != null) {
            throw bad(json, "something follows after the end of the list");
        }
        if (connections.isEmpty()) {
            throw bad(json, "there is no connection in the list");
        }
    }

    private ConnectionRequest readConnection(JsonParser json) throws IOException {
        int line = json.getTokenLocation().getLineNr();
        String id = "c" + (connections.size() + 1);
        int source = -1;
        int target = -1;
        int subflows = defaultSubflows;
        double weight = 1;
        double cap = Double.POSITIVE_INFINITY;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.getCurrentName();
            json.nextToken();
            switch (field) {
                case "id":
                    id = scalar(json, field);
                    break;
                case "source":
                    source = node(json, field);
                    break;
                case "target":
                    target = node(json, field);
                    break;
                case "subflows":
                    subflows = subflows(json);
                    break;
                case "weight":
                    weight = number(json, field, Double.MIN_NORMAL, "above 0");
                    break;
                case "capMbps":
                    cap = json.currentToken() == JsonToken.VALUE_NULL ? Double.POSITIVE_INFINITY
                            : number(json, field, 0, "0 or more, or null for none") * BITS_PER_MEGABIT;
                    break;
                default:
                    throw bad(json, "a connection has no field \"" + field
                            + "\"; there are id, source, target, subflows, weight and capMbps");
            }
        }
        if (source < 0 || target < 0) {
            throw bad(line, "connection '" + id + "' has no \"" + (source < 0 ? "source" : "target") + "\"");
        }
        if (source == target) {
            throw bad(line, "connection '" + id + "' has '" + topology.name(source) + "' as source and target");
        }
        if (!ids.add(id)) {
            throw bad(line, "there is a connection '" + id + "' already");
        }
        return new ConnectionRequest(id, source, target, subflows, weight, cap);
    }

    private String scalar(JsonParser json, String field) throws IOException {
        if (!json.currentToken().isScalarValue() || json.currentToken() == JsonToken.VALUE_NULL) {
            throw bad(json, "\"" + field + "\" must be text or a number");
        }
        return json.getText();
    }

    private int node(JsonParser json, String field) throws IOException {
        String name = scalar(json, field);
        try {
            return Nearest.node(topology, name);
        } catch (IllegalArgumentException e) {
            throw bad(json, "\"" + field + "\": " + e.getMessage());
        }
    }

    private int subflows(JsonParser json) throws IOException {
        double number = number(json, "subflows", 1, "1 to " + ConnectionRequest.MOST_SUBFLOWS);
        if (number != Math.rint(number) || number > ConnectionRequest.MOST_SUBFLOWS) {
            throw bad(json, "\"subflows\" must be a whole number from 1 to " + ConnectionRequest.MOST_SUBFLOWS + ", not "
                    + json.getText());
        }
        return (int) number;
    }

    private double number(JsonParser json, String field, double least, String range) throws IOException {
        if (json.currentToken().isNumeric()) {
            double number = json.getDoubleValue();
            if (number >= least && !Double.isInfinite(number * BITS_PER_MEGABIT)) {
                return number;
            }
        }
        throw bad(json, "\"" + field + "\" must be a number, " + range + ", not " + json.getText());
    }

    private InputException bad(JsonParser json, String what) {
        return bad(json.getTokenLocation().getLineNr(), what);
    }

    private InputException bad(int line, String what) {
        return new InputException(file + ", line " + line + ": " + what);
    }
}
