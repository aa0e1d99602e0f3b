// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.submission.ConnectionIntents;

/** No outcome of a submission is lost on its way to the control loop. */
class OutcomesTest {
    private static final ConnectionId ONE = ConnectionId.of("one");
    private static final ConnectionId OTHER = ConnectionId.of("other");

    private final List<String> decided = new ArrayList<>();
    private final List<Runnable> tasks = new ArrayList<>();
    private final Outcomes outcomes = new Outcomes(task -> () -> tasks.add(task), new Decided());

    @Test
    void theNewestOfEachKindComesInTheOrderInWhichTheyCame() {
        outcomes.installed(ONE, 1);
        outcomes.failed(OTHER, 7);
        outcomes.withdrawn(ONE);
        outcomes.installed(ONE, 2);
        outcomes.installed(ONE, 3);
        assertTrue(decided.isEmpty());

        run();
        assertEquals(List.of("withdrawn one", "installed one 3", "failed other 7"), decided);
        run();
        assertEquals(3, decided.size());
    }

    @Test
    void noneIsLostHoweverManyThereAre() {
        int many = 10 * Outcomes.MOST_AT_ONCE + 1;
        for (int i = 0; i < many; i++) {
            outcomes.installed(ConnectionId.of("c" + i), i);
        }
        tasks.subList(1, tasks.size()).clear();
        tasks.remove(0).run();
        assertEquals(Outcomes.MOST_AT_ONCE, decided.size(), "then other events have their turn");
        for (int i = 0; i < 10; i++) {
            assertEquals(1, tasks.size());
            tasks.remove(0).run();
        }
        assertEquals(many, decided.size());
        assertTrue(tasks.isEmpty());
    }

    private void run() {
        List<Runnable> waiting = new ArrayList<>(tasks);
        tasks.clear();
        waiting.forEach(Runnable::run);
    }

    private final class Decided implements ConnectionIntents.Outcome {
        @Override
        public void installed(ConnectionId connection, long revision) {
            decided.add("installed " + connection + " " + revision);
        }

        @Override
        public void failed(ConnectionId connection, long revision) {
            decided.add("failed " + connection + " " + revision);
        }

        @Override
        public void withdrawn(ConnectionId connection) {
            decided.add("withdrawn " + connection);
        }

        @Override
        public void pathsChanged() {
            decided.add("paths changed");
        }
    }
}
