// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class PersistentMapTest {
    private static final int CHANGES = 300;

    /** Each map stays as it was while others follow from it. */
    @Property(tries = 100)
    void answersAsATreeMap(@ForAll long seed) {
        Random random = new Random(seed);
        PersistentMap<Integer, String> map = PersistentMap.of(List.<Integer>of(), List.of());
        TreeMap<Integer, String> model = new TreeMap<>();
        PersistentMap<Integer, String> before = map;
        TreeMap<Integer, String> modelBefore = new TreeMap<>();
        for (int change = 0; change < CHANGES; change++) {
            int key = random.nextInt(100);
            if (random.nextInt(3) == 0) {
                map = map.without(key);
                model.remove(key);
            } else {
                map = map.with(key, "v" + change);
                model.put(key, "v" + change);
            }
            check(model, map, key);
            if (random.nextInt(30) == 0) {
                check(modelBefore, before, key);
                before = map;
                modelBefore = new TreeMap<>(model);
            }
        }
    }

    private static void check(SortedMap<Integer, String> model, PersistentMap<Integer, String> map, int key) {
        assertEquals(new ArrayList<>(model.values()), map.values());
        assertEquals(model.size(), map.size());
        assertEquals(model.get(key), map.get(key));
        assertEquals(model.headMap(key).size(), map.rank(key));
        assertEquals(model.isEmpty() ? null : model.lastKey(), map.last());
    }

    /** An unbalanced tree would be as high as it has nodes, and its recursion overflow the stack. */
    @Test
    void staysLowWhereKeysComeAndGoInOrder() {
        PersistentMap<Integer, Integer> map = PersistentMap.of(List.<Integer>of(), List.of());
        for (int key = 0; key < 200_000; key++) {
            map = map.with(key, key);
        }
        for (int key = 0; key < 199_000; key++) {
            map = map.without(key);
        }
        assertEquals(1000, map.size());
        assertEquals(199_500, map.get(199_500));
        assertNull(map.get(5));
    }

    @Test
    void staysTheSameWithoutAKeyThatIsNotThere() {
        PersistentMap<Integer, String> map = PersistentMap.of(List.of(1, 2, 3), List.of("a", "b", "c"));
        assertSame(map, map.without(9));
    }
}
