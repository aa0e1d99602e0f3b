// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static com.google.common.base.Preconditions.checkNotNull;

import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.token.TokenOwner;

/** A further subflow of an MPTCP connection is established. Immutable. */
public final class JoinEstablished extends HandshakeEvent {
    private final Token token;
    private final TokenOwner owner;
    private final int addressId;
    private final int listenerAddressId;
    private final boolean backup;
    private final boolean authenticated;

    JoinEstablished(JoinAttempt attempt, InitialNumbers numbers, TokenOwner owner, int listenerAddressId, boolean backup,
                    boolean authenticated) {
        super(attempt.fiveTuple(), numbers);
        this.token = attempt.token();
        this.owner = checkNotNull(owner, "owner");
        this.addressId = attempt.addressId();
        this.listenerAddressId = listenerAddressId;
        this.backup = backup;
        this.authenticated = authenticated;
    }

    /** Returns the token in the SYN. */
    public Token token() {
        return token;
    }

    /** Returns the five-tuple of the first subflow of the connection that is joined. */
    public FiveTuple connection() {
        return owner.connection();
    }

    /** Returns the direction of the SYN: up if the connection's initiator joins. */
    public Direction direction() {
        return owner.joins();
    }

    /** Returns the connection's MPTCP version. */
    public MptcpVersion version() {
        return owner.version();
    }

    /** Returns the joining host's identifier of its address, 0 to 255. */
    public int addressId() {
        return addressId;
    }

    /** Returns the other host's identifier of its address, 0 to 255. */
    public int listenerAddressId() {
        return listenerAddressId;
    }

    /** Returns whether either host wants the subflow as a backup. */
    public boolean backup() {
        return backup;
    }

    /** Returns whether a keyed hash was checked against the connection's keys; false if a key is not known. */
    public boolean authenticated() {
        return authenticated;
    }

    @Override
    public void tell(Listener listener) {
        listener.joinEstablished(this);
    }

    @Override
    public String toString() {
        return "MP_JOIN " + fiveTuple() + " token " + token + " of " + connection() + (backup ? " backup" : "");
    }
}
