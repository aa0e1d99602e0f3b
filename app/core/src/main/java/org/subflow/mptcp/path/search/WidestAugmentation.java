// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.search;

import java.util.Arrays;
import org.subflow.mptcp.path.Graph;

/**
 * Finds the widest augmenting path of a {@link DisjointFlow}; with an empty flow, the widest path.
 *
 * <p>Both ends label nodes over arcs of at least some width; the end with fewer labelled nodes goes first. When one end can
 * label no more, all arcs that leave its nodes are narrower. They form a cut, so no path is wider than the widest of them.
 * The width then falls to that. When the ends meet, the width is that of the widest path. Only arcs that are too narrow so
 * far enter a heap. O((n + links) · log n), far less where the ends meet early. Belongs to one {@link Workspace}.
 */
final class WidestAugmentation {
    private final Side fromSources = new Side();
    private final Side fromTargets = new Side();
    /** Node to the arc by which it was labelled, from its tail or its head according to the side. */
    private int[] via = {};
    private int[] side = {};
    private int epoch;

    /** The nodes that one end has labelled, and the arcs on its border that are too narrow so far. */
    private final class Side {
        private int mark;
        private int[] queue = {};
        private int next;
        private int end;
        private int[] waiting = new int[64];
        private double[] waitingWidth = new double[64];
        private int waitingCount;

        private void begin(int nodes, int newMark) {
            if (queue.length < nodes) {
                queue = new int[nodes];
            }
            mark = newMark;
            next = 0;
            end = 0;
            waitingCount = 0;
        }

        private void label(int node, int arc) {
            side[node] = mark;
            via[node] = arc;
            queue[end++] = node;
        }

        private boolean isIdle() {
            return next == end;
        }

        private void await(int arc, double width) {
            if (waitingCount == waiting.length) {
                waiting = Arrays.copyOf(waiting, 2 * waitingCount);
                waitingWidth = Arrays.copyOf(waitingWidth, 2 * waitingCount);
            }
            int i = waitingCount++;
            while (i > 0 && waitingWidth[(i - 1) >> 1] < width) {
                waiting[i] = waiting[(i - 1) >> 1];
                waitingWidth[i] = waitingWidth[(i - 1) >> 1];
                i = (i - 1) >> 1;
            }
            waiting[i] = arc;
            waitingWidth[i] = width;
        }

        private int pollWidest() {
            int widest = waiting[0];
            waitingCount--;
            int arc = waiting[waitingCount];
            double width = waitingWidth[waitingCount];
            int i = 0;
            while (2 * i + 1 < waitingCount) {
                int child = 2 * i + 1;
                if (child + 1 < waitingCount && waitingWidth[child + 1] > waitingWidth[child]) {
                    child++;
                }
                if (waitingWidth[child] <= width) {
                    break;
                }
                waiting[i] = waiting[child];
                waitingWidth[i] = waitingWidth[child];
                i = child;
            }
            waiting[i] = arc;
            waitingWidth[i] = width;
            return widest;
        }
    }

    /**
     * Finds the widest augmenting path and adds it to the flow.
     *
     * @param flow  the flow
     * @param limit width that is wide enough, in bit/s; no better one is looked for
     * @param floor width below which a path is of no use, in bit/s, above 0
     * @return the smaller of the path's width and {@code limit}, in bit/s; 0 if there is no path of at least {@code floor}
     */
    double augment(DisjointFlow flow, double limit, double floor) {
        begin(flow);
        double width = limit;
        while (true) {
            Side grow = fromSources.end <= fromTargets.end ? fromSources : fromTargets;
            int meeting;
            if (grow.isIdle()) {
                if (grow.waitingCount == 0) {
                    return 0;
                }
                width = Math.min(width, grow.waitingWidth[0]);
                meeting = cross(flow, grow, grow.pollWidest());
            } else {
                meeting = scan(flow, grow, grow.queue[grow.next++], width, floor);
            }
            if (meeting >= 0) {
                push(flow, meeting);
                flow.size++;
                return width;
            }
        }
    }

    /**
     * Finds the widest path.
     *
     * @param flow  overwritten
     * @param view  where
     * @param limit as in {@link #augment}
     * @param floor as in {@link #augment}
     * @return as in {@link #augment}
     */
    double widest(DisjointFlow flow, PrunedGraph view, double limit, double floor) {
        flow.clear(view, false);
        return augment(flow, limit, floor);
    }

    private void begin(DisjointFlow flow) {
        int nodes = flow.network.nodeCount();
        if (side.length < nodes) {
            side = new int[nodes];
            via = new int[nodes];
        }
        if (epoch > Integer.MAX_VALUE - 2) {
            Arrays.fill(side, 0);
            epoch = 0;
        }
        fromSources.begin(nodes, ++epoch);
        fromTargets.begin(nodes, ++epoch);
        for (int i = 0; i < flow.view.startCount; i++) {
            fromSources.label(flow.start(flow.view.starts[i]), -1);
        }
        for (int i = 0; i < flow.view.endCount; i++) {
            fromTargets.label(flow.end(flow.view.ends[i]), -1);
        }
    }

    /** Looks at a node's arcs; returns the arc on which the sides meet, or −1. */
    private int scan(DisjointFlow flow, Side grow, int node, double width, double floor) {
        Graph network = flow.network;
        int turn = grow == fromSources ? 0 : 1;
        for (int i = network.offset(node); i < network.offset(node + 1); i++) {
            if (side[network.neighbour(i)] == grow.mark) {
                continue;
            }
            int arc = network.out(i) ^ turn;
            double arcWidth = flow.width(arc);
            if (arcWidth >= width) {
                int meeting = cross(flow, grow, arc);
                if (meeting >= 0) {
                    return meeting;
                }
            } else if (arcWidth >= floor) {
                grow.await(arc, arcWidth);
            }
        }
        return -1;
    }

    /** Labels the node beyond an arc; returns the arc if the other side has labelled that node already, or −1. */
    private int cross(DisjointFlow flow, Side grow, int arc) {
        int node = flow.network.head(grow == fromSources ? arc : arc ^ 1);
        if (side[node] == grow.mark) {
            return -1;
        }
        if (side[node] == fromSources.mark || side[node] == fromTargets.mark) {
            return arc;
        }
        // From the targets this may be a closed node; no open arc enters it, so the search ends there.
        grow.label(node, arc);
        return -1;
    }

    private void push(DisjointFlow flow, int meeting) {
        Graph network = flow.network;
        flow.push(meeting);
        for (int node = network.head(meeting ^ 1); via[node] >= 0;) {
            int arc = via[node];
            node = network.head(arc ^ 1);
            flow.push(arc);
        }
        for (int node = network.head(meeting); via[node] >= 0;) {
            int arc = via[node];
            node = network.head(arc);
            flow.push(arc);
        }
    }
}
