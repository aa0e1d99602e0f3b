// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.placement.JoinPolicy;

/** From when on a connection is managed. */
class ThresholdTest {
    @Test
    void whatMustDecideBeforeAConnectionBeginsManagesAtOnce() {
        Settings settings = Settings.DEFAULTS;
        assertFalse(Threshold.of(Policy.STANDARD, settings).isNone());
        assertTrue(Threshold.of(Policy.named("a").refuseBelow(1e6).build(), settings).isNone());
        assertTrue(Threshold.of(Policy.named("a").with(Settings.JOIN_POLICY, JoinPolicy.BLOCK).build(), settings).isNone());
        assertTrue(Threshold.of(Policy.STANDARD, Settings.DEFAULTS.with(Settings.JOIN_POLICY, JoinPolicy.BLOCK)).isNone());
        assertTrue(Threshold.of(Policy.named("a").with(Settings.MANAGE_AFTER_MILLIS, 0).build(), settings).isNone());
        assertFalse(Threshold.of(Policy.named("a").with(Settings.MANAGE_AFTER_BYTES, 7).build(), settings).isNone());
    }
}
