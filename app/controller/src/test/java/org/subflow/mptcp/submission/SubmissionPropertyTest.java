// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.BeforeTry;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.intent.IntentState;
import org.onosproject.net.intent.Key;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.policy.PathLabels;
import org.subflow.mptcp.intent.IntentIds;
import org.subflow.mptcp.rules.KnownSwitches;
import org.subflow.mptcp.rules.OwnRules;

/**
 * Whatever comes in whatever order: a connection has one submission under way, only outcomes of its newest revision count, and
 * nothing is kept of one that ONOS has forgotten.
 */
class SubmissionPropertyTest {
    private static final ApplicationId APP = SharedPathsScenario.APP;
    private static final List<ConnectionId> CONNECTIONS = List.of(SharedPathsScenario.ONE, SharedPathsScenario.TWO);
    private static final long STEP_NANOS = 700_000_000;

    private enum What {
        SUBMIT_LEFT, SUBMIT_RIGHT, INSTALL, FAIL, TELL_OLDER, WITHDRAW, REMOVE, LOSE, PATHS_CHANGED, SWEEP
    }

    private static final class Step {
        private final What what;
        private final ConnectionId connection;

        private Step(What what, ConnectionId connection) {
            this.what = what;
            this.connection = connection;
        }

        @Override
        public String toString() {
            return what + " " + connection;
        }
    }

    private SlowIntents store;
    private SharedPathsScenario.SlowRules switches;
    private ConnectionIntents intents;
    private Map<ConnectionId, Long> newest;
    private Map<ConnectionId, List<Long>> older;
    private long nanos;

    @BeforeTry
    void start() {
        IntentIds.bind();
        store = new SlowIntents();
        newest = new HashMap<>();
        older = new HashMap<>();
        nanos = 0;
        switches = new SharedPathsScenario.SlowRules();
        intents = new ConnectionIntents(store, new OwnRules(switches, new KnownSwitches(5), APP), new Outcomes(),
                                        () -> PathLabels.ON);
        intents.start();
    }

    /** The transitions that the control loop makes of outcomes. */
    private final class Outcomes implements ConnectionIntents.Outcome {
        @Override
        public void installed(ConnectionId connection, long revision) {
            boolean isNewest = newest.getOrDefault(connection, -1L) == revision;
            assertEquals(isNewest, intents.submission(connection).filter(one -> one.installed(revision)).isPresent());
        }

        @Override
        public void failed(ConnectionId connection, long revision) {
            boolean isNewest = newest.getOrDefault(connection, -1L) == revision;
            assertEquals(isNewest, intents.submission(connection).filter(one -> one.failed(revision, nanos)).isPresent());
        }

        @Override
        public void withdrawn(ConnectionId connection) {
            if (!newest.containsKey(connection)) {
                intents.purge(connection);
            }
        }

        @Override
        public void pathsChanged() {
            // A step says when the loop gets to it.
        }
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return Combinators.combine(Arbitraries.of(What.class), Arbitraries.of(CONNECTIONS)).as(Step::new)
                .list().ofMinSize(1).ofMaxSize(60);
    }

    @Property(tries = 1000)
    void aConnectionHasOneSubmissionAndItIsOfTheNewestRevision(@ForAll("steps") List<Step> steps) {
        for (Step step : steps) {
            nanos += STEP_NANOS;
            take(step);
            for (ConnectionId connection : CONNECTIONS) {
                boolean isWanted = newest.containsKey(connection);
                assertEquals(isWanted, intents.submission(connection).isPresent());
                intents.submission(connection).ifPresent(one -> assertEquals(newest.get(connection), one.revision()));
            }
            assertEquals(newest.keySet(), intents.submissions().stream().map(Submission::connection).collect(Collectors.toSet()));
            assertEquals(newest.size(), intents.submissions().size(), "at most one of each");
        }
    }

    @Property(tries = 1000)
    void nothingIsKeptOnceOnosHasRemovedWhatIsWithdrawn(@ForAll("steps") List<Step> steps) {
        steps.forEach(this::take);
        List.copyOf(newest.keySet()).forEach(connection -> take(new Step(What.WITHDRAW, connection)));
        for (int round = 0; round < 2 * SharedPaths.SPARING_SWEEPS; round++) {
            // What was submitted before its withdrawal may arrive late. Sweeps find it.
            store.installAll();
            store.withdrawAll();
            switches.carryOut();
            intents.sweep();
        }
        switches.carryOut();
        for (ConnectionId connection : CONNECTIONS) {
            assertEquals(Submission.UNKNOWN, intents.revision(connection));
            assertEquals(List.of(), intents.rules(connection));
        }
        assertEquals(0, intents.submissions.all().size(), "no submission is kept");
        assertEquals(Set.of(), store.intents.keySet());
        assertEquals(List.of(), List.copyOf(switches.rules()), "nor a rule of a path");
    }

    private void take(Step step) {
        ConnectionId connection = step.connection;
        Key key = intents.key(connection);
        switch (step.what) {
            case SUBMIT_LEFT:
                submit(connection, 2);
                break;
            case SUBMIT_RIGHT:
                submit(connection, 3);
                break;
            case INSTALL:
                store.settle(key::equals, IntentState.INSTALLED);
                break;
            case FAIL:
                store.settle(key::equals, IntentState.FAILED);
                break;
            case TELL_OLDER:
                tellOlder(connection);
                break;
            case WITHDRAW:
                remember(connection);
                intents.withdraw(connection);
                break;
            case REMOVE:
                store.withdraw(key::equals);
                break;
            case LOSE:
                Optional.ofNullable(store.getIntent(key)).ifPresent(store::purge);
                break;
            case PATHS_CHANGED:
                switches.carryOut();
                intents.submitWaiting();
                break;
            default:
                intents.sweep();
                break;
        }
    }

    private void submit(ConnectionId connection, int middle) {
        remember(connection);
        long revision = intents.submit(SharedPathsScenario.connection(connection, middle));
        newest.put(connection, revision);
        assertTrue(older.values().stream().flatMap(List::stream).allMatch(before -> before < revision));
    }

    private void remember(ConnectionId connection) {
        Long before = newest.remove(connection);
        if (before != null) {
            older.computeIfAbsent(connection, unused -> new ArrayList<>()).add(before);
        }
    }

    /** ONOS reports outcomes of all earlier revisions once more. */
    private void tellOlder(ConnectionId connection) {
        for (long revision : older.getOrDefault(connection, List.of())) {
            intents.submission(connection).ifPresent(one -> {
                boolean wasPending = one.isPending();
                boolean wasDue = one.isDue(nanos);
                int failures = one.failures();
                assertFalse(one.installed(revision));
                assertFalse(one.failed(revision, nanos));
                assertEquals(List.of(wasPending, wasDue), List.of(one.isPending(), one.isDue(nanos)));
                assertEquals(failures, one.failures());
            });
        }
    }
}
