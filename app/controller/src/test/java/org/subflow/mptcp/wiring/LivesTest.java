// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.loop.OneByOne;

/**
 * Random lives of connections on an ONOS whose services fail by chance. Some begin with their segments, real and forged ones, and earn
 * their paths; what no handshake has shown gets no rules. No limit is passed at any step. Whenever ONOS has been well
 * for a while, its intents, rules, resources and stored records agree with each other.
 *
 * <p>{@code -Dmptcp.lives=10000} for more lives, {@code -Dmptcp.seed=17} for one of them again; both for so many from that one on.
 */
class LivesTest {
    private static final Integer SEED = Integer.getInteger("mptcp.seed");
    private static final int LIVES = Integer.getInteger("mptcp.lives", SEED == null ? 200 : 1);
    private static final int STEPS = 40;
    private static final int STEPS_BETWEEN_LOOKS = 20;

    private final TreeMap<String, Integer> happened = new TreeMap<>();

    @Test
    void booksRulesAndRecordsAgreeAndNoLimitIsPassed() {
        int first = SEED == null ? 0 : SEED;
        for (int seed = first; seed < first + LIVES; seed++) {
            live(seed);
        }
        if (SEED == null) {
            assertTrue(happened.keySet().containsAll(Set.of("opens", "is joined", "is refused", "wakes", "earns paths",
                                                            "earns paths for a subflow")), happened::toString);
        }
    }

    private void live(int seed) {
        List<String> story = new ArrayList<>();
        try {
            long failures = OneByOne.failures();
            Life life = new Life(seed);
            for (int step = 1; step <= STEPS; step++) {
                Set<ConnectionId> before = live(life);
                boolean mayEnter = life.network.mayDecide;
                String what = life.step();
                story.add(what);
                happened.merge(what.replaceFirst("^(over \\S+ )?[cr]\\d+ ", ""), 1, Integer::sum);
                assertEquals(List.of(), Books.bounds(life, before, mayEnter || life.network.mayDecide), "after a step");
                life.earned().forEach(earned -> happened.merge(earned, 1, Integer::sum));
                if (step % STEPS_BETWEEN_LOOKS == 0) {
                    life.settle();
                    story.add("settles");
                    assertEquals(List.of(), Books.bounds(life, Set.of(), true), "at rest");
                    List<String> differences = Books.differences(life);
                    assertEquals(List.of(), differences, "at rest");
                }
                assertEquals(failures, OneByOne.failures(), "a task has failed");
            }
            life.wakes().forEach(what -> happened.merge(what, 1, Integer::sum));
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("Life " + seed + ", again by: mvn -o test -pl app/core,app/controller -Dtest=LivesTest "
                    + "-Dsurefire.failIfNoSpecifiedTests=false -Dmptcp.seed=" + seed + "\n" + story + "\n" + e.getMessage(), e);
        }
    }

    private static Set<ConnectionId> live(Life life) {
        return life.store.live().stream().map(Connection::id).collect(Collectors.toSet());
    }
}
