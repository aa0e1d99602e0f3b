// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.subflow.mptcp.path.PathOption;
import org.subflow.mptcp.path.PathStrategy;

/** The strategies by the names that users type. */
public final class PathStrategies {
    private static final Map<String, PathStrategy> BY_NAME = new LinkedHashMap<>();

    static {
        register(new WidestDisjoint());
        register(new KMaxMin());
        register(new KMax());
        register(new ShortestPath());
        register(new LinkDisjoint());
        register(new NodeDisjoint());
        register(new ZoneDisjoint());
        register(new Multiflow());
        register(WidestDisjoint.networkWide());
        register(new ResourcePool());
        register(new Ecmp());
    }

    private PathStrategies() {
    }

    private static void register(PathStrategy strategy) {
        BY_NAME.put(strategy.name(), strategy);
    }

    /**
     * Finds a strategy.
     *
     * @param name its name
     * @return the strategy; the same one each time
     * @throws IllegalArgumentException if there is none of that name; the message lists them
     */
    public static PathStrategy named(String name) {
        PathStrategy strategy = BY_NAME.get(name);
        if (strategy == null) {
            throw new IllegalArgumentException("no path strategy '" + name + "'; there are " + join(names()));
        }
        return strategy;
    }

    /** Returns all names, the default strategy's first. */
    public static List<String> names() {
        return List.copyOf(BY_NAME.keySet());
    }

    /** Returns the names of the strategies that understand an option. */
    static List<String> namesWith(PathOption option) {
        List<String> names = new ArrayList<>();
        for (PathStrategy strategy : BY_NAME.values()) {
            if (strategy.options().contains(option)) {
                names.add(strategy.name());
            }
        }
        return names;
    }

    /** Joins words as in a sentence. */
    static String join(Collection<?> words) {
        StringBuilder text = new StringBuilder();
        int remaining = words.size();
        for (Object word : words) {
            text.append(word);
            remaining--;
            text.append(remaining > 1 ? ", " : remaining == 1 ? " and " : "");
        }
        return text.toString();
    }
}
