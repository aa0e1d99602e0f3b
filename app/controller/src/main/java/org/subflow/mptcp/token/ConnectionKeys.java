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
    private final MptcpVersion version;
    private final OptionalLong initiatorKey;
    private final OptionalLong listenerKey;
    private final Optional<Token> initiatorToken;
    private final Optional<Token> listenerToken;

    private ConnectionKeys(MptcpVersion version, OptionalLong initiatorKey, OptionalLong listenerKey) {
        this.version = checkNotNull(version, "version");
        this.initiatorKey = checkNotNull(initiatorKey, "initiator key");
        this.listenerKey = checkNotNull(listenerKey, "listener key");
        this.initiatorToken = token(version, initiatorKey);
        this.listenerToken = token(version, listenerKey);
    }

    private static Optional<Token> token(MptcpVersion version, OptionalLong key) {
        return key.isPresent() ? Optional.of(Keys.token(version, key.getAsLong())) : Optional.empty();
    }

    /**
     * Makes the keys of a connection.
     *
     * @param version      its MPTCP version
     * @param initiatorKey key of the host that sent the first SYN; empty if not seen
     * @param listenerKey  key of the host that answered; empty if not seen
     * @return the keys
     */
    public static ConnectionKeys of(MptcpVersion version, OptionalLong initiatorKey, OptionalLong listenerKey) {
        return new ConnectionKeys(version, initiatorKey, listenerKey);
    }

    /** Returns the connection's MPTCP version. */
    public MptcpVersion version() {
        return version;
    }

    /** Returns the key of the host that sent the first SYN, if it was seen. */
    public OptionalLong initiatorKey() {
        return initiatorKey;
    }

    /** Returns the key of the host that answered, if it was seen. */
    public OptionalLong listenerKey() {
        return listenerKey;
    }

    /** Returns the initiator's token: what the listener puts into its MP_JOINs. */
    public Optional<Token> initiatorToken() {
        return initiatorToken;
    }

    /** Returns the listener's token: what the initiator puts into its MP_JOINs. */
    public Optional<Token> listenerToken() {
        return listenerToken;
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
