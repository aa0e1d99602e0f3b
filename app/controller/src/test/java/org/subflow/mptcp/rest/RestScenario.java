// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.annotation.Priority;
import javax.ws.rs.Priorities;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerRequestFilter;
import javax.ws.rs.core.SecurityContext;
import org.glassfish.jersey.jdkhttp.JdkHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.onosproject.codec.CodecService;
import org.onosproject.codec.JsonCodec;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.host.HostService;
import org.onosproject.net.host.HostServiceAdapter;
import org.osgi.framework.FrameworkUtil;
import org.subflow.mptcp.api.AwaitedService;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.agent.AgentStatus;
import org.subflow.mptcp.api.monitoring.FailureService;
import org.subflow.mptcp.api.monitoring.HistoryService;
import org.subflow.mptcp.api.monitoring.NameService;
import org.subflow.mptcp.api.plan.NetworkBound;
import org.subflow.mptcp.api.plan.NetworkBoundService;
import org.subflow.mptcp.api.plan.ShareLimits;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.history.Histories;
import org.subflow.mptcp.rest.view.AgentStatusCodec;
import org.subflow.mptcp.rest.view.ConnectionCodec;
import org.subflow.mptcp.rest.view.LinkUsageCodec;
import org.subflow.mptcp.rest.view.PolicyCodec;
import org.subflow.mptcp.rest.view.ShareLimitsCodec;
import org.subflow.mptcp.topology.NetworkView;

/** The REST interface in Jersey, behind a web server on the loopback address and a login by a header. */
public abstract class RestScenario {
    /** The user and the role that a request comes with, {@code user:role}. */
    static final String LOGIN = "Login";
    public static final String ADMIN = "onos:admin";
    public static final String VIEWER = "guest:viewer";

    public static final ObjectMapper MAPPER = new ObjectMapper();

    public final KnownConnections mptcp = new KnownConnections();
    public Optional<NetworkBound> bound = Optional.empty();
    public final KnownFailures failures = new KnownFailures();
    public final KnownAwaited awaited = new KnownAwaited();
    public Settings settings = Settings.DEFAULTS.with(Settings.STRATEGY, "multiflow").with(Settings.SUBFLOWS, 3);
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server;

    @BeforeEach
    void serve() {
        offer(MptcpService.class, mptcp);
        offer(AwaitedService.class, awaited);
        offer(FailureService.class, failures);
        offer(HistoryService.class, Histories.empty(() -> 0));
        offer(NetworkView.class, new DiamondView());
        offer(NetworkBoundService.class, () -> bound);
        offer(SettingsService.class, () -> settings);
        offer(CodecService.class, new Codecs());
        offer(HostService.class, new HostServiceAdapter());
        offer(DeviceService.class, new DeviceServiceAdapter());
        offer(NameService.class, NameService.UNSTATED);
        ResourceConfig config = new ResourceConfig(new MptcpWebApplication().getClasses()).register(HeaderLogin.class);
        URI anyPort = URI.create("http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":0/");
        server = JdkHttpServerFactory.createHttpServer(anyPort, config);
    }

    @AfterEach
    void close() {
        server.stop(0);
        FrameworkUtil.withdrawAll();
    }

    public static <T> void offer(Class<T> type, T service) {
        FrameworkUtil.offer(type, service);
    }

    public JsonNode get(String path) throws IOException, InterruptedException {
        return body(200, send(ADMIN, "GET", path, ""));
    }

    /** Sends a request; the body is JSON unless it is empty. */
    public HttpResponse<String> send(String login, String method, String path, String body)
            throws IOException, InterruptedException {
        return send(login, method, path, body, "Accept: */*");
    }

    /** Sends a request with a further header, {@code name: value}; the body is JSON unless that says otherwise. */
    public HttpResponse<String> send(String login, String method, String path, String body, String header)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/" + path));
        request.header(header.split(": ")[0], header.split(": ")[1]);
        request.header(LOGIN, login).method(method, HttpRequest.BodyPublishers.ofString(body));
        if (!body.isEmpty() && !header.startsWith("Content-Type")) {
            request.header("Content-Type", "application/json");
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Returns the origin of pages that come from this server. */
    public String origin() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    public static JsonNode body(int status, HttpResponse<String> response) throws IOException {
        assertEquals(status, response.statusCode(), response.body());
        return MAPPER.readTree(response.body());
    }

    /** Returns the message with which a request is refused. */
    public static String refusal(int status, HttpResponse<String> response) throws IOException {
        JsonNode body = body(status, response);
        assertEquals(status, body.path("code").asInt(), response.body());
        return body.path("message").asText();
    }

    /** Logs in whoever the header names, as Karaf's realm does by a password. */
    @Priority(Priorities.AUTHENTICATION)
    static final class HeaderLogin implements ContainerRequestFilter {
        @Override
        public void filter(ContainerRequestContext request) {
            String[] login = request.getHeaderString(LOGIN).split(":");
            request.setSecurityContext(new SecurityContext() {
                @Override
                public Principal getUserPrincipal() {
                    return () -> login[0];
                }

                @Override
                public boolean isUserInRole(String role) {
                    return role.equals(login[1]) || role.equals("viewer") && login[1].equals("admin");
                }

                @Override
                public boolean isSecure() {
                    return false;
                }

                @Override
                public String getAuthenticationScheme() {
                    return BASIC_AUTH;
                }
            });
        }
    }

    /** ONOS's codecs, with ours. */
    public static final class Codecs implements CodecService {
        private final Map<Class<?>, JsonCodec<?>> codecs = new HashMap<>(Map.of(
                Connection.class, new ConnectionCodec(), LinkUsage.class, new LinkUsageCodec(),
                AgentStatus.class, new AgentStatusCodec(), Policy.class, new PolicyCodec(),
                ShareLimits.class, new ShareLimitsCodec()));

        @Override
        public Set<Class<?>> getCodecs() {
            return codecs.keySet();
        }

        @Override
        @SuppressWarnings("unchecked") // each class is registered with a codec of its own
        public <T> JsonCodec<T> getCodec(Class<T> entityClass) {
            return (JsonCodec<T>) codecs.get(entityClass);
        }

        @Override
        public <T> void registerCodec(Class<T> entityClass, JsonCodec<T> codec) {
            codecs.put(entityClass, codec);
        }

        @Override
        public void unregisterCodec(Class<?> entityClass) {
            codecs.remove(entityClass);
        }
    }
}
