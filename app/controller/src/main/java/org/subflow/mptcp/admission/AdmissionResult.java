// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import java.util.Optional;
import org.subflow.mptcp.api.Connection;

/** What is decided of a connection: it is admitted with its paths, or refused. Immutable. */
public final class AdmissionResult {
    private final Connection admitted;
    private final Refusal refusal;

    private AdmissionResult(Connection admitted, Refusal refusal) {
        this.admitted = admitted;
        this.refusal = refusal;
    }

    /** Returns the decision to admit a connection. */
    static AdmissionResult of(Connection admitted) {
        return new AdmissionResult(admitted, null);
    }

    /** Returns the decision to refuse one. */
    static AdmissionResult of(Refusal refusal) {
        return new AdmissionResult(null, refusal);
    }

    /** Returns the connection with its paths; empty if it is refused. */
    public Optional<Connection> admitted() {
        return Optional.ofNullable(admitted);
    }

    /** Returns whether this node has decided; false if it may not decide any more. */
    public boolean isFinal() {
        return refusal != Refusal.NO_MANDATE;
    }

    /** Returns why it is refused; empty if it is admitted. */
    Optional<Refusal> refusal() {
        return Optional.ofNullable(refusal);
    }
}
