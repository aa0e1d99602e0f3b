// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The connections of a network, oldest first, found by name, with the loads of the arcs. A change is O(log n), and as much as
 * {@link ArcLoads#changed} once the loads have been asked for.
 *
 * <p>List, index and loads are made when they are first asked for. Immutable but for that: each is immutable itself, so that two
 * threads at worst make the same one twice. Each is read once per call, as another thread may set it meanwhile.
 */
final class PlacedConnections {
    private final int arcs;
    /** List or index may be null, not both. */
    private List<PlacedConnection> list;
    private Index index;
    private ArcLoads loads;

    private PlacedConnections(int arcs, List<PlacedConnection> list, Index index, ArcLoads loads) {
        this.arcs = arcs;
        this.list = list;
        this.index = index;
        this.loads = loads;
    }

    /** The connections by numbers in their order, with room between for others, and their numbers by name. */
    private static final class Index {
        private static final long GAP = 1L << 32;
        private static final long END = 1L << 62;

        private final PersistentMap<Long, PlacedConnection> bySequence;
        private final PersistentMap<String, Long> sequences;

        private Index(PersistentMap<Long, PlacedConnection> bySequence, PersistentMap<String, Long> sequences) {
            this.bySequence = bySequence;
            this.sequences = sequences;
        }

        private static Index of(List<PlacedConnection> connections) {
            Long[] sequence = new Long[connections.size()];
            Arrays.setAll(sequence, i -> i * GAP);
            List<Long> inOrder = List.of(sequence);
            // The sort is stable: of several of one name, the first is found.
            Arrays.sort(sequence, Comparator.comparing(i -> connections.get((int) (i / GAP)).id()));
            List<String> names = new ArrayList<>(sequence.length);
            List<Long> ofName = new ArrayList<>(sequence.length);
            for (Long i : sequence) {
                String name = connections.get((int) (i / GAP)).id();
                if (names.isEmpty() || !names.get(names.size() - 1).equals(name)) {
                    names.add(name);
                    ofName.add(i);
                }
            }
            return new Index(PersistentMap.of(inOrder, connections), PersistentMap.of(names, ofName));
        }

        private Index with(PlacedConnection connection) {
            Long known = sequences.get(connection.id());
            if (known != null) {
                return new Index(bySequence.with(known, connection), sequences);
            }
            return with(bySequence.size() == 0 ? 0 : bySequence.last() + GAP, connection);
        }

        private Index without(String id) {
            Long known = sequences.get(id);
            return known == null ? this : new Index(bySequence.without(known), sequences.without(id));
        }

        private PlacedConnection get(String id) {
            Long known = sequences.get(id);
            return known == null ? null : bySequence.get(known);
        }

        /**
         * Returns this with some that stand next to each other replaced by others.
         *
         * @param from the number of the one before them
         * @param to   the number of the one after them
         * @return null if there are too few numbers between, or several have one name
         */
        private Index replaced(List<PlacedConnection> gone, List<PlacedConnection> come, long from, long to) {
            Set<String> staying = new HashSet<>();
            come.forEach(connection -> staying.add(connection.id()));
            Index then = this;
            for (PlacedConnection connection : gone) {
                then = staying.contains(connection.id()) ? then : then.without(connection.id());
            }
            long sequence = from;
            for (PlacedConnection connection : come) {
                Long known = then.sequences.get(connection.id());
                boolean isInPlace = known != null && known > sequence && known < to;
                sequence = isInPlace ? known : sequence + Math.min(GAP, (to - sequence) / 2);
                then = isInPlace ? then.with(connection) : then.without(connection.id()).with(sequence, connection);
            }
            int size = bySequence.size() - gone.size() + come.size();
            boolean isUnique = sequence < to && then.sequences.size() == size && then.bySequence.size() == size;
            return isUnique ? then : null;
        }

        private Index with(long sequence, PlacedConnection connection) {
            return new Index(bySequence.with(sequence, connection), sequences.with(connection.id(), sequence));
        }

        private long sequence(PlacedConnection connection) {
            return sequences.get(connection.id());
        }
    }

    static PlacedConnections of(int arcs, List<PlacedConnection> connections) {
        return new PlacedConnections(arcs, List.copyOf(connections), null, null);
    }

    List<PlacedConnection> list() {
        List<PlacedConnection> now = list;
        if (now == null) {
            now = List.copyOf(index.bySequence.values());
            list = now;
        }
        return now;
    }

    private Index index() {
        Index now = index;
        if (now == null) {
            now = Index.of(list);
            index = now;
        }
        return now;
    }

    private ArcLoads loads() {
        ArcLoads now = loads;
        if (now == null) {
            now = ArcLoads.of(arcs, list());
            loads = now;
        }
        return now;
    }

    /** Returns the loads without those of one connection, which need not be there. */
    ArcLoads loadsWithout(String id) {
        PlacedConnection out = get(id);
        return out == null ? loads() : loads().changed(List.of(out), List.of());
    }

    /** Returns the connection of a name, or null. */
    PlacedConnection get(String id) {
        return index().get(id);
    }

    /** Returns the place of a connection in {@link #list}; -1 if it is not there. */
    int indexOf(String id) {
        Index now = index();
        Long sequence = now.sequences.get(id);
        return sequence == null ? -1 : now.bySequence.rank(sequence);
    }

    /** Returns these with one in place of that of the same name, or at the end. */
    PlacedConnections with(PlacedConnection connection) {
        PlacedConnection before = get(connection.id());
        return changed(index().with(connection), before == null ? List.of() : List.of(before), List.of(connection));
    }

    /** Returns these without one; the same if it is not there. */
    PlacedConnections without(String id) {
        PlacedConnection before = get(id);
        return before == null ? this : changed(index().without(id), List.of(before), List.of());
    }

    private PlacedConnections changed(Index then, List<PlacedConnection> gone, List<PlacedConnection> come) {
        ArcLoads now = loads;
        return new PlacedConnections(arcs, null, then, now == null ? null : now.changed(gone, come));
    }

    /** Returns other connections. Index and loads are kept as far as both lists begin and end with the same ones, all if they are. */
    PlacedConnections replaced(List<PlacedConnection> others) {
        List<PlacedConnection> before = list();
        int most = Math.min(before.size(), others.size());
        int first = 0;
        while (first < most && before.get(first) == others.get(first)) {
            first++;
        }
        int last = 0;
        while (last < most - first && before.get(before.size() - 1 - last) == others.get(others.size() - 1 - last)) {
            last++;
        }
        List<PlacedConnection> gone = before.subList(first, before.size() - last);
        List<PlacedConnection> come = others.subList(first, others.size() - last);
        if (gone.isEmpty() && come.isEmpty()) {
            return this;
        }
        ArcLoads sums = loads;
        boolean isLarge = gone.size() + come.size() > others.size();
        return new PlacedConnections(arcs, List.copyOf(others), replaced(first, last, come),
                sums == null ? null : isLarge ? ArcLoads.of(arcs, others) : sums.changed(gone, come));
    }

    /** Returns the index of these with all but some of the first and last ones replaced; null if it has to be made anew. */
    private Index replaced(int first, int last, List<PlacedConnection> come) {
        Index now = index;
        if (now == null || now.sequences.size() < now.bySequence.size()) {
            return null;
        }
        List<PlacedConnection> before = list();
        int end = before.size() - last;
        long from = first == 0 ? -Index.GAP : now.sequence(before.get(first - 1));
        long to = last == 0 ? Index.END : now.sequence(before.get(end));
        return now.replaced(before.subList(first, end), come, from, to);
    }
}
