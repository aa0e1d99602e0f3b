// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

import static com.google.common.base.Preconditions.checkNotNull;

import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Terms;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.api.policy.PolicyService;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.placement.JoinPolicy;

/** The policies and settings that new connections and subflows meet. Thread-safe. */
public final class ConnectionPolicies {
    private final SettingsService settings;
    private final PolicyService policies;

    public ConnectionPolicies(SettingsService settings, PolicyService policies) {
        this.settings = checkNotNull(settings, "settings");
        this.policies = checkNotNull(policies, "policies");
    }

    /** Returns the policy of a new connection. */
    public Policy policyFor(FiveTuple tuple) {
        return policies.policyFor(tuple);
    }

    /** Returns the terms of a connection that begins now under a policy. */
    public Terms terms(Policy policy) {
        return policy.terms(settings.settings());
    }

    /** Returns what a connection has to do now before it gets paths under a policy. */
    public Threshold threshold(Policy policy) {
        return Threshold.of(policy, settings.settings());
    }

    /** Returns whether the settings or a policy may block an MP_JOIN, so that SYNs have to wait in the controller. */
    public boolean mayBlockJoins() {
        return settings.get(Settings.JOIN_POLICY) == JoinPolicy.BLOCK || policies.mayBlockJoins();
    }
}
