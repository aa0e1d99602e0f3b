// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import com.google.common.util.concurrent.AtomicLongMap;

/** Counts refusals by their reasons. Thread-safe. */
public final class Refusals {
    private final AtomicLongMap<Refusal> counts = AtomicLongMap.create();

    /** Counts a refusal, and returns it as a decision. */
    AdmissionResult count(Refusal refusal) {
        counts.incrementAndGet(refusal);
        return AdmissionResult.of(refusal);
    }

    /** Returns how often something was refused for a reason. */
    public long of(Refusal refusal) {
        return counts.get(refusal);
    }
}
