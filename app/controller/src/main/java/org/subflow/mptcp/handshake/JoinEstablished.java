// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static com.google.common.base.Preconditions.checkNotNull;

import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.token.TokenOwner;

/** A further subflow of an MPTCP connection is established. Immutable. */
public final class JoinEstablished extends HandshakeEvent {
    /** The token in the SYN. */
    public final Token token;
    /** The side of the joined connection whose token it is. */
    public final TokenOwner owner;
    /** The joining host's identifier of its address, 0 to 255. */
    public final int addressId;
    /** The other host's identifier of its address, 0 to 255. */
    public final int listenerAddressId;
    /** Whether either host wants the subflow as a backup. */
    public final boolean backup;
    /** Whether a keyed hash was checked against the connection's keys; false if a key is not known. */
    public final boolean authenticated;

    JoinEstablished(JoinAttempt attempt, InitialNumbers numbers, TokenOwner owner, int listenerAddressId, boolean backup,
                    boolean authenticated) {
        super(attempt.fiveTuple, numbers);
        this.token = attempt.token;
        this.owner = checkNotNull(owner, "owner");
        this.addressId = attempt.addressId;
        this.listenerAddressId = listenerAddressId;
        this.backup = backup;
        this.authenticated = authenticated;
    }

    @Override
    public void tell(Listener listener) {
        listener.joinEstablished(this);
    }

    @Override
    public String toString() {
        return "MP_JOIN " + fiveTuple + " token " + token + " of " + owner.connection + (backup ? " backup" : "");
    }
}
