// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.search;

import java.util.Arrays;

/**
 * A binary heap of nodes: the widest first, then the one with the fewest hops, then the smallest id. A node is in it at most
 * once and moves when its values improve. Belongs to one {@link Workspace}.
 */
public final class NodeHeap {
    private int[] heap = {};
    /** Node to its place in the heap plus one; 0 if it is not there. */
    private int[] place = {};
    private double[] width = {};
    private int[] hops = {};
    private int size;

    /** Empties the heap and makes room for nodes {@code 0..nodes-1}. */
    public void clear(int nodes) {
        if (place.length < nodes) {
            heap = new int[nodes];
            place = new int[nodes];
            width = new double[nodes];
            hops = new int[nodes];
        }
        // Entries of a search that ended early.
        for (int i = 0; i < size; i++) {
            place[heap[i]] = 0;
        }
        size = 0;
    }

    /** Returns whether no node is in it. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** Puts a node in, or moves it to where its new values belong; they must not be worse than the old ones. */
    public void improve(int node, double newWidth, int newHops) {
        width[node] = newWidth;
        hops[node] = newHops;
        if (place[node] == 0) {
            heap[size++] = node;
            place[node] = size;
        }
        siftUp(place[node] - 1);
    }

    /** Takes the best node out. */
    public int poll() {
        int best = heap[0];
        place[best] = 0;
        size--;
        if (size > 0) {
            heap[0] = heap[size];
            place[heap[0]] = 1;
            siftDown(0);
        }
        return best;
    }

    private boolean before(int a, int b) {
        if (width[a] != width[b]) {
            return width[a] > width[b];
        }
        return hops[a] != hops[b] ? hops[a] < hops[b] : a < b;
    }

    private void siftUp(int from) {
        int node = heap[from];
        int i = from;
        while (i > 0 && before(node, heap[(i - 1) >> 1])) {
            put(heap[(i - 1) >> 1], i);
            i = (i - 1) >> 1;
        }
        put(node, i);
    }

    private void siftDown(int from) {
        int node = heap[from];
        int i = from;
        while (2 * i + 1 < size) {
            int child = 2 * i + 1;
            if (child + 1 < size && before(heap[child + 1], heap[child])) {
                child++;
            }
            if (!before(heap[child], node)) {
                break;
            }
            put(heap[child], i);
            i = child;
        }
        put(node, i);
    }

    private void put(int node, int i) {
        heap[i] = node;
        place[node] = i + 1;
    }

    @Override
    public String toString() {
        return Arrays.toString(Arrays.copyOf(heap, size));
    }
}
