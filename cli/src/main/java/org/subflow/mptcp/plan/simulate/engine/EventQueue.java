// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate.engine;

import java.util.Arrays;
import java.util.Collection;

/** Connections by their next event, then by the order of their arrival: a binary heap that knows where each stands. */
final class EventQueue {
    private Connection[] heap = new Connection[64];
    private int size;

    /** Returns when the first event is, in seconds; infinite if there is none. */
    double first() {
        return size == 0 ? Double.POSITIVE_INFINITY : heap[0].next;
    }

    Connection peek() {
        return heap[0];
    }

    /** Replaces everything. O(connections). */
    void rebuild(Collection<Connection> connections) {
        Arrays.fill(heap, 0, size, null);
        heap = connections.size() > heap.length ? new Connection[2 * connections.size()] : heap;
        size = 0;
        for (Connection connection : connections) {
            put(connection, size++);
        }
        for (int i = size / 2 - 1; i >= 0; i--) {
            down(i);
        }
    }

    /** Adds a connection, or moves it to where its next event belongs. */
    void update(Connection connection) {
        if (connection.place < 0) {
            heap = size == heap.length ? Arrays.copyOf(heap, 2 * size) : heap;
            put(connection, size++);
        }
        up(connection.place);
        down(connection.place);
    }

    void remove(Connection connection) {
        int place = connection.place;
        connection.place = -1;
        size--;
        if (place < size) {
            put(heap[size], place);
            up(place);
            down(heap[place].place);
        }
        heap[size] = null;
    }

    private void put(Connection connection, int place) {
        heap[place] = connection;
        connection.place = place;
    }

    private static boolean isBefore(Connection one, Connection other) {
        return one.next < other.next || one.next == other.next && one.arrival.number < other.arrival.number;
    }

    private void up(int from) {
        int place = from;
        Connection moved = heap[place];
        while (place > 0 && isBefore(moved, heap[(place - 1) / 2])) {
            put(heap[(place - 1) / 2], place);
            place = (place - 1) / 2;
        }
        put(moved, place);
    }

    private void down(int from) {
        int place = from;
        Connection moved = heap[place];
        while (2 * place + 1 < size) {
            int child = 2 * place + 1;
            child += child + 1 < size && isBefore(heap[child + 1], heap[child]) ? 1 : 0;
            if (!isBefore(heap[child], moved)) {
                break;
            }
            put(heap[child], place);
            place = child;
        }
        put(moved, place);
    }
}
