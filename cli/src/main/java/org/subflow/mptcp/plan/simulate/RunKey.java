// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate;

import java.util.ArrayList;
import java.util.List;

/** What tells one run from the others. Immutable. */
final class RunKey {
    final String strategy;
    final String allocator;
    final String model;
    final long seed;

    RunKey(String strategy, String allocator, String model, long seed) {
        this.strategy = strategy;
        this.allocator = allocator;
        this.model = model;
        this.seed = seed;
    }

    /** Lists the runs of some options: all that are compared with one seed, then the next seed. */
    static List<RunKey> of(SimulateOptions options) {
        List<RunKey> keys = new ArrayList<>();
        for (int run = 0; run < options.runs; run++) {
            for (String model : options.models) {
                for (String allocator : options.allocators) {
                    for (String strategy : options.strategies) {
                        keys.add(new RunKey(strategy, allocator, model, options.seed + run));
                    }
                }
            }
        }
        return keys;
    }

    /** Returns what it has in common with the runs of other seeds. */
    String group() {
        return strategy + "," + allocator + "," + model;
    }

    /** Returns a name for files and messages. */
    @Override
    public String toString() {
        return strategy + "-" + allocator + "-" + model + "-" + seed;
    }
}
