// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wire;

import org.subflow.mptcp.api.ConnectionId;

/**
 * A form whose records belong to connections each.
 *
 * @param <V> the kind of record
 */
interface FormOfConnections<V> extends Form<ConnectionId, V> {
    @Override
    default String text(ConnectionId id) {
        return id.value();
    }

    @Override
    default ConnectionId key(String text) {
        return ConnectionId.of(text);
    }
}
