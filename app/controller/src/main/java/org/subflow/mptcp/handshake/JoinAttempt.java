// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Optional;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.token.TokenDirectory;
import org.subflow.mptcp.token.TokenOwner;

/** An MP_JOIN's SYN: a host asks for a further subflow. Immutable. */
public final class JoinAttempt {
    /** Addresses and ports, the source being the sender of the SYN. */
    public final FiveTuple fiveTuple;
    /** The token in the SYN. */
    public final Token token;
    /** The joining host's identifier of its address, 0 to 255. */
    public final int addressId;
    /** Whether the joining host wants the subflow as a backup. */
    public final boolean backup;
    /** Whose token it is; empty if it is unknown so far. */
    public final Optional<TokenOwner> owner;

    JoinAttempt(FiveTuple fiveTuple, Token token, int addressId, boolean backup, Optional<TokenOwner> owner) {
        this.fiveTuple = checkNotNull(fiveTuple, "five-tuple");
        this.token = checkNotNull(token, "token");
        this.addressId = addressId;
        this.backup = backup;
        this.owner = checkNotNull(owner, "owner");
    }

    /**
     * Returns the same attempt, with the owner that its token has now.
     *
     * @param tokens whose tokens are known; not null
     * @return the attempt, with or without an owner
     */
    public JoinAttempt lookedUp(TokenDirectory tokens) {
        return new JoinAttempt(fiveTuple, token, addressId, backup, Negotiation.preferred(tokens.find(token), fiveTuple));
    }
}
