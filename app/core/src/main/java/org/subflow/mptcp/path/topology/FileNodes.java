// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The nodes that a file lists, in its order, with their labels. For one thread. */
final class FileNodes {
    private final Map<String, Integer> ids = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private final Map<Integer, String> labels = new HashMap<>();

    /** Adds a node; returns whether there was none of that name. */
    boolean add(String name, String label) {
        if (ids.putIfAbsent(name, names.size()) != null) {
            return false;
        }
        if (label != null && !label.isBlank() && !label.equals(name)) {
            labels.put(names.size(), label.trim());
        }
        return names.add(name);
    }

    /** Returns the nodes' names to their numbers. */
    Map<String, Integer> ids() {
        return ids;
    }

    /** Returns the names in order. */
    List<String> names() {
        return names;
    }

    /** Returns the labels by the nodes' numbers; a node without one, or whose label is its name, is missing. */
    Map<Integer, String> labels() {
        return labels;
    }

    /** Returns the one instance of a node's name, so that a million links hold no two million copies. */
    String shared(String node) {
        Integer id = ids.get(node);
        return id == null ? node : names.get(id);
    }
}
