// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.topology;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a file says of a topology besides its graph. Immutable, as long as nobody writes to the array. */
final class FileNotes {
    /** The labels of nodes by their numbers. */
    final Map<Integer, String> labels;
    /** Link to the key that the file gives it, or null. */
    final String[] keys;
    /** What the reader left out or assumed, for people. */
    final List<String> sentences;
    private final Map<String, Integer> hosts;

    FileNotes(Map<String, Integer> hosts, Map<Integer, String> labels, String[] keys, List<String> sentences) {
        this.hosts = Map.copyOf(hosts);
        this.labels = Map.copyOf(labels);
        this.keys = keys;
        this.sentences = List.copyOf(sentences);
    }

    /** Returns what is to be said of a graph without a file: nothing. */
    static FileNotes none(int links) {
        return new FileNotes(Map.of(), Map.of(), new String[links], List.of());
    }

    /** Returns further names of nodes: hosts that stand for their nodes, and labels that only one node has. */
    Map<String, Integer> aliases(Map<String, Integer> taken) {
        Map<String, Integer> found = new HashMap<>();
        Map<String, Long> counts = labels.values().stream().collect(Collectors.groupingBy(label -> label, Collectors.counting()));
        labels.forEach((node, label) -> {
            if (counts.get(label) == 1 && !taken.containsKey(label)) {
                found.put(label, node);
            }
        });
        found.putAll(hosts);
        return found;
    }

    /** Refuses a label that several nodes have; does nothing otherwise. */
    void refuseAmbiguous(String label, List<String> names) {
        List<String> alike = labels.keySet().stream().filter(node -> labels.get(node).equals(label)).sorted()
                .map(names::get).collect(Collectors.toList());
        if (!alike.isEmpty()) {
            throw new IllegalArgumentException("several nodes have the label '" + label + "'; name one of them: "
                    + String.join(", ", alike));
        }
    }
}
