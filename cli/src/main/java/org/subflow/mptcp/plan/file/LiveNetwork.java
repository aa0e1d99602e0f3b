// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.file;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * Asks a controller for its network and its connections, by our REST resources {@code topology} and {@code connections}. A
 * connection is a demand in the direction with the larger expected throughput: the most that it would send, as far as the
 * controller knows that.
 */
public final class LiveNetwork {
    /** The environment variables with the login, as ONOS's own tools have them. */
    static final String USER = "ONOS_WEB_USER";
    static final String PASSWORD = "ONOS_WEB_PASS";
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;

    private final String base;
    private final HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final Map<String, String> environment;

    private LiveNetwork(String base, Map<String, String> environment) {
        this.base = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
        this.environment = environment;
    }

    /** Says whether a name is a controller's address. */
    public static boolean isAddress(String name) {
        return name.startsWith("http://") || name.startsWith("https://");
    }

    /**
     * Asks a controller.
     *
     * @param address     where ONOS is, such as {@code http://127.0.0.1:8181/onos}; not null
     * @param defaultMbps capacity of links that have none, in Mbit/s; not a number if each must have one
     * @param environment the environment variables, with the login; not null
     * @return its network, and its connections that have paths, oldest first
     * @throws IllegalArgumentException if it is no address, or the answer is not what it should be
     * @throws IOException              if there is no answer
     */
    public static TopologyFile read(String address, double defaultMbps, Map<String, String> environment) throws IOException {
        uri(address);
        LiveNetwork network = new LiveNetwork(address, environment);
        List<FileDemand> demands = new ArrayList<>();
        for (JsonTree connection : network.get("connections").at("connections").elements()) {
            network.add(connection, demands);
        }
        return new TopologyFile(OnosReader.read(address, network.get("topology"), defaultMbps), demands);
    }

    private void add(JsonTree connection, List<FileDemand> demands) {
        List<JsonTree> subflows = connection.at("subflows").elements();
        for (JsonTree subflow : subflows) {
            List<JsonTree> path = subflow.at("path").elements();
            if (path.size() > 1) {
                boolean up = number(connection, "expectedUpMbps") >= number(connection, "expectedDownMbps");
                String first = path.get(0).text();
                String last = path.get(path.size() - 1).text();
                boolean forwards = up == !"false".equals(subflow.at("fromClient").text());
                Double most = connection.at(up ? "demandUpMbps" : "demandDownMbps").number();
                demands.add(new FileDemand(connection.text("id"), forwards ? first : last, forwards ? last : first,
                                           most == null ? Double.POSITIVE_INFINITY : most).subflows(subflows.size()));
                return;
            }
        }
    }

    private static double number(JsonTree of, String field) {
        Double number = of.at(field).number();
        return number == null ? 0 : number;
    }

    private JsonTree get(String resource) throws IOException {
        URI uri = uri(base + "/v1/mptcp/" + resource);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(PATIENCE);
        if (environment.containsKey(USER)) {
            String login = environment.get(USER) + ":" + environment.getOrDefault(PASSWORD, "");
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8)));
        }
        try {
            HttpResponse<InputStream> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = answer.body()) {
                check(answer.statusCode(), uri);
                return JsonTree.read(uri.toString(), body);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (IOException e) {
            throw new IOException("no answer from " + uri + (e.getMessage() == null ? "" : ": " + e.getMessage()), e);
        }
    }

    private static URI uri(String text) {
        try {
            URI uri = URI.create(text);
            if (uri.getHost() != null) {
                return uri;
            }
        } catch (IllegalArgumentException e) {
            // The exception below serves.
        }
        throw new IllegalArgumentException(text + ": no address, such as http://127.0.0.1:8181/onos");
    }

    private static void check(int status, URI uri) {
        if (status == UNAUTHORIZED) {
            throw new IllegalArgumentException(uri + ": the login was refused; set " + USER + " and " + PASSWORD);
        }
        if (status == NOT_FOUND) {
            throw new IllegalArgumentException(uri + ": not there; the address ends in /onos, and the application must be active");
        }
        if (status != OK) {
            throw new IllegalArgumentException(uri + ": status " + status);
        }
    }
}
