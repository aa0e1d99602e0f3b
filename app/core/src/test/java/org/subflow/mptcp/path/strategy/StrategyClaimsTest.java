// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.Preference;
import org.subflow.mptcp.path.topology.Topologies;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.path.topology.Waxman;

/**
 * Compares {@code widest-disjoint} with the heuristics, on 1,000 requests for three paths on each network of Sheu et al. The
 * networks are Waxman graphs of 50 nodes (a new one for each request, seeds 1000 and up), Internet2 and Cernet. Capacities
 * are uniform from 1 to 100 Mbit/s (seeds 77 and up). End points come from seeds 7, 38, and so on.
 *
 * <p>Hops are compared per path, and in total where both find as many paths. On Internet2 {@code k-max-min} has fewer hops in
 * total over all requests. It misses paths there: the mean is 1.70 paths instead of 1.99. Even the shortest link-disjoint
 * paths, whatever their bandwidth, have more hops in total there (11.8 against 11.3).
 */
class StrategyClaimsTest {
    private static final int REQUESTS = 1000;
    private static final double TOLERANCE = 1e-9;

    /** Means over the requests for which two strategies find equally many paths with the same smallest bottleneck. */
    private static final class Comparison {
        private int same;
        private double sum;
        private double sumOfOther;
        private double hops;
        private double hopsOfOther;

        private void add(PathSet answer, PathSet other) {
            if (answer.size() == other.size() && answer.minResidual() == other.minResidual()) {
                same++;
                sum += answer.sumResidual();
                sumOfOther += other.sumResidual();
                hops += answer.hops();
                hopsOfOther += other.hops();
            }
        }
    }

    static Stream<Arguments> networks() {
        Topology internet2 = Topologies.os3e(1);
        Topology cernet = Topologies.cernet(1);
        return Stream.of(Disjointness.LINK, Disjointness.NODE).flatMap(kind -> Stream.of(
                Arguments.of("waxman50", kind, (IntFunction<Topology>) i -> Waxman.sheu(50, 1, 1000 + i)),
                Arguments.of("os3e", kind, (IntFunction<Topology>) i -> internet2),
                Arguments.of("cernet", kind, (IntFunction<Topology>) i -> cernet)));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("networks")
    void preferringHopsTakesNoMoreThanKMaxMin(String name, Disjointness kind, IntFunction<Topology> network) {
        double perPath = 0;
        double perPathOfOther = 0;
        int asMany = 0;
        int total = 0;
        int totalOfOther = 0;
        for (int i = 0; i < REQUESTS; i++) {
            PathRequest.Builder request = request(network, i).disjointness(kind);
            PathSet kMaxMin = find("k-max-min", request);
            PathSet fewestHops = find("widest-disjoint", request.prefer(Preference.HOPS));

            perPath += (double) fewestHops.hops() / fewestHops.size();
            perPathOfOther += (double) kMaxMin.hops() / kMaxMin.size();
            if (fewestHops.size() == kMaxMin.size()) {
                asMany++;
                total += fewestHops.hops();
                totalOfOther += kMaxMin.hops();
            }
        }

        assertTrue(perPath <= perPathOfOther, "hops of a path " + perPath + ", k-max-min " + perPathOfOther);
        assertTrue(asMany > REQUESTS / 2, "enough requests to compare: " + asMany);
        assertTrue(total <= totalOfOther, "hops of as many paths " + total + ", k-max-min " + totalOfOther);
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("networks")
    void exactIsNeverWorse(String name, Disjointness kind, IntFunction<Topology> network) {
        Comparison withKMax = new Comparison();
        for (int i = 0; i < REQUESTS; i++) {
            PathRequest.Builder request = request(network, i).disjointness(kind);
            PathSet exact = find("widest-disjoint", request);
            PathSet kMax = find("k-max", request);
            PathSet kMaxMin = find("k-max-min", request);
            PathSet fewestHops = find("widest-disjoint", request.prefer(Preference.HOPS));

            assertNoWorse(exact, kMax);
            assertNoWorse(exact, kMaxMin);
            assertEquals(exact.size(), fewestHops.size());
            assertEquals(exact.minResidual(), fewestHops.minResidual());
            if (fewestHops.size() == kMaxMin.size() && fewestHops.minResidual() == kMaxMin.minResidual()) {
                assertTrue(fewestHops.hops() <= kMaxMin.hops(), "no more hops than k-max-min");
            }
            withKMax.add(exact, kMax);
        }

        assertTrue(withKMax.same > REQUESTS / 2, "enough requests to compare: " + withKMax.same);
        assertTrue(withKMax.sum >= withKMax.sumOfOther * (1 - TOLERANCE),
                () -> "sum of bottlenecks " + withKMax.sum + ", k-max " + withKMax.sumOfOther);
        assertTrue(withKMax.hops <= withKMax.hopsOfOther, () -> "hops " + withKMax.hops + ", k-max " + withKMax.hopsOfOther);
    }

    private static void assertNoWorse(PathSet exact, PathSet other) {
        assertTrue(exact.size() >= other.size(), "as many paths");
        assertTrue(exact.size() > other.size() || exact.minResidual() >= other.minResidual(), "as wide a narrowest path");
    }

    private static PathRequest.Builder request(IntFunction<Topology> network, int i) {
        Graph graph = network.apply(i).withUniformCapacities(1e6, 100e6, 77 + i).graph();
        SplittableRandom random = new SplittableRandom(31L * i + 7);
        int source = random.nextInt(graph.nodeCount());
        int target = (source + 1 + random.nextInt(graph.nodeCount() - 1)) % graph.nodeCount();
        return PathRequest.on(graph).from(source).to(target).k(3);
    }

    private static PathSet find(String strategy, PathRequest.Builder request) {
        return PathStrategies.named(strategy).findPaths(request.build());
    }
}
