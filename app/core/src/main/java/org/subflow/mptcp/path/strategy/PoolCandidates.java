// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jgrapht.GraphPath;
import org.jgrapht.alg.shortestpath.YenKShortestPath;
import org.jgrapht.graph.DirectedMultigraph;
import org.subflow.mptcp.path.Competitor;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.search.Workspace;

/**
 * The second stage of {@link ResourcePool}: candidates by Eq. 3 of S-MPTCP,
 * <pre>oset_r = Σ{i: P_i ∩ P_r ≠ ∅} et_i − numc_r / numc · Σ et_i</pre>
 * Here {@code et_i} is the expected throughput of connection i, and {@code numc} the number of connections. {@code numc_r}
 * counts the connections that have an arc in common with path r. So {@code oset_r} is the excess of their throughput over the
 * mean.
 *
 * <p>Not on the hot path, so JGraphT finds the k shortest simple paths (Yen's algorithm) on the links' full capacities.
 */
final class PoolCandidates {
    private static final int CANDIDATES_PER_PATH = 4;
    private static final int MOST_CANDIDATES = 32;

    private final PathRequest request;
    private final int most;
    private final double mean;
    private final List<Set<Integer>> arcsOfCompetitors = new ArrayList<>();

    PoolCandidates(PathRequest request, int most) {
        this.request = request;
        this.most = most;
        double sum = 0;
        for (Competitor competitor : request.competitors()) {
            sum += competitor.expectedThroughput();
            Set<Integer> arcs = new HashSet<>();
            competitor.paths().forEach(path -> addArcs(path, arcs));
            arcsOfCompetitors.add(arcs);
        }
        mean = sum / request.competitors().size();
    }

    /** Adds candidates until all paths together carry the mean throughput, the answer is full, or no candidate is left. */
    void addTo(List<Path> paths, Workspace workspace) {
        double[] union = new double[request.graph().arcCount()];
        paths.forEach(path -> open(path, union));
        List<Path> candidates = null;
        while (paths.size() < most && workspace.maximumFlow(union) < mean) {
            if (candidates == null) {
                candidates = shortestPaths();
                candidates.removeAll(paths);
                candidates.removeIf(path -> !request.limits().admits(path, request.used()));
            }
            if (candidates.isEmpty()) {
                return;
            }
            Path best = largestOset(candidates);
            candidates.remove(best);
            paths.add(best);
            open(best, union);
        }
    }

    private void open(Path path, double[] union) {
        for (int i = 0; i < path.hops(); i++) {
            union[path.arc(i)] = request.graph().capacity(path.arc(i));
        }
    }

    private Path largestOset(List<Path> candidates) {
        Path best = null;
        double largest = Double.NEGATIVE_INFINITY;
        for (Path candidate : candidates) {
            double oset = oset(candidate);
            if (oset > largest) {
                largest = oset;
                best = candidate;
            }
        }
        return best;
    }

    /** Returns Eq. 3 for a path, in bit/s. */
    double oset(Path path) {
        double sum = 0;
        for (int i = 0; i < arcsOfCompetitors.size(); i++) {
            Set<Integer> arcs = arcsOfCompetitors.get(i);
            boolean meets = false;
            for (int j = 0; j < path.hops() && !meets; j++) {
                meets = arcs.contains(path.arc(j));
            }
            sum += meets ? request.competitors().get(i).expectedThroughput() - mean : 0;
        }
        return sum;
    }

    private static void addArcs(Path path, Set<Integer> arcs) {
        for (int i = 0; i < path.hops(); i++) {
            arcs.add(path.arc(i));
        }
    }

    /** Lists shortest simple paths on the full capacities, the shortest first; −1 and −2 are the super source and sink. */
    private List<Path> shortestPaths() {
        Graph graph = request.graph();
        DirectedMultigraph<Integer, Integer> mirror = new DirectedMultigraph<>(null, null, false);
        for (int node = -2; node < graph.nodeCount(); node++) {
            mirror.addVertex(node);
        }
        Set<Integer> sources = distinct(request.sources());
        for (int arc = 0; arc < graph.arcCount(); arc++) {
            boolean passesTerminal = sources.contains(graph.head(arc)) || request.isTarget(graph.tail(arc));
            if (graph.capacity(arc) > 0 && !passesTerminal) {
                mirror.addEdge(graph.tail(arc), graph.head(arc), arc);
            }
        }
        int edge = graph.arcCount();
        for (int source : sources) {
            mirror.addEdge(-1, source, edge++);
        }
        for (int target : distinct(request.targets())) {
            mirror.addEdge(target, -2, edge++);
        }
        int count = Math.min(MOST_CANDIDATES, CANDIDATES_PER_PATH * most);
        List<Path> paths = new ArrayList<>();
        for (GraphPath<Integer, Integer> found : new YenKShortestPath<>(mirror).getPaths(-1, -2, count)) {
            List<Integer> arcs = found.getEdgeList();
            paths.add(path(arcs.subList(1, arcs.size() - 1)));
        }
        return paths;
    }

    private Path path(List<Integer> arcs) {
        int[] array = arcs.stream().mapToInt(Integer::intValue).toArray();
        return Path.trusted(request.graph(), request.residuals(), array, array.length);
    }

    private static Set<Integer> distinct(int[] nodes) {
        return Arrays.stream(nodes).boxed().collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
