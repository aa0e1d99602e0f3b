// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.search;

import java.util.Arrays;
import java.util.List;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathLimits;
import org.subflow.mptcp.path.PathRequest;

/**
 * The graph of a request with links and nodes closed. All searches of a strategy run on it.
 *
 * <p>Marks are epoch numbers, so that starting over costs nothing. Sources are closed, too: a path through a source could
 * start there instead. Searches stop at the first target, so a target is never in between. Belongs to one {@link Workspace}.
 */
public final class PrunedGraph {
    Graph graph;
    double[] residual;
    /** The sources that are not closed by a used path. */
    int[] starts = new int[4];
    int startCount;
    /** The targets that are not closed by a used path. */
    int[] ends = new int[4];
    int endCount;

    /** An arc is closed if its link is, or the node that it leads to. Stored as well, so that searches read one mark. */
    private int[] closedArc = {};
    private int[] closedLink = {};
    private int[] closedNode = {};
    /** An arc that no path within the limit to delays can take. */
    private int[] tooFar = {};
    private int[] terminal = {};
    private int[] target = {};
    private int epoch;

    /** Starts a request: closes only the links and nodes that its used paths exclude under a kind of disjointness. */
    public void open(PathRequest request, Disjointness kind) {
        graph = request.graph();
        residual = request.residuals();
        fit(graph.nodeCount(), graph.linkCount());
        if (++epoch == 0) {
            forgetMarks();
        }
        mark(terminal, request.sources());
        mark(terminal, request.targets());
        if (kind != Disjointness.NONE) {
            closeUsed(request.used(), kind);
        }
        collectStarts(request.sources());
        collectEnds(request.targets());
        if (request.limits().maxDelayMillis() < Double.POSITIVE_INFINITY && graph.hasDelays()) {
            closeTooFar(request.limits());
        }
    }

    private void closeTooFar(PathLimits limits) {
        Delays delays = Delays.of(this);
        for (int arc = 0; arc < graph.arcCount(); arc++) {
            if (!limits.admitsDelay(delays.through(arc))) {
                tooFar[arc] = epoch;
                closedArc[arc] = epoch;
            }
        }
    }

    private void fit(int nodes, int links) {
        if (closedNode.length < nodes) {
            closedNode = new int[nodes];
            terminal = new int[nodes];
            target = new int[nodes];
            closedLink = new int[Math.max(links, closedLink.length)];
            closedArc = new int[2 * closedLink.length];
            tooFar = new int[2 * closedLink.length];
            epoch = 0;
        }
        if (closedLink.length < links) {
            closedLink = new int[links];
            closedArc = new int[2 * links];
            tooFar = new int[2 * links];
        }
    }

    private void forgetMarks() {
        Arrays.fill(closedArc, 0);
        Arrays.fill(tooFar, 0);
        Arrays.fill(closedLink, 0);
        Arrays.fill(closedNode, 0);
        Arrays.fill(terminal, 0);
        Arrays.fill(target, 0);
        epoch = 1;
    }

    private void mark(int[] marks, int[] nodes) {
        for (int node : nodes) {
            marks[node] = epoch;
        }
    }

    /**
     * Closes the siblings' links and nodes. A terminal of this request stays open unless it lies in between on a sibling's
     * path.
     */
    private void closeUsed(List<Path> used, Disjointness kind) {
        for (int i = 0; i < used.size(); i++) {
            Path path = used.get(i);
            close(path, kind);
            if (kind == Disjointness.NODE || kind == Disjointness.ZONE) {
                for (int j = 1; j < path.hops(); j++) {
                    closeNode(path.node(j));
                }
            }
        }
    }

    private void collectStarts(int[] sources) {
        startCount = 0;
        if (starts.length < sources.length) {
            starts = new int[sources.length];
        }
        for (int source : sources) {
            // Also drops a source that is named twice.
            if (closedNode[source] != epoch) {
                starts[startCount++] = source;
                closeNode(source);
            }
        }
    }

    private void collectEnds(int[] targets) {
        endCount = 0;
        if (ends.length < targets.length) {
            ends = new int[targets.length];
        }
        for (int node : targets) {
            if (closedNode[node] != epoch && target[node] != epoch) {
                ends[endCount++] = node;
                target[node] = epoch;
            }
        }
    }

    /** Closes the links and nodes of a path that a disjoint path must avoid. */
    public void close(Path path, Disjointness kind) {
        for (int i = 0; i < path.hops(); i++) {
            closeLink(path.arc(i) >> 1);
        }
        if (kind == Disjointness.SRLG && graph.hasGroups()) {
            closeGroups(path);
        }
        if (kind == Disjointness.NODE || kind == Disjointness.ZONE) {
            for (int i = 0; i <= path.hops(); i++) {
                closeUnlessTerminal(path.node(i));
            }
        }
        if (kind == Disjointness.ZONE) {
            for (int i = 1; i < path.hops(); i++) {
                closeNeighbours(path.node(i));
            }
        }
    }

    /** Undoes {@link #close} for link- and node-disjointness, unless another path has closed the same elements since. */
    void reopen(Path path) {
        for (int i = 1; i < path.hops(); i++) {
            if (closedNode[path.node(i)] == epoch) {
                reopenNode(path.node(i));
            }
        }
        for (int i = 0; i < path.hops(); i++) {
            int arc = path.arc(i);
            closedLink[arc >> 1] = 0;
            reopenArc(arc);
            reopenArc(arc ^ 1);
        }
    }

    private void reopenNode(int node) {
        closedNode[node] = 0;
        for (int i = graph.offset(node); i < graph.offset(node + 1); i++) {
            reopenArc(graph.out(i) ^ 1);
        }
    }

    private void reopenArc(int arc) {
        if (tooFar[arc] != epoch && closedLink[arc >> 1] != epoch && closedNode[graph.head(arc)] != epoch) {
            closedArc[arc] = 0;
        }
    }

    private void closeGroups(Path path) {
        for (int i = 0; i < path.hops(); i++) {
            for (int group : graph.groups(path.arc(i) >> 1)) {
                for (int link : graph.members(group)) {
                    closeLink(link);
                }
            }
        }
    }

    private void closeLink(int link) {
        closedLink[link] = epoch;
        closedArc[2 * link] = epoch;
        closedArc[2 * link + 1] = epoch;
    }

    private void closeNode(int node) {
        closedNode[node] = epoch;
        for (int i = graph.offset(node); i < graph.offset(node + 1); i++) {
            closedArc[graph.out(i) ^ 1] = epoch;
        }
    }

    private void closeUnlessTerminal(int node) {
        if (terminal[node] != epoch && closedNode[node] != epoch) {
            closeNode(node);
        }
    }

    private void closeNeighbours(int node) {
        for (int i = graph.offset(node); i < graph.offset(node + 1); i++) {
            closeUnlessTerminal(graph.head(graph.out(i)));
        }
    }

    /** Returns the graph. */
    public Graph graph() {
        return graph;
    }

    /** Returns how many sources no used path closes. */
    public int startCount() {
        return startCount;
    }

    /** Returns one of these sources, from 0. */
    public int start(int index) {
        return starts[index];
    }

    /** Returns how many targets no used path closes. */
    public int endCount() {
        return endCount;
    }

    /** Returns one of these targets, from 0. */
    public int end(int index) {
        return ends[index];
    }

    /** Returns a path of the first arcs in a buffer, which a search on this view has found. */
    public Path path(int[] buffer, int length) {
        return Path.trusted(graph, residual, buffer, length);
    }

    /** Returns whether a path may end at a node. */
    public boolean isEnd(int node) {
        return target[node] == epoch;
    }

    /** Returns whether no path may take a node. */
    public boolean isClosedNode(int node) {
        return closedNode[node] == epoch;
    }

    boolean isClosedLink(int link) {
        return closedLink[link] == epoch;
    }

    /** Returns some amounts of all arcs, with 0 for those that no path within the limit to delays can take. */
    public double[] openPart(double[] ofArcs) {
        double[] part = ofArcs.clone();
        for (int arc = 0; arc < graph.arcCount(); arc++) {
            part[arc] = tooFar[arc] == epoch ? 0 : part[arc];
        }
        return part;
    }

    /** Says whether a search may go along an arc that has at least some residual bandwidth. */
    public boolean admits(int arc, double bandwidth) {
        return residual[arc] >= bandwidth && closedArc[arc] != epoch;
    }

    /** Returns the residual bandwidth of an arc in bit/s; 0 if a search may not go along it. */
    public double width(int arc) {
        return closedArc[arc] == epoch ? 0 : residual[arc];
    }
}
