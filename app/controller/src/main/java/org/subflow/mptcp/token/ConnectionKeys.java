// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.token;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.segment.option.MptcpVersion;

/**
 * The keys of an MPTCP connection, as far as they were seen, and the tokens that follow from them. Immutable.
 *
 * <p>A key is missing if the segment that carries it did not come to the controller; then joins with the token that
 * follows from it cannot be attributed, and no join can be authenticated.
 */
public final class ConnectionKeys {
    /** The connection's MPTCP version. */
    public final MptcpVersion version;
    /** The key of the host that sent the first SYN, if it was seen. */
    public final OptionalLong initiatorKey;
    /** The key of the host that answered, if it was seen. */
    public final OptionalLong listenerKey;
    /** The initiator's token: what the listener puts into its MP_JOINs. */
    public final Optional<Token> initiatorToken;
    /** The listener's token: what the initiator puts into its MP_JOINs. */
    public final Optional<Token> listenerToken;

    /**
     * Makes the keys of a connection.
     *
     * @param version      its MPTCP version
     * @param initiatorKey key of the host that sent the first SYN; empty if not seen
     * @param listenerKey  key of the host that answered; empty if not seen
     */
    public ConnectionKeys(MptcpVersion version, OptionalLong initiatorKey, OptionalLong listenerKey) {
        this.version = checkNotNull(version, "version");
        this.initiatorKey = checkNotNull(initiatorKey, "initiator key");
        this.listenerKey = checkNotNull(listenerKey, "listener key");
        this.initiatorToken = token(version, initiatorKey);
        this.listenerToken = token(version, listenerKey);
    }

    private static Optional<Token> token(MptcpVersion version, OptionalLong key) {
        return key.isPresent() ? Optional.of(Keys.token(version, key.getAsLong())) : Optional.empty();
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof ConnectionKeys)) {
            return false;
        }
        ConnectionKeys that = (ConnectionKeys) other;
        return version == that.version && initiatorKey.equals(that.initiatorKey)
                && listenerKey.equals(that.listenerKey);
    }

    @Override
    public int hashCode() {
        return Objects.hash(version, initiatorKey, listenerKey);
    }

    /** Returns version and tokens; the keys are secrets of the hosts and stay out of logs. */
    @Override
    public String toString() {
        return version + " initiator " + initiatorToken.map(Token::toString).orElse("?")
                + " listener " + listenerToken.map(Token::toString).orElse("?");
    }
}
