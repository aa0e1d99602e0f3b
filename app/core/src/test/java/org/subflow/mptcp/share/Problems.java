// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Problems that the tests of this package share. */
final class Problems {
    static final double MBPS = 1e6;
    static final double NONE = Double.POSITIVE_INFINITY;

    private Problems() {
    }

    /** S-MPTCP Fig. 1 and Table 2: links 1 to 16 are arcs 0 to 15; the four shared ones have the given capacities. */
    static SharingProblem fig1(double link2, double link5, double link10, double link15) {
        double[] capacity = new double[16];
        Arrays.fill(capacity, 10 * MBPS);
        capacity[1] = link2 * MBPS;
        capacity[4] = link5 * MBPS;
        capacity[9] = link10 * MBPS;
        capacity[14] = link15 * MBPS;
        return SharingProblem.builder(capacity)
                .connection().subflow(0, 1, 2).subflow(3, 4, 5)
                .connection().subflow(6, 4, 7).subflow(8, 9, 10)
                .connection().subflow(11, 9, 12).subflow(13, 14, 15)
                .build();
    }

    /** A line of two links: A over both, B on the first, C on the second. */
    static SharingProblem line() {
        return SharingProblem.builder(MBPS, MBPS)
                .connection().subflow(0, 1)
                .connection().subflow(0)
                .connection().subflow(1)
                .build();
    }

    /**
     * Connections with one to four subflows over random arcs of capacities from 0 to 100 Mbit/s; some have weights and caps.
     * One subflow in eight crosses a further arc of its own.
     */
    static SharingProblem random(long seed, int arcs, int connections) {
        Random random = new Random(seed);
        List<Double> capacities = new ArrayList<>();
        for (int a = 0; a < arcs; a++) {
            capacities.add(random.nextInt(12) == 0 ? 0 : (1 + random.nextInt(100)) * MBPS);
        }
        double[] weights = new double[connections];
        double[] caps = new double[connections];
        List<List<int[]>> routes = new ArrayList<>();
        for (int c = 0; c < connections; c++) {
            weights[c] = random.nextInt(3) == 0 ? 0.5 + 4 * random.nextDouble() : 1;
            caps[c] = random.nextInt(4) == 0 ? random.nextInt(30) * MBPS : NONE;
            List<int[]> own = new ArrayList<>();
            for (int s = random.nextInt(10) == 0 ? 0 : 1 + random.nextInt(4); s > 0; s--) {
                boolean alone = random.nextInt(8) == 0;
                if (alone) {
                    capacities.add(random.nextInt(20) * MBPS);
                }
                int[] route = route(random, arcs);
                own.add(alone ? with(route, capacities.size() - 1) : route);
            }
            routes.add(own);
        }
        SharingProblem.Builder builder = SharingProblem.builder(
                capacities.stream().mapToDouble(Double::doubleValue).toArray());
        for (int c = 0; c < connections; c++) {
            builder.connection(weights[c], caps[c]);
            routes.get(c).forEach(builder::subflow);
        }
        return builder.build();
    }

    private static int[] with(int[] route, int arc) {
        int[] longer = Arrays.copyOf(route, route.length + 1);
        longer[route.length] = arc;
        return longer;
    }

    /** Connections of weight 1 with one to three subflows and no caps over random arcs of 1 to 100 Mbit/s. */
    static SharingProblem plain(long seed, int arcs, int connections) {
        Random random = new Random(seed);
        SharingProblem.Builder builder = SharingProblem.builder(
                random.ints(arcs, 1, 101).mapToDouble(mbps -> mbps * MBPS).toArray());
        for (int c = 0; c < connections; c++) {
            builder.connection();
            for (int s = 1 + random.nextInt(3); s > 0; s--) {
                builder.subflow(route(random, arcs));
            }
        }
        return builder.build();
    }

    private static int[] route(Random random, int arcs) {
        List<Integer> all = new ArrayList<>();
        for (int a = 0; a < arcs; a++) {
            all.add(a);
        }
        Collections.shuffle(all, random);
        return all.subList(0, 1 + random.nextInt(Math.min(4, arcs))).stream().mapToInt(Integer::intValue).toArray();
    }

    /**
     * Random pairs on a k-ary fat tree of 1 Gbit/s links, each with subflows over different uplinks of the edge switch.
     *
     * @param hosts whether routes begin and end at hosts, whose single link all subflows then share, or at edge switches
     */
    static SharingProblem fatTree(int k, int connections, int subflows, boolean hosts, long seed) {
        int half = k / 2;
        Random random = new Random(seed);
        Map<Long, Integer> arcs = new HashMap<>();
        List<List<int[]>> all = new ArrayList<>();
        for (int c = 0; c < connections; c++) {
            int from = random.nextInt(k * half * half);
            int to = random.nextInt(k * half * half);
            while (hosts ? from == to : from / half == to / half) {
                to = random.nextInt(k * half * half);
            }
            all.add(routes(k, from, to, subflows, hosts, random, arcs));
        }
        double[] capacity = new double[arcs.size()];
        Arrays.fill(capacity, 1000 * MBPS);
        SharingProblem.Builder builder = SharingProblem.builder(capacity);
        for (List<int[]> routes : all) {
            builder.connection();
            routes.forEach(builder::subflow);
        }
        return builder.build();
    }

    private static List<int[]> routes(int k, int from, int to, int subflows, boolean hosts, Random random,
                                      Map<Long, Integer> arcs) {
        int half = k / 2;
        int fromEdge = from / half;
        int toEdge = to / half;
        List<Integer> uplinks = new ArrayList<>();
        for (int u = 0; u < half; u++) {
            uplinks.add(u);
        }
        Collections.shuffle(uplinks, random);
        List<int[]> routes = new ArrayList<>();
        for (int s = 0; s < subflows; s++) {
            int uplink = uplinks.get(s);
            int up = 10_000 + fromEdge / half * half + uplink;
            int down = 10_000 + toEdge / half * half + uplink;
            int core = 20_000 + uplink * half + random.nextInt(half);
            List<Integer> nodes = new ArrayList<>(List.of(fromEdge));
            if (fromEdge != toEdge) {
                nodes.addAll(fromEdge / half == toEdge / half ? List.of(up) : List.of(up, core, down));
                nodes.add(toEdge);
            }
            if (hosts) {
                nodes.add(0, 100_000 + from);
                nodes.add(100_000 + to);
            }
            int[] route = new int[nodes.size() - 1];
            for (int i = 0; i < route.length; i++) {
                route[i] = arcs.computeIfAbsent(((long) nodes.get(i) << 32) | nodes.get(i + 1), key -> arcs.size());
            }
            routes.add(route);
        }
        return routes;
    }

    /**
     * Random pairs on a random connected graph of links of 1 to 100 Mbit/s. Each pair has up to three link-disjoint routes,
     * the shortest first.
     */
    static SharingProblem uneven(long seed, int nodes, int links, int connections) {
        Random random = new Random(seed);
        int[][] ends = new int[2 * links][];
        double[] capacity = new double[2 * links];
        for (int l = 0; l < links; l++) {
            int a = l < nodes - 1 ? l + 1 : random.nextInt(nodes);
            int b = l < nodes - 1 ? random.nextInt(l + 1) : (a + 1 + random.nextInt(nodes - 1)) % nodes;
            ends[2 * l] = new int[] {a, b};
            ends[2 * l + 1] = new int[] {b, a};
            Arrays.fill(capacity, 2 * l, 2 * l + 2, (1 + 99 * random.nextDouble()) * MBPS);
        }
        SharingProblem.Builder builder = SharingProblem.builder(capacity);
        for (int c = 0; c < connections; c++) {
            int from = random.nextInt(nodes);
            int to = (from + 1 + random.nextInt(nodes - 1)) % nodes;
            boolean[] taken = new boolean[ends.length];
            builder.connection();
            for (int s = 0; s < 3; s++) {
                int[] route = shortest(ends, nodes, from, to, taken);
                if (route.length > 0) {
                    builder.subflow(route);
                }
                for (int arc : route) {
                    taken[arc] = true;
                }
            }
        }
        return builder.build();
    }

    private static int[] shortest(int[][] ends, int nodes, int from, int to, boolean[] taken) {
        int[] by = new int[nodes];
        Arrays.fill(by, -1);
        List<Integer> reached = new ArrayList<>(List.of(from));
        for (int i = 0; i < reached.size() && by[to] < 0; i++) {
            for (int a = 0; a < ends.length; a++) {
                if (!taken[a] && ends[a][0] == reached.get(i) && ends[a][1] != from && by[ends[a][1]] < 0) {
                    by[ends[a][1]] = a;
                    reached.add(ends[a][1]);
                }
            }
        }
        List<Integer> route = new ArrayList<>();
        for (int at = to; at != from && by[at] >= 0; at = ends[by[at]][0]) {
            route.add(0, by[at]);
        }
        return route.stream().mapToInt(Integer::intValue).toArray();
    }
}
