// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.topology.Waxman;

/** Workspaces pass between threads and graphs, and the answers do not depend on that. */
class ConcurrencyTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = 50;

    @Test
    @Timeout(120)
    void manyThreadsGetTheAnswersThatOneGets() throws Exception {
        List<PathRequest> requests = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Graph graph = Waxman.sheu(10 + 10 * (i % 5), 1, i).withUniformCapacities(1, 100, i).graph();
            requests.add(PathRequest.on(graph).from(0).to(1).k(3).build());
        }
        List<PathSet> expected = answers(requests);
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> runs = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                runs.add(pool.submit(() -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        assertEquals(expected, answers(requests));
                    }
                }));
            }
            for (Future<?> run : runs) {
                run.get();
            }
        } finally {
            pool.shutdownNow();
            pool.awaitTermination(10, TimeUnit.SECONDS);
        }
    }

    private static List<PathSet> answers(List<PathRequest> requests) {
        List<PathSet> answers = new ArrayList<>();
        for (String name : PathStrategies.names()) {
            requests.forEach(request -> answers.add(PathStrategies.named(name).findPaths(request)));
        }
        return answers;
    }
}
