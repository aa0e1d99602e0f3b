// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.monitoring.HistoryService;
import org.subflow.mptcp.api.monitoring.LifeEvent;
import org.subflow.mptcp.cli.completer.ConnectionIdCompleter;
import org.subflow.mptcp.cli.text.WholeNumbers;

/** Tells what happened to connections, and on request what happens from now on. */
@Service
@Command(scope = "onos", name = "mptcp-events", description = "Tells what happened to MPTCP connections",
        detailedDescription = "Examples:\n  mptcp-events\n  mptcp-events -n 100\n  mptcp-events --follow 33a99110")
public class EventsCommand extends MptcpCommand {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneId.systemDefault());
    /** A user who reads more slowly than things happen misses some. */
    private static final int MOST_WAITING = 10_000;
    private static final int MOST_EVENTS = 100_000;

    @Option(name = "-f", aliases = "--follow", description = "Goes on with what happens from now on, until Ctrl-C; JSON is one object a line")
    private boolean follow = false;

    @Option(name = "-n", aliases = "--newest", description = "How many of the newest events of all connections (20)")
    private String newest = "20";

    @Argument(index = 0, name = "id", description = "Connection, also one that has ended; all if left out")
    @Completion(ConnectionIdCompleter.class)
    private String id = null;

    @Override
    protected void run() {
        int most = WholeNumbers.read("-n", newest, 0, MOST_EVENTS);
        tell(most);
    }

    private void tell(int most) {
        HistoryService history = get(HistoryService.class);
        BlockingQueue<LifeEvent> waiting = new LinkedBlockingQueue<>(MOST_WAITING);
        Consumer<LifeEvent> follower = waiting::offer;
        if (follow) {
            // Before the past is read: what happens meanwhile may come twice, but is not missed.
            history.follow(follower);
        }
        try {
            List<LifeEvent> past = id == null ? history.newest(most) : history.events(ConnectionId.of(id));
            if (past.isEmpty() && !follow) {
                empty();
                return;
            }
            tell(past);
            if (follow) {
                waiting.removeAll(past);
                follow(waiting);
            }
        } finally {
            history.unfollow(follower);
        }
    }

    private void empty() {
        if (id != null) {
            throw new IllegalArgumentException("No MPTCP connection has or had the id " + id + "; mptcp-events tells of all");
        }
        print(outputJson() ? "[]" : "Nothing is known of any connection.");
    }

    private void tell(List<LifeEvent> past) {
        if (outputJson() && !follow) {
            ArrayNode array = mapper().createArrayNode();
            past.forEach(event -> array.add(jsonForEntity(event, LifeEvent.class)));
            print("%s", array);
        } else {
            past.forEach(this::tell);
        }
    }

    private void tell(LifeEvent event) {
        if (outputJson()) {
            print("%s", jsonForEntity(event, LifeEvent.class));
        } else {
            print("%s %-12s %-10s %s%s%s", TIME.format(Instant.ofEpochMilli(event.millis())), event.connection(), event.kind(),
                  event.subflow().map(subflow -> subflow + " ").orElse(""), event.text(),
                  event.why().map(why -> " (" + why + ")").orElse(""));
        }
    }

    /** Karaf interrupts the command at Ctrl-C. A user who is gone leaves an output that cannot be written to. */
    private void follow(BlockingQueue<LifeEvent> waiting) {
        try {
            while (!System.out.checkError()) {
                LifeEvent event = waiting.poll(1, TimeUnit.SECONDS);
                if (event != null && (id == null || event.connection().value().equals(id))) {
                    tell(event);
                }
            }
        } catch (InterruptedException e) {
            // The interrupt was for this command, which ends by it; the shell goes on.
            log.debug("No longer following events");
        }
    }
}
