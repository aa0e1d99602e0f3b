// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.ConnectionId;

/**
 * Submissions of connections, each of which waits until the rules that it shares with others are in the switches. So no packet
 * comes to a switch that does not know its label. One whose paths have not come for a whole sweep gets exact rules.
 *
 * <p>One thread submits; any thread asks.
 */
final class WaitingSubmissions {
    private final SharedPaths paths;
    private final Consumer<MptcpIntent> submit;
    private final Map<ConnectionId, MptcpIntent> waiting = new ConcurrentHashMap<>();
    /** The revisions that waited at the last sweep. */
    private Set<Long> waitedAtLastSweep = Set.of();

    /**
     * Makes it with none that waits.
     *
     * @param paths  the paths that subflows share; not null
     * @param submit gets each submission whose paths are ready; not null
     */
    WaitingSubmissions(SharedPaths paths, Consumer<MptcpIntent> submit) {
        this.paths = checkNotNull(paths, "paths");
        this.submit = checkNotNull(submit, "submit");
    }

    /** Submits a connection's intent, now or once its paths are ready, in place of one that waits still. */
    void submit(MptcpIntent intent) {
        submitWhenReady(intent.withLabels(paths::admits));
    }

    private void submitWhenReady(MptcpIntent intent) {
        paths.use(intent);
        if (intent.paths().stream().allMatch(paths::isReady)) {
            waiting.remove(intent.connection());
            submit.accept(intent);
        } else {
            waiting.put(intent.connection(), intent);
        }
    }

    /** Looks at all that wait: paths have changed. */
    void look() {
        List.copyOf(waiting.values()).forEach(this::submit);
    }

    /** Looks at all that wait, and ends the waits that have lasted for a whole sweep. */
    void sweep() {
        look();
        for (MptcpIntent intent : List.copyOf(waiting.values())) {
            if (waitedAtLastSweep.contains(intent.revision())) {
                submitWhenReady(intent.withLabels(paths::isReady));
            }
        }
        waitedAtLastSweep = waiting.values().stream().map(MptcpIntent::revision).collect(Collectors.toSet());
    }

    /** Forgets the submission of a connection that waits, if there is one. */
    void withdraw(ConnectionId connection) {
        waiting.remove(connection);
    }

    /** Forgets all that wait. */
    void clear() {
        waiting.clear();
    }

    /** Returns whether a connection waits. */
    boolean contains(ConnectionId connection) {
        return waiting.containsKey(connection);
    }

    /** Returns the revision of a connection that waits; empty if it does not. */
    OptionalLong revision(ConnectionId connection) {
        MptcpIntent next = waiting.get(connection);
        return next == null ? OptionalLong.empty() : OptionalLong.of(next.revision());
    }
}
