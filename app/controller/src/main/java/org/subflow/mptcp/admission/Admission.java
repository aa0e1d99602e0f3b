// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.Terms;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.candidate.ConnectionPolicies;
import org.subflow.mptcp.candidate.Opening;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.subflows.SubflowPlanner;

/**
 * Admits connections under their policies, and gives each its attachment points, its paths and its rules. Used by the control
 * loop only.
 */
public final class Admission {
    private final ConnectionPolicies policies;
    private final Gate gate;
    private final SubflowPlacement placement;
    private final JoinAdmission joins;
    private final SubflowPlanner planner;
    private final Provisioner provisioner;
    private final LoopGuard guard;

    public Admission(ConnectionPolicies policies, Gate gate, SubflowPlacement placement, JoinAdmission joins,
                     SubflowPlanner planner, Provisioner provisioner, LoopGuard guard) {
        this.policies = checkNotNull(policies, "policies");
        this.gate = checkNotNull(gate, "gate");
        this.placement = checkNotNull(placement, "placement");
        this.joins = checkNotNull(joins, "joins");
        this.planner = checkNotNull(planner, "planner");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.guard = checkNotNull(guard, "guard");
    }

    /**
     * Admits a connection that has completed its handshake, unless its policy or its hosts rule that out.
     *
     * @param id          its name
     * @param opening     what its handshakes have told; not null
     * @param version     MPTCP version
     * @param clientToken token of the client's key, null if not seen
     * @param serverToken token of the server's key, null if not seen
     * @param nowMillis   milliseconds of the Unix epoch
     * @return whether it is managed; false if its hosts have no usable attachment points, its policy leaves it unmanaged,
     *         its fair share is below the policy's least rate, there are too many connections, or a flow table is full
     */
    public boolean opened(ConnectionId id, Opening opening, int version, Token clientToken, Token serverToken, long nowMillis) {
        guard.check();
        AdmissionResult result = decide(opening, (terms, first) -> Connection.opened(
                id, version, clientToken, serverToken, terms, nowMillis, first).withDeniedJoins(opening.deniesJoins));
        result.admitted().ifPresent(connection -> provisioner.apply(List.of(planner.begun(connection)), Type.OPENED));
        return result.admitted().isPresent();
    }

    /**
     * Admits a connection before its handshake, in the same way.
     *
     * @return why it is not admitted; empty if it is
     */
    Optional<Refusal> awaited(ConnectionId id, Opening opening, long nowMillis) {
        guard.check();
        AdmissionResult result = decide(opening, (terms, first) -> Connection.opened(id, 1, null, null, terms, nowMillis, first));
        result.admitted().ifPresent(connection -> provisioner.apply(List.of(connection), Type.AWAITED));
        return result.refusal();
    }

    private AdmissionResult decide(Opening opening, BiFunction<Terms, Subflow, Connection> maker) {
        FiveTuple tuple = opening.first;
        Optional<Subflow> first = placement.first(tuple);
        if (!first.isPresent()) {
            return gate.refusals().count(Refusal.WITHOUT_PORTS);
        }
        joins.supersede(tuple);
        Policy policy = policies.policyFor(tuple);
        if (!policy.isManaged()) {
            return gate.refusals().count(Refusal.POLICY);
        }
        return gate.enter(maker.apply(policies.terms(policy), first.get().withBackup(opening.isBackup(tuple))), policy.minimum(),
                          connection -> connection.withSubflows(List.of(placement.place(connection, connection.first()))),
                          routed -> joins.withJoins(routed, opening.joins));
    }

    /** Returns a five-tuple with its hosts, each the one that has the address if nobody has seen a frame; empty if that is unknown. */
    Optional<FiveTuple> withHosts(FiveTuple tuple) {
        return placement.withHosts(tuple);
    }

    /** Returns how often what was refused. Any thread may ask. */
    public Refusals refusals() {
        return gate.refusals();
    }
}
