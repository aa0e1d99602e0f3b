// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import org.subflow.mptcp.placement.rate.PlacementQuality;
import org.subflow.mptcp.placement.rate.SplittableFlow;

/** The best rates of any routing, beside what the plan reaches. Immutable. */
final class PlannedBound {
    final PlacementQuality quality;
    /** The relative error of the bound, as {@link SplittableFlow#error} states it. */
    final double error;
    final long micros;

    PlannedBound(PlacementQuality quality, double error, long nanos) {
        this.quality = quality;
        this.error = error;
        this.micros = nanos / 1000;
    }

    /** Returns whether some connection is held by the network, and not only by what it sends. */
    boolean hasSmallest() {
        return quality.boundSmallest() < Double.POSITIVE_INFINITY;
    }
}
