// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.policy;

import java.util.List;
import java.util.function.Supplier;
import org.subflow.mptcp.api.FiveTuple;

/** The policies that a test wants to be in force. */
public final class KnownPolicies implements PolicyService {
    private final Supplier<Policies> inForce;

    /** Makes a service with these policies; they may change. */
    public KnownPolicies(Supplier<Policies> inForce) {
        this.inForce = inForce;
    }

    @Override
    public Policy policyFor(FiveTuple tuple) {
        return inForce.get().policyFor(tuple);
    }

    @Override
    public List<Policy> policies() {
        return inForce.get().list();
    }

    @Override
    public boolean mayBlockJoins() {
        return inForce.get().mayBlockJoins();
    }
}
