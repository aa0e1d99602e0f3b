// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.live;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.onlab.osgi.DefaultServiceDirectory;
import org.onlab.osgi.ServiceNotFoundException;
import org.subflow.mptcp.rest.request.ErrorAnswers;
import org.subflow.mptcp.rest.request.OneMethodServlet;

/**
 * {@code GET /onos/v1/mptcp/stream}: the live state as server-sent events: {@code snapshot} once and then {@code delta},
 * and {@code attainable} with the new attainable rates (ζ) of connections for which they have changed noticeably.
 *
 * <p>A servlet of its own, because the Jersey in ONOS comes without its module for server-sent events. 503 says that too
 * many listen already, of this user or of all, or that the application is just starting or stopping.
 */
public final class StreamServlet extends OneMethodServlet {
    private static final long serialVersionUID = 1;
    private static final long KEEPALIVE_MILLIS = 2000;

    /** Makes it. */
    public StreamServlet() {
        super("GET");
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String user = Optional.ofNullable(request.getRemoteUser()).orElse("");
        try {
            serve(DefaultServiceDirectory.getService(LiveFeed.class), user, response);
        } catch (ServiceNotFoundException e) {
            ErrorAnswers.write(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, "the application is starting or stopping: ask again later");
        }
    }

    private static void serve(LiveFeed feed, String user, HttpServletResponse response) throws IOException {
        Optional<LiveFeed.Listener> listener = feed.listen(user);
        if (listener.isEmpty()) {
            ErrorAnswers.write(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, "too many listen, or the application is stopping: ask again later");
            return;
        }
        response.setContentType("text/event-stream");
        response.setCharacterEncoding(StandardCharsets.UTF_8.name());
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Accel-Buffering", "no");
        try {
            write(listener.get(), response.getOutputStream());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            feed.leave(listener.get());
        }
    }

    /** Writes until the feed ends or the page has gone, which shows as an IOException. */
    private static void write(LiveFeed.Listener listener, OutputStream out) throws IOException, InterruptedException {
        while (!listener.isEnded()) {
            String message = listener.next(KEEPALIVE_MILLIS).orElse(": still here\n\n");
            out.write(message.getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }
}
