// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate.engine;

import java.util.Arrays;

/** Arcs by their levels, the lowest first, then by number: a binary heap that knows where each arc stands. */
final class ArcHeap {
    /** Level of each arc; changed by {@link #change} while the arc is in the heap. */
    final double[] level;
    private final int[] heap;
    private final int[] place;
    private int size;

    ArcHeap(int arcs) {
        level = new double[arcs];
        heap = new int[arcs];
        place = new int[arcs];
    }

    /** Takes in the arcs with a number above 0. */
    void rebuild(int[] numbers) {
        size = 0;
        Arrays.fill(place, -1);
        for (int arc = 0; arc < numbers.length; arc++) {
            if (numbers[arc] > 0) {
                put(arc, size++);
            }
        }
        for (int i = size / 2 - 1; i >= 0; i--) {
            down(i);
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    int poll() {
        int arc = heap[0];
        remove(arc);
        return arc;
    }

    /** Removes an arc; nothing happens if it is not there. */
    void remove(int arc) {
        int at = place[arc];
        if (at >= 0) {
            place[arc] = -1;
            size--;
            if (at < size) {
                int last = heap[size];
                put(last, at);
                up(at);
                down(place[last]);
            }
        }
    }

    /** Sets the level of an arc that is in the heap. */
    void change(int arc, double newLevel) {
        level[arc] = newLevel;
        up(place[arc]);
        down(place[arc]);
    }

    private void put(int arc, int at) {
        heap[at] = arc;
        place[arc] = at;
    }

    private boolean isBefore(int one, int other) {
        return level[one] < level[other] || level[one] == level[other] && one < other;
    }

    private void up(int from) {
        int at = from;
        int moved = heap[at];
        while (at > 0 && isBefore(moved, heap[(at - 1) / 2])) {
            put(heap[(at - 1) / 2], at);
            at = (at - 1) / 2;
        }
        put(moved, at);
    }

    private void down(int from) {
        int at = from;
        int moved = heap[at];
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            child += child + 1 < size && isBefore(heap[child + 1], heap[child]) ? 1 : 0;
            if (!isBefore(heap[child], moved)) {
                break;
            }
            put(heap[child], at);
            at = child;
        }
        put(moved, at);
    }
}
