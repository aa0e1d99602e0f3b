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

    /** The connections by the sequence in which they came, and their sequences by name. */
    private static final class Index {
        private final PersistentMap<Long, PlacedConnection> bySequence;
        private final PersistentMap<String, Long> sequences;

        private Index(PersistentMap<Long, PlacedConnection> bySequence, PersistentMap<String, Long> sequences) {
            this.bySequence = bySequence;
            this.sequences = sequences;
        }

        private static Index of(List<PlacedConnection> connections) {
            Long[] sequence = new Long[connections.size()];
            Arrays.setAll(sequence, i -> (long) i);
            List<Long> inOrder = List.of(sequence);
            // The sort is stable: of several of one name, the first is found.
            Arrays.sort(sequence, Comparator.comparing(i -> connections.get(i.intValue()).id()));
            List<String> names = new ArrayList<>(sequence.length);
            List<Long> ofName = new ArrayList<>(sequence.length);
            for (Long i : sequence) {
                String name = connections.get(i.intValue()).id();
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
            Long next = bySequence.size() == 0 ? 0 : bySequence.last() + 1;
            return new Index(bySequence.with(next, connection), sequences.with(connection.id(), next));
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
         * @param areLast whether nothing follows them
         * @param size    how many there are then
         * @return null if that changes the order of those that stay, new ones do not come last, or several have one name
         */
        private Index replaced(List<PlacedConnection> gone, List<PlacedConnection> come, boolean areLast, int size) {
            if (sequences.size() < bySequence.size()) {
                return null;
            }
            Set<String> staying = new HashSet<>();
            come.forEach(connection -> staying.add(connection.id()));
            Index then = this;
            for (PlacedConnection connection : gone) {
                then = staying.contains(connection.id()) ? then : then.without(connection.id());
            }
            long sequence = -1;
            for (PlacedConnection connection : come) {
                then = then.with(connection);
                long at = then.sequences.get(connection.id());
                boolean isNew = sequences.get(connection.id()) == null;
                if (at <= sequence || isNew && !areLast) {
                    return null;
                }
                sequence = at;
            }
            return then.bySequence.size() == size ? then : null;
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
        Index now = index;
        ArcLoads sums = loads;
        boolean isLarge = gone.size() + come.size() > others.size();
        return new PlacedConnections(arcs, List.copyOf(others), now == null ? null : now.replaced(gone, come, last == 0, others.size()),
                sums == null ? null : isLarge ? ArcLoads.of(arcs, others) : sums.changed(gone, come));
    }
}
