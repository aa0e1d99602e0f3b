// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.share.linear.ScaledProblem;
import org.subflow.mptcp.share.maxmin.MaxMinSolver;

class MaxMinSessionTest {
    private static void assertSame(SharingProblem problem, Allocation expected, Allocation actual) {
        assertEquals(0, Optimality.overload(problem, actual.rates()), 1e-9);
        assertEquals(0, Optimality.maxMinDeviation(problem, actual), 1e-6);
        for (int c = 0; c < problem.connectionCount(); c++) {
            assertEquals(expected.total(c), actual.total(c), 1e-6 * expected.total(c) + 10, "connection " + c);
        }
    }

    /** Connections come and go and capacities change; the session follows as if it began anew each time. */
    @Property(tries = 100)
    void answersAsIfFromScratch(@ForAll long seed) {
        Random random = new Random(seed);
        int arcs = 5 + random.nextInt(25);
        SharingProblem pool = Problems.random(seed, arcs, 40);
        double[] capacities = new double[pool.arcCount()];
        Arrays.setAll(capacities, pool::capacity);
        AllocationSession session = new MaxMinAllocator().session();
        List<Integer> present = new ArrayList<>();
        for (int next = 0; next < 40;) {
            int kind = random.nextInt(6);
            if (kind == 0 && !present.isEmpty()) {
                present.remove(random.nextInt(present.size()));
            } else if (kind == 1) {
                capacities[random.nextInt(arcs)] = random.nextInt(100) * Problems.MBPS;
            } else {
                present.add(next++);
            }
            SharingProblem problem = subset(pool, capacities, present);
            assertSame(problem, new MaxMinAllocator().allocate(problem), session.allocate(problem));
        }
    }

    /** Seeds with which rounding once made an answer wrong. */
    @Test
    void staysExactWhereRoundingErrorsAreLarge() {
        answersAsIfFromScratch(-4032);
        answersAsIfFromScratch(-3977);
    }

    @Test
    void followsAnArrivalOnAFatTree() {
        for (boolean hosts : new boolean[] {true, false}) {
            SharingProblem whole = Problems.fatTree(8, 300, 3, hosts, 11);
            double[] capacities = new double[whole.arcCount()];
            for (int a = 0; a < capacities.length; a++) {
                capacities[a] = whole.capacity(a);
            }
            List<Integer> present = new ArrayList<>();
            for (int c = 0; c < 290; c++) {
                present.add(c);
            }
            AllocationSession session = new MaxMinAllocator().session();
            session.allocate(subset(whole, capacities, present));
            for (int c = 290; c < 300; c++) {
                present.add(c);
                SharingProblem problem = subset(whole, capacities, present);
                assertSame(problem, new MaxMinAllocator().allocate(problem), session.allocate(problem));
            }
        }
    }

    @Test
    void followsAChangeOfTopologyThatRenumbersArcs() {
        AllocationSession session = new MaxMinAllocator().session();
        for (int arcs : new int[] {12, 9, 20, 5}) {
            for (int seed = 0; seed < 20; seed++) {
                SharingProblem problem = Problems.random(seed, arcs, 15);
                assertSame(problem, new MaxMinAllocator().allocate(problem), session.allocate(problem));
            }
        }
    }

    /** Four components of ten connections, of which one changes at a time. */
    @Test
    void solvesOnlyTheComponentThatChanges() {
        MaxMinSession session = new MaxMinSession(MaxMinSolver.NO_BOUND);
        double[] capacities = new double[40];
        Arrays.setAll(capacities, a -> (10 + 7 * a % 50) * Problems.MBPS);
        Set<Integer> present = new TreeSet<>();
        for (int c = 0; c < 40; c++) {
            present.add(c);
        }
        Allocation before = session.allocate(fourComponents(capacities, present));
        assertEquals(4, session.solved());
        session.allocate(fourComponents(capacities, present));
        assertEquals(4, session.solved(), "nothing changed");

        present.add(42);
        Allocation after = session.allocate(fourComponents(capacities, present));
        assertEquals(5, session.solved(), "one came");
        present.remove(11);
        session.allocate(fourComponents(capacities, present));
        assertEquals(6, session.solved(), "one went");
        capacities[35] /= 2;
        SharingProblem problem = fourComponents(capacities, present);
        Allocation last = session.allocate(problem);
        assertEquals(7, session.solved(), "a capacity changed");
        for (int s = 40; s < 60; s++) {
            assertEquals(before.rate(s), after.rate(s), "untouched subflow " + s);
            assertEquals(before.rate(s), last.rate(s - 2), "untouched subflow " + s);
        }
        assertSame(problem, new MaxMinAllocator().allocate(problem), last);
        double[] fresh = new MaxMinAllocator().allocate(problem).rates();
        for (int s = 0; s < fresh.length; s++) {
            assertEquals(fresh[s], last.rate(s), 1e-6 * fresh[s] + 10, "subflow " + s);
        }
    }

    /** Connections go to the components by tens, in turn; a component has ten arcs in a ring. */
    private static SharingProblem fourComponents(double[] capacities, Set<Integer> connections) {
        SharingProblem.Builder builder = SharingProblem.builder(capacities);
        for (int c : connections) {
            int set = c / 10 % 4 * 10;
            builder.connection(1 + c % 3, Problems.NONE)
                    .subflow(set + c % 10, set + (c + 1) % 10).subflow(set + (c + 4) % 10);
        }
        return builder.build();
    }

    @Test
    void goesOnFromOneArrivalToTheNextOnAFullFatTree() {
        SharingProblem whole = Problems.fatTree(8, 1010, 3, false, 5);
        double[] capacities = new double[whole.arcCount()];
        Arrays.setAll(capacities, whole::capacity);
        List<Integer> present = new ArrayList<>();
        for (int c = 0; c < 1000; c++) {
            present.add(c);
        }
        AllocationSession session = new MaxMinAllocator().session();
        session.allocate(subset(whole, capacities, present));
        for (int c = 1000; c < 1010; c++) {
            present.add(c);
            present.remove((c * 37) % 1000);
            SharingProblem problem = subset(whole, capacities, present);
            Allocation fresh = new MaxMinAllocator().allocate(problem);
            Allocation next = session.allocate(problem);
            assertSame(problem, fresh, next);
            for (int s = 0; s < problem.subflowCount(); s++) {
                assertEquals(fresh.rate(s), next.rate(s), 1e-5 * Problems.MBPS * 1000, "subflow " + s);
            }
        }
    }

    /** With some 300 connections, bottlenecks leave most rates no choice; what is left of it does not depend on the way there. */
    @Test
    void splitsAlikeFromWhereverItStarts() {
        SharingProblem whole = Problems.fatTree(8, 303, 3, false, 5);
        double[] capacities = new double[whole.arcCount()];
        Arrays.setAll(capacities, whole::capacity);
        List<Integer> present = IntStream.range(0, 303).boxed().collect(Collectors.toList());
        AllocationSession session = new MaxMinAllocator().session();
        session.allocate(subset(whole, capacities, present));
        for (int c = 302; c >= 300; c--) {
            present.remove(Integer.valueOf(c));
            SharingProblem problem = subset(whole, capacities, present);
            Allocation fresh = new MaxMinAllocator().allocate(problem);
            Allocation next = session.allocate(problem);
            assertSame(problem, fresh, next);
            for (int s = 0; s < problem.subflowCount(); s++) {
                assertEquals(fresh.rate(s), next.rate(s), 1e-5 * Problems.MBPS * 1000, "subflow " + s);
            }
        }
    }

    /** Arrivals and departures leave most splits as they were, wherever in the order of connections they happen. */
    @Test
    void needsFewerPivotsAfterAChange() {
        SharingProblem whole = Problems.fatTree(8, 301, 3, false, 3);
        double[] capacities = new double[whole.arcCount()];
        Arrays.setAll(capacities, whole::capacity);
        List<Integer> present = IntStream.range(0, 300).boxed().collect(Collectors.toList());
        MaxMinSolver before = MaxMinSolver.withBasis(scaled(subset(whole, capacities, present)), MaxMinSolver.NO_BOUND);
        present.add(300);
        present.remove(7);
        ScaledProblem changed = scaled(subset(whole, capacities, present));
        MaxMinSolver fresh = MaxMinSolver.withBasis(changed, MaxMinSolver.NO_BOUND);
        MaxMinSolver next = MaxMinSolver.withBasis(before, changed, MaxMinSolver.NO_BOUND);
        assertTrue(next.pivots() < 0.75 * fresh.pivots(), next.pivots() + " pivots, " + fresh.pivots() + " from scratch");
        for (int c = 0; c < changed.connections(); c++) {
            assertEquals(fresh.level(c), next.level(c), 1e-6 * fresh.level(c), "connection " + c);
        }
    }

    private static ScaledProblem scaled(SharingProblem problem) {
        return ScaledProblemBuilder.reduced(problem);
    }

    /** Where capacities differ much, the last answer says less of the next. */
    @Test
    void answersInTimeAfterArrivalsOnUnevenCapacities() {
        SharingProblem whole = Problems.uneven(1, 200, 500, 502);
        double[] capacities = new double[whole.arcCount()];
        Arrays.setAll(capacities, whole::capacity);
        List<Integer> present = IntStream.range(0, 500).boxed().collect(Collectors.toList());
        AllocationSession session = new MaxMinAllocator().session();
        session.allocate(subset(whole, capacities, present));
        for (int c = 500; c < 502; c++) {
            present.add(c);
            SharingProblem problem = subset(whole, capacities, present);
            Allocation fresh = new MaxMinAllocator().allocate(problem);
            assertTimeoutPreemptively(Duration.ofSeconds(20), () -> assertSame(problem, fresh, session.allocate(problem)));
        }
    }

    private static SharingProblem subset(SharingProblem pool, double[] capacities, List<Integer> connections) {
        SharingProblem.Builder builder = SharingProblem.builder(capacities);
        for (int c : connections) {
            builder.connection(pool.weight(c), pool.cap(c));
            for (int s = pool.firstSubflow(c); s < pool.firstSubflow(c + 1); s++) {
                builder.subflow(pool.route(s));
            }
        }
        return builder.build();
    }
}
