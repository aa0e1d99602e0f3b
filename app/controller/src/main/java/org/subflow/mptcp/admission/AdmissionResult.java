// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import java.util.Optional;
import org.subflow.mptcp.api.Connection;

/** What is decided of a connection: it is admitted with its paths, or refused. Immutable. */
final class AdmissionResult {
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
    Optional<Connection> admitted() {
        return Optional.ofNullable(admitted);
    }

    /** Returns why it is refused; empty if it is admitted. */
    Optional<Refusal> refusal() {
        return Optional.ofNullable(refusal);
    }
}
