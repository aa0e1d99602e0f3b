// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import static com.google.common.base.Preconditions.checkNotNull;

import org.subflow.mptcp.loop.LoopGuard;

/** Check which loop it is that runs. */
final class Guards {
    /** The control loop. */
    final LoopGuard decisions;
    /** The loop of attainable rates and of the network's bound. */
    final LoopGuard estimates;
    /** The loop of users' questions. */
    final LoopGuard questions;

    Guards(LoopGuard decisions, LoopGuard estimates, LoopGuard questions) {
        this.decisions = checkNotNull(decisions, "decisions");
        this.estimates = checkNotNull(estimates, "estimates");
        this.questions = checkNotNull(questions, "questions");
    }
}
