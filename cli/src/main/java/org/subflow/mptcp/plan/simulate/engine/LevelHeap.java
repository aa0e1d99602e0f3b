// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate.engine;

import java.util.Arrays;

/**
 * Numbered things by their levels, the lowest first, then by number: a binary heap that knows where each stands. Things are arcs, or
 * connections by their next events.
 */
final class LevelHeap {
    /** Level of each thing; changed by {@link #change} while it is in the heap. */
    final double[] level;
    private final int[] heap;
    private final int[] place;
    private int size;

    LevelHeap(int things) {
        level = new double[things];
        heap = new int[things];
        place = new int[things];
        Arrays.fill(place, -1);
    }

    /** Takes in those with a count above 0, and no others. */
    void rebuild(int[] counts) {
        size = 0;
        Arrays.fill(place, -1);
        for (int one = 0; one < counts.length; one++) {
            if (counts[one] > 0) {
                put(one, size++);
            }
        }
        for (int i = size / 2 - 1; i >= 0; i--) {
            down(i);
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Returns the first one; there is one. */
    int first() {
        return heap[0];
    }

    /** Removes the first one. */
    int poll() {
        int first = heap[0];
        remove(first);
        return first;
    }

    /** Removes one; nothing happens if it is not there. */
    void remove(int one) {
        int at = place[one];
        if (at >= 0) {
            place[one] = -1;
            size--;
            if (at < size) {
                int last = heap[size];
                put(last, at);
                up(at);
                down(place[last]);
            }
        }
    }

    /** Sets a level, and takes in what is not there. */
    void change(int one, double newLevel) {
        level[one] = newLevel;
        if (place[one] < 0) {
            put(one, size++);
        }
        up(place[one]);
        down(place[one]);
    }

    private void put(int one, int at) {
        heap[at] = one;
        place[one] = at;
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
