// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The allocators by the names that users type. */
public final class Allocators {
    private static final Map<String, Allocator> BY_NAME = new LinkedHashMap<>();

    static {
        for (Allocator allocator : List.of(new MaxMinAllocator(), new ProportionalAllocator(), new SmptcpAllocator())) {
            BY_NAME.put(allocator.name(), allocator);
        }
    }

    private Allocators() {
    }

    /** Returns the allocator that is used unless another is asked for: {@code max-min}. */
    public static Allocator standard() {
        return BY_NAME.get(MaxMinAllocator.NAME);
    }

    /** Returns the names, the standard one first; unmodifiable. */
    public static List<String> names() {
        return List.copyOf(BY_NAME.keySet());
    }

    /**
     * Finds an allocator.
     *
     * @param name its name, not null
     * @return the allocator
     * @throws IllegalArgumentException if there is none of that name; the message lists those there are
     */
    public static Allocator byName(String name) {
        Allocator allocator = BY_NAME.get(name);
        if (allocator == null) {
            throw new IllegalArgumentException("no allocator '" + name + "'; there are " + String.join(", ", names()));
        }
        return allocator;
    }
}
