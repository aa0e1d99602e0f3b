// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reproduce;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.subflow.mptcp.bench.ConnectionSet;

/**
 * The parts of the papers' reproductions, and of the comparison of all strategies. Each computes some CSV files, and none needs another: what has been computed need not
 * be computed again.
 */
final class Parts {
    private static final long SEED = 1;
    private static final int DRAWS_OF_AN_ITERATION = 100;
    private static final int FEWEST_ITERATIONS = 3;
    private static final int MOST_ITERATIONS = 10;

    private static final Map<String, Part> ALL = new LinkedHashMap<>();

    static {
        ALL.put("sheu/strategies", draws -> {
            Sheu.Result result = Sheu.evaluate(draws, SEED);
            return Map.of("sheu.csv", result.strategies(), "sheu-gains.csv", result.gains());
        });
        ALL.put("sheu/residuals", draws -> Map.of("sheu-residuals.csv", Sheu.underOtherTraffic(draws, SEED).strategies()));
        ALL.put("sheu/variants", draws -> Map.of("sheu-variants.csv", SheuVariants.evaluate(draws, SEED)));
        ALL.put("sheu/example", draws -> Map.of("sheu-example.csv", Sheu.example()));
        ALL.put("gomez/two-routes", draws -> Map.of("gomez-two-routes.csv", Gomez.shareWithTwoRoutes(draws)));
        ALL.put("gomez/routes-and-hops", draws -> Map.of("gomez-routes-and-hops.csv", Gomez.routesAndHops(draws)));
        ALL.put("multiflow/paths", draws -> Map.of("multiflow-pruning.csv", Multiflow.pruning(),
                "multiflow-as-published.csv", Multiflow.asPublished(), "multiflow-shares.csv", Multiflow.shares()));
        ALL.put("multiflow/packet-cost", draws -> Map.of("multiflow-packet-cost.csv", Multiflow.packetCost(iterations(draws))));
        ALL.put("smptcp/shares", draws -> Map.of("smptcp-shares.csv", Smptcp.shares()));
        ALL.put("smptcp/family", draws -> Map.of("smptcp-family.csv", Smptcp.family()));
        ALL.put("smptcp/dinic", draws -> Map.of("smptcp-dinic.csv", Smptcp.dinic(iterations(draws))));
        ALL.put("emptcp/paths", draws -> Map.of("emptcp-paths.csv", Emptcp.paths(), "emptcp-triangle.csv", Emptcp.triangle()));
        ALL.put("network/os3e", draws -> Map.of("network-os3e.csv", NetworkWideShares.of("os3e", draws)));
        ALL.put("network/cernet", draws -> Map.of("network-cernet.csv", NetworkWideShares.of("cernet", draws)));
        ALL.put("network/waxman", draws -> Map.of("network-waxman.csv", NetworkWideShares.of("waxman40", draws)));
        ALL.put("network/fattree", draws -> Map.of("network-fattree.csv", NetworkWideShares.of(ConnectionSet.FAT_TREE, draws)));
    }

    /** Computes the tables of a part. */
    interface Part {
        /**
         * Computes.
         *
         * @param draws number of random networks for each point of a figure, where there are any
         * @return the tables by the names of their files
         */
        Map<String, Table> compute(int draws) throws Exception;
    }

    private Parts() {
    }

    /** Returns how often a time is measured: three times with a hundred draws, ten times with a thousand. */
    private static int iterations(int draws) {
        return Math.max(FEWEST_ITERATIONS, Math.min(MOST_ITERATIONS, draws / DRAWS_OF_AN_ITERATION));
    }

    /** Returns the names of all parts, {@code paper/part}, in the order of the report. */
    static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /**
     * Returns a part.
     *
     * @throws IllegalArgumentException if there is none of this name
     */
    static Part named(String name) {
        Part part = ALL.get(name);
        if (part == null) {
            throw new IllegalArgumentException("no part " + name + " but " + names());
        }
        return part;
    }
}
