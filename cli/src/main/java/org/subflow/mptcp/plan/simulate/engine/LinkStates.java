// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate.engine;

import org.subflow.mptcp.path.Graph;

/** Which links are up: the graph of the moment, in which a link that is down has capacity 0 both ways. */
final class LinkStates {
    private final Graph whole;
    private final boolean[] isDown;
    private Graph now;
    private double[] capacity;

    LinkStates(Graph whole) {
        this.whole = whole;
        this.now = whole;
        this.isDown = new boolean[whole.linkCount()];
        this.capacity = whole.capacities();
    }

    Graph graph() {
        return now;
    }

    /** Returns the capacity of each arc, bit/s; not to be changed. */
    double[] capacity() {
        return capacity;
    }

    boolean isDown(int arc) {
        return isDown[Graph.linkOf(arc)];
    }

    /** Sets the state of a link; returns whether it was another one. */
    boolean set(int link, boolean up) {
        if (isDown[link] != up) {
            return false;
        }
        isDown[link] = !up;
        now = graphOfNow();
        capacity = now.capacities();
        return true;
    }

    private Graph graphOfNow() {
        Graph.Builder builder = Graph.builder(whole.nodeCount());
        for (int link = 0; link < whole.linkCount(); link++) {
            int arc = 2 * link;
            builder.link(whole.tail(arc), whole.head(arc), isDown[link] ? 0 : whole.capacity(arc),
                    isDown[link] ? 0 : whole.capacity(Graph.reverse(arc)));
            if (whole.hasDelays()) {
                builder.delay(link, whole.delay(arc), whole.delay(Graph.reverse(arc)));
            }
            if (whole.hasGroups()) {
                builder.groups(link, whole.groups(link));
            }
        }
        return builder.build();
    }
}
