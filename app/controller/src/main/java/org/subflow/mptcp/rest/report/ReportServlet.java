// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.servlet.AsyncContext;
import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.onlab.osgi.DefaultServiceDirectory;
import org.onlab.osgi.ServiceNotFoundException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.host.Agent;
import org.subflow.mptcp.host.Answer;
import org.subflow.mptcp.host.HostAgents;
import org.subflow.mptcp.host.report.Report;
import org.subflow.mptcp.loop.SteadyClock;
import org.subflow.mptcp.rest.request.ErrorAnswers;
import org.subflow.mptcp.rest.request.OneMethodServlet;
import org.subflow.mptcp.rest.request.ReportFields;

/**
 * {@code POST /onos/v1/mptcp/agents/report/HOST}: an agent's report, answered with what the host should know, at once or as
 * soon as it changes. The agent logs in with its token ({@code Authorization: Bearer TOKEN}), not as a user of ONOS.
 *
 * <p>A request without a valid token is refused before its body is read. No thread waits for an answer. A refusal is one
 * line: 400 for a body that is no report, 401 for a wrong token, 408 for a body that takes too long to come, 413 for one that is
 * too long, 429 for too many. 503 comes while the application starts or stops, and from a node where another one decides. It also
 * comes while ONOS's store does not say who is registered.
 */
public final class ReportServlet extends OneMethodServlet {
    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(ReportServlet.class);
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String SCHEME = "Bearer ";
    private static final int MOST_BYTES = 256 * 1024;
    private static final int CHUNK_BYTES = 8192;
    /** Most time in which a report comes in. */
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** Longer than any answer waits. */
    private static final long MOST_WAIT_MILLIS = 20_000;
    private static final int TOO_MANY_REQUESTS = 429;

    /** The last one found: to look a service up takes a twentieth of the time for a report. */
    private transient volatile HostAgents known;

    /** A request that is refused. */
    private static final class HttpError extends Exception {
        private static final long serialVersionUID = 1;

        private final int status;

        private HttpError(int status, String message) {
            super(message);
            this.status = status;
        }
    }

    /** Makes it. */
    public ReportServlet() {
        super("POST");
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HostAgents agents = agents();
        if (agents == null || !agents.knowsHosts()) {
            refuse(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE,
                   "no agents are heard here: the application is starting or stopping, its store does not answer, or another node decides");
            return;
        }
        try {
            Agent agent = login(agents, request);
            Report report = report(agents, agent, request);
            AsyncContext later = request.startAsync();
            later.setTimeout(MOST_WAIT_MILLIS);
            agents.report(agent, report, answer -> write(later, answer));
        } catch (HttpError e) {
            agents.refuse();
            refuse(response, e.status, e.getMessage());
        }
    }

    private HostAgents agents() {
        HostAgents last = known;
        if (last != null && !last.isStopped()) {
            return last;
        }
        try {
            known = DefaultServiceDirectory.getService(HostAgents.class);
        } catch (ServiceNotFoundException e) {
            known = null;
        }
        return known;
    }

    private static Agent login(HostAgents agents, HttpServletRequest request) throws HttpError {
        String path = Optional.ofNullable(request.getPathInfo()).orElse("/");
        String authorization = Optional.ofNullable(request.getHeader("Authorization")).orElse("");
        Optional<Agent> agent = Optional.empty();
        try {
            if (authorization.startsWith(SCHEME)) {
                agent = agents.login(ReportFields.address(path.substring(1)), authorization.substring(SCHEME.length()).trim());
            }
        } catch (IllegalArgumentException e) {
            // As for any host that is not registered.
        }
        return agent.orElseThrow(() -> new HttpError(HttpServletResponse.SC_UNAUTHORIZED,
                                                   "the host is not registered, or the token is not its"));
    }

    private static Report report(HostAgents agents, Agent agent, HttpServletRequest request) throws IOException, HttpError {
        if (!agents.mayRead(agent)) {
            throw new HttpError(TOO_MANY_REQUESTS, "too many reports come from this host");
        }
        try {
            return ReportReader.read(body(request));
        } catch (IllegalArgumentException e) {
            throw new HttpError(HttpServletResponse.SC_BAD_REQUEST, e.getMessage());
        } finally {
            agents.read(agent);
        }
    }

    private static byte[] body(HttpServletRequest request) throws IOException, HttpError {
        byte[] body = new byte[(int) Math.min(MOST_BYTES, Math.max(CHUNK_BYTES, request.getContentLengthLong()))];
        InputStream from = request.getInputStream();
        long begin = SteadyClock.SYSTEM.nanos();
        int length = 0;
        for (int read = 0; read >= 0; read = from.read(body, length, body.length - length)) {
            length += read;
            if (length == body.length) {
                if (length == MOST_BYTES || request.getContentLengthLong() > MOST_BYTES) {
                    throw new HttpError(HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE, "a report has at most " + MOST_BYTES + " bytes");
                }
                body = Arrays.copyOf(body, Math.min(MOST_BYTES, 2 * length + 1));
            }
            if (SteadyClock.SYSTEM.nanos() - begin > MOST_NANOS) {
                throw new HttpError(HttpServletResponse.SC_REQUEST_TIMEOUT, "the report takes too long to come");
            }
        }
        return Arrays.copyOf(body, length);
    }

    private static void refuse(HttpServletResponse response, int status, String message) throws IOException {
        if (status == HttpServletResponse.SC_UNAUTHORIZED) {
            response.setHeader("WWW-Authenticate", SCHEME.trim());
        }
        ErrorAnswers.write(response, status, message);
    }

    /** Writes an answer without waiting for the host to take it. */
    private static void write(AsyncContext later, Answer answer) {
        byte[] body = answer.encoded(ReportServlet::encode);
        try {
            HttpServletResponse response = (HttpServletResponse) later.getResponse();
            response.setContentType("application/json");
            response.setHeader("Cache-Control", "no-store");
            response.setContentLength(body.length);
            ServletOutputStream out = response.getOutputStream();
            out.setWriteListener(new Writer(later, out, body));
        } catch (IOException | IllegalStateException e) {
            LOG.debug("An agent has gone before its answer came", e);
        }
    }

    private static byte[] encode(Answer answer) {
        return AnswerJson.encode(MAPPER, answer).toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Writes a body when the connection takes it. */
    private static final class Writer implements WriteListener {
        private final AsyncContext later;
        private final ServletOutputStream out;
        private final byte[] body;
        private boolean isWritten;

        private Writer(AsyncContext later, ServletOutputStream out, byte[] body) {
            this.later = later;
            this.out = out;
            this.body = body;
        }

        @Override
        public void onWritePossible() throws IOException {
            while (out.isReady()) {
                if (isWritten) {
                    later.complete();
                    return;
                }
                isWritten = true;
                out.write(body);
            }
        }

        @Override
        public void onError(Throwable cause) {
            LOG.debug("An agent has gone before it took its answer", cause);
            later.complete();
        }
    }
}
