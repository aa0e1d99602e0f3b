// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import java.util.ArrayList;
import java.util.List;

/**
 * A sorted map that does not change: a change returns another map, which has all but O(log n) nodes in common with the first.
 * Immutable, so that threads may share it. Each call is O(log n) unless it says otherwise.
 *
 * <p>A search tree, balanced by the numbers of nodes: S. Adams, "Efficient sets: a balancing act", 1993. With the factors of
 * Y. Hirai, K. Yamamoto, "Balancing weight-balanced trees", 2011, it stays balanced after removals, too.
 *
 * @param <K> the keys, in their natural order
 * @param <V> the values, not null
 */
final class PersistentMap<K extends Comparable<K>, V> {
    private static final int MOST_RATIO = 3;
    private static final int SINGLE_ROTATION = 2;

    private final Node<K, V> root;

    private PersistentMap(Node<K, V> root) {
        this.root = root;
    }

    private static final class Node<K, V> {
        private final K key;
        private final V value;
        private final Node<K, V> left;
        private final Node<K, V> right;
        private final int size;

        private Node(K key, V value, Node<K, V> left, Node<K, V> right) {
            this.key = key;
            this.value = value;
            this.left = left;
            this.right = right;
            this.size = sizeOf(left) + sizeOf(right) + 1;
        }
    }

    /** Returns the map of sorted keys, no two equal, to values in the same order. O(n). */
    static <K extends Comparable<K>, V> PersistentMap<K, V> of(List<K> keys, List<V> values) {
        return new PersistentMap<>(built(keys, values, 0, keys.size()));
    }

    private static <K, V> Node<K, V> built(List<K> keys, List<V> values, int from, int to) {
        if (from == to) {
            return null;
        }
        int middle = (from + to) >>> 1;
        return new Node<>(keys.get(middle), values.get(middle), built(keys, values, from, middle),
                          built(keys, values, middle + 1, to));
    }

    int size() {
        return sizeOf(root);
    }

    private static int sizeOf(Node<?, ?> node) {
        return node == null ? 0 : node.size;
    }

    /** Returns the value of a key, or null. */
    V get(K key) {
        Node<K, V> node = root;
        while (node != null) {
            int order = key.compareTo(node.key);
            if (order == 0) {
                return node.value;
            }
            node = order < 0 ? node.left : node.right;
        }
        return null;
    }

    /** Returns how many keys are smaller than a key. */
    int rank(K key) {
        int smaller = 0;
        Node<K, V> node = root;
        while (node != null) {
            if (key.compareTo(node.key) <= 0) {
                node = node.left;
            } else {
                smaller += sizeOf(node.left) + 1;
                node = node.right;
            }
        }
        return smaller;
    }

    /** Returns the largest key, or null if there is none. */
    K last() {
        return root == null ? null : lastOf(root).key;
    }

    private static <K, V> Node<K, V> lastOf(Node<K, V> node) {
        return node.right == null ? node : lastOf(node.right);
    }

    /** Returns the values in the order of their keys. O(n). */
    List<V> values() {
        List<V> values = new ArrayList<>(size());
        collect(root, values);
        return values;
    }

    private static <V> void collect(Node<?, V> node, List<V> to) {
        if (node != null) {
            collect(node.left, to);
            to.add(node.value);
            collect(node.right, to);
        }
    }

    PersistentMap<K, V> with(K key, V value) {
        return new PersistentMap<>(with(root, key, value));
    }

    private static <K extends Comparable<K>, V> Node<K, V> with(Node<K, V> node, K key, V value) {
        if (node == null) {
            return new Node<>(key, value, null, null);
        }
        int order = key.compareTo(node.key);
        if (order == 0) {
            return new Node<>(node.key, value, node.left, node.right);
        }
        return order < 0 ? balanced(node, with(node.left, key, value), node.right)
                : balanced(node, node.left, with(node.right, key, value));
    }

    /** Returns the map without a key; the same if it is not there. */
    PersistentMap<K, V> without(K key) {
        return get(key) == null ? this : new PersistentMap<>(without(root, key));
    }

    private static <K extends Comparable<K>, V> Node<K, V> without(Node<K, V> node, K key) {
        int order = key.compareTo(node.key);
        if (order == 0) {
            return joined(node.left, node.right);
        }
        return order < 0 ? balanced(node, without(node.left, key), node.right)
                : balanced(node, node.left, without(node.right, key));
    }

    private static <K extends Comparable<K>, V> Node<K, V> joined(Node<K, V> left, Node<K, V> right) {
        if (left == null || right == null) {
            return left == null ? right : left;
        }
        Node<K, V> middle = lastOf(left);
        return balanced(middle, without(left, middle.key), right);
    }

    /** Returns a tree of a node's entry and two subtrees, of which one may have become a little too large. */
    private static <K, V> Node<K, V> balanced(Node<K, V> entry, Node<K, V> left, Node<K, V> right) {
        if (isTooLarge(right, left)) {
            Node<K, V> inner = right.left;
            if (isSingle(inner, right.right)) {
                return new Node<>(right.key, right.value, new Node<>(entry.key, entry.value, left, inner), right.right);
            }
            return new Node<>(inner.key, inner.value, new Node<>(entry.key, entry.value, left, inner.left),
                              new Node<>(right.key, right.value, inner.right, right.right));
        }
        if (isTooLarge(left, right)) {
            Node<K, V> inner = left.right;
            if (isSingle(inner, left.left)) {
                return new Node<>(left.key, left.value, left.left, new Node<>(entry.key, entry.value, inner, right));
            }
            return new Node<>(inner.key, inner.value, new Node<>(left.key, left.value, left.left, inner.left),
                              new Node<>(entry.key, entry.value, inner.right, right));
        }
        return new Node<>(entry.key, entry.value, left, right);
    }

    private static boolean isTooLarge(Node<?, ?> one, Node<?, ?> other) {
        return sizeOf(one) + 1 > MOST_RATIO * (sizeOf(other) + 1);
    }

    private static boolean isSingle(Node<?, ?> inner, Node<?, ?> outer) {
        return sizeOf(inner) + 1 < SINGLE_ROTATION * (sizeOf(outer) + 1);
    }
}
