// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.token;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.OptionalLong;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.segment.option.MptcpVersion;

/** One side of a connection that a token stands for. Immutable. */
public final class TokenOwner {
    /** The five-tuple of the connection's first subflow, its source being the initiator. */
    public final FiveTuple connection;
    /** The connection's keys. */
    public final ConnectionKeys keys;
    /** The direction of the SYNs that carry the token: up for that of the listener, down for that of the initiator. */
    public final Direction joins;

    /** Makes an owner; nothing may be null. */
    public TokenOwner(FiveTuple connection, ConnectionKeys keys, Direction joins) {
        this.connection = checkNotNull(connection, "connection");
        this.keys = checkNotNull(keys, "keys");
        this.joins = checkNotNull(joins, "joins");
    }

    /** Returns the connection's MPTCP version. */
    public MptcpVersion version() {
        return keys.version;
    }

    /** Returns the address under which the token's host opened or accepted the connection. */
    public IpAddress address() {
        return joins == Direction.UP ? connection.destination() : connection.source();
    }

    /** Returns the key of the host that the token is of. */
    public OptionalLong ownKey() {
        return joins == Direction.UP ? keys.listenerKey : keys.initiatorKey;
    }

    /** Returns the key of the host that joins. */
    public OptionalLong joinersKey() {
        return joins == Direction.UP ? keys.initiatorKey : keys.listenerKey;
    }

    public boolean canAuthenticate() {
        return ownKey().isPresent() && joinersKey().isPresent();
    }

    @Override
    public String toString() {
        return (joins == Direction.UP ? "listener of " : "initiator of ") + connection;
    }
}
