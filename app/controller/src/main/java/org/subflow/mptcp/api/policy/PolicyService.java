// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.policy;

import java.util.List;
import org.subflow.mptcp.api.FiveTuple;

/** Gives the policies in force. Thread-safe. */
public interface PolicyService {
    /**
     * Returns the policy for a connection that begins now.
     *
     * @param tuple five-tuple of its first subflow, from client to server; not null
     * @return the policy; {@link Policy#STANDARD} if none matches
     */
    Policy policyFor(FiveTuple tuple);

    /** Returns all policies, those first that come first; unmodifiable. */
    List<Policy> policies();

    /** Returns whether any policy may block an MP_JOIN ({@code JoinPolicy.BLOCK}). */
    boolean mayBlockJoins();
}
