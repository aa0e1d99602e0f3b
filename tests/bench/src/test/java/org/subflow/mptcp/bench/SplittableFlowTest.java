// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.ortools.Loader;
import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.topology.Topologies;
import org.subflow.mptcp.path.topology.Waxman;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacementTerms;
import org.subflow.mptcp.placement.rate.SplittableFlow;
import org.subflow.mptcp.placement.search.Placement;

/**
 * The best rates of any routing equal those of the textbook method with OR-tools' GLOP: a flow by arc for each connection,
 * and one linear program for each level.
 */
class SplittableFlowTest {
    private static final int SEEDS = 6;
    private static final int CONNECTIONS = 8;
    private static final double MEGABIT = 1e6;
    private static final double PART = 1e-4;
    /** Prices of a level add up to 1 divided by weights. */
    private static final double NO_PRICE = 1e-6;

    @Test
    void equalsTheLinearProgramsOnRandomGraphs() {
        for (int seed = 0; seed < SEEDS; seed++) {
            check(Waxman.sheu(20, MEGABIT, seed).withUniformCapacities(5 * MEGABIT, 50 * MEGABIT, seed).graph(), seed);
        }
    }

    @Test
    void equalsTheLinearProgramsOnAMap() {
        for (int seed = 0; seed < SEEDS; seed++) {
            check(Topologies.cernet(MEGABIT).withUniformCapacities(5 * MEGABIT, 50 * MEGABIT, seed).graph(), seed);
        }
    }

    @Test
    void equalsTheLinearProgramsWhereDirectionsDiffer() {
        for (int seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Graph map = Topologies.cernet(MEGABIT).graph();
            Graph.Builder unequal = Graph.builder(map.nodeCount());
            for (int link = 0; link < map.linkCount(); link++) {
                unequal.link(map.tail(2 * link), map.head(2 * link), random.nextInt(1, 51) * MEGABIT,
                             random.nextInt(1, 51) * MEGABIT);
            }
            check(unequal.build(), seed);
        }
    }

    private static void check(Graph graph, long seed) {
        NetworkState network = draw(graph, new SplittableRandom(seed));
        SplittableFlow ours = SplittableFlow.of(network);
        double[] theirs = levels(network);
        assertTrue(ours.error() < PART, () -> "seed " + seed + ": error " + ours.error());
        for (int c = 0; c < theirs.length; c++) {
            assertEquals(theirs[c], ours.rates(c).up() / MEGABIT, theirs[c] * PART, "seed " + seed + ", connection " + c);
        }
    }

    /** Connections between any nodes, of weight 1 to 3, every third with a cap. */
    private static NetworkState draw(Graph graph, SplittableRandom random) {
        Placement placement = new Placement(NetworkState.empty(graph), "max-min", Placement.LEAST_GAIN_PERCENT);
        for (int c = 0; c < CONNECTIONS; c++) {
            int from = random.nextInt(graph.nodeCount());
            int to = (from + 1 + random.nextInt(graph.nodeCount() - 1)) % graph.nodeCount();
            double limit = c % 3 == 2 ? (1 + 9 * random.nextDouble()) * MEGABIT : Double.POSITIVE_INFINITY;
            PlacementTerms terms = PlacementTerms.of("widest-disjoint", 2, JoinPolicy.SHARE)
                    .withShare(random.nextInt(1, 4), limit);
            placement.open("c" + c, from, to, terms, Demand.of(Double.POSITIVE_INFINITY, 0));
        }
        return placement.network();
    }

    /** Returns the max-min fair rates in Mbit/s. */
    private static double[] levels(NetworkState network) {
        Loader.loadNativeLibraries();
        MPSolver solver = MPSolver.createSolver("GLOP");
        try {
            MPVariable level = solver.makeNumVar(0, MPSolver.infinity(), "level");
            solver.objective().setCoefficient(level, 1);
            solver.objective().setMaximization();
            int count = network.connections().size();
            MPVariable[][] flow = new MPVariable[count][];
            MPConstraint[] atLeast = new MPConstraint[count];
            double[] fixed = new double[count];
            for (int c = 0; c < count; c++) {
                flow[c] = solver.makeNumVarArray(network.graph().arcCount(), 0, MPSolver.infinity());
                PlacedConnection connection = network.connections().get(c);
                MPVariable total = solver.makeNumVar(0, Math.min(connection.terms().cap() / MEGABIT, 1e6), "total" + c);
                conserve(solver, network.graph(), flow[c], total, connection.subflows().get(0));
                atLeast[c] = solver.makeConstraint(0, MPSolver.infinity());
                atLeast[c].setCoefficient(total, 1 / connection.terms().weight());
                atLeast[c].setCoefficient(level, -1);
            }
            limit(solver, network.graph(), flow);
            for (int remaining = count; remaining > 0;) {
                assertEquals(MPSolver.ResultStatus.OPTIMAL, solver.solve());
                remaining -= fix(atLeast, level, fixed);
            }
            for (int c = 0; c < count; c++) {
                fixed[c] *= network.connections().get(c).terms().weight();
            }
            return fixed;
        } finally {
            solver.delete();
        }
    }

    /** What leaves a node also enters it, but for the source, where the total begins, and the target. */
    private static void conserve(MPSolver solver, Graph graph, MPVariable[] flow, MPVariable total, PlacedSubflow ends) {
        for (int node = 0; node < graph.nodeCount(); node++) {
            MPConstraint balance = solver.makeConstraint(0, 0);
            for (int i = 0; i < graph.degree(node); i++) {
                balance.setCoefficient(flow[graph.arcFrom(node, i)], 1);
                balance.setCoefficient(flow[Graph.reverse(graph.arcFrom(node, i))], -1);
            }
            balance.setCoefficient(total, node == ends.source() ? -1 : node == ends.target() ? 1 : 0);
        }
    }

    private static void limit(MPSolver solver, Graph graph, MPVariable[][] flow) {
        for (int arc = 0; arc < graph.arcCount(); arc++) {
            MPConstraint capacity = solver.makeConstraint(-MPSolver.infinity(), graph.capacity(arc) / MEGABIT);
            for (MPVariable[] one : flow) {
                capacity.setCoefficient(one[arc], 1);
            }
        }
    }

    /** Fixes the connections that cannot get more at their level; returns how many. */
    private static int fix(MPConstraint[] atLeast, MPVariable level, double[] fixed) {
        double reached = level.solutionValue();
        boolean[] priced = new boolean[fixed.length];
        // Reads all prices first: a change of the program discards them.
        for (int c = 0; c < fixed.length; c++) {
            priced[c] = fixed[c] == 0 && Math.abs(atLeast[c].dualValue()) > NO_PRICE;
        }
        int count = 0;
        for (int c = 0; c < fixed.length; c++) {
            if (priced[c]) {
                atLeast[c].setCoefficient(level, 0);
                atLeast[c].setLb(reached);
                fixed[c] = reached;
                count++;
            }
        }
        assertTrue(count > 0, () -> "no limit has a price at level " + reached + " Mbit/s");
        return count;
    }
}
