// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.token;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.OptionalLong;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.segment.option.MptcpVersion;

/** One side of a connection that a token stands for. Immutable. */
public final class TokenOwner {
    private final FiveTuple connection;
    private final ConnectionKeys keys;
    private final boolean listener;

    /**
     * Makes an owner.
     *
     * @param connection five-tuple of the connection's first subflow
     * @param keys       the connection's keys
     * @param listener   whether the token is that of the listener (the client's joins carry it), otherwise that of the
     *                   initiator (the server's joins carry it)
     */
    public TokenOwner(FiveTuple connection, ConnectionKeys keys, boolean listener) {
        this.connection = checkNotNull(connection, "connection");
        this.keys = checkNotNull(keys, "keys");
        this.listener = listener;
    }

    /** Returns the five-tuple of the connection's first subflow, its source being the initiator. */
    public FiveTuple connection() {
        return connection;
    }

    /** Returns the connection's keys. */
    public ConnectionKeys keys() {
        return keys;
    }

    /** Returns the connection's MPTCP version. */
    public MptcpVersion version() {
        return keys.version();
    }

    /** Returns whether the token is the listener's: then the connection's initiator joins. */
    public boolean listener() {
        return listener;
    }

    /** Returns the address under which the token's host opened or accepted the connection. */
    public IpAddress address() {
        return listener ? connection.destination() : connection.source();
    }

    /** Returns the key of the host that the token is of. */
    public OptionalLong ownKey() {
        return listener ? keys.listenerKey() : keys.initiatorKey();
    }

    /** Returns the key of the host that joins. */
    public OptionalLong joinersKey() {
        return listener ? keys.initiatorKey() : keys.listenerKey();
    }

    public boolean canAuthenticate() {
        return ownKey().isPresent() && joinersKey().isPresent();
    }

    @Override
    public String toString() {
        return (listener ? "listener of " : "initiator of ") + connection;
    }
}
