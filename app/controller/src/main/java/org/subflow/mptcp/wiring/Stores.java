// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import static com.google.common.base.Preconditions.checkNotNull;

import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.store.KeyStore;
import org.subflow.mptcp.token.TokenTable;

/** What is known of connections. */
final class Stores {
    final ConnectionStore connections;
    final KeyStore keys;
    final TokenTable tokens;

    Stores(ConnectionStore connections, KeyStore keys, TokenTable tokens) {
        this.connections = checkNotNull(connections, "connections");
        this.keys = checkNotNull(keys, "keys");
        this.tokens = checkNotNull(tokens, "tokens");
    }
}
