// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wire;

import java.nio.ByteBuffer;
import java.util.OptionalLong;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.token.ConnectionKeys;

/**
 * The form of the hosts' keys: the MPTCP version and flags of the known keys, 8 bits each, then both keys, 64 bits each.
 * Stateless.
 */
public final class KeysForm implements FormOfConnections<ConnectionKeys> {
    private static final int INITIATOR = 1;
    private static final int LISTENER = 2;

    @Override
    public byte number() {
        return 1;
    }

    @Override
    public void write(ConnectionKeys known, RecordWriter to) {
        to.number8(known.version.number)
                .number8((known.initiatorKey.isPresent() ? INITIATOR : 0) | (known.listenerKey.isPresent() ? LISTENER : 0))
                .number64(known.initiatorKey.orElse(0))
                .number64(known.listenerKey.orElse(0));
    }

    @Override
    public ConnectionKeys read(ConnectionId id, ByteBuffer from) {
        return keys(from.get(), from.get(), from.getLong(), from.getLong());
    }

    private static ConnectionKeys keys(long version, long flags, long initiatorKey, long listenerKey) {
        return new ConnectionKeys(
                MptcpVersion.of((int) version).orElseThrow(() -> new IllegalArgumentException("MPTCP version " + version)),
                known(flags, INITIATOR, initiatorKey), known(flags, LISTENER, listenerKey));
    }

    private static OptionalLong known(long flags, int flag, long key) {
        return (flags & flag) == 0 ? OptionalLong.empty() : OptionalLong.of(key);
    }
}
