// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.token.ConnectionKeys;
import org.subflow.mptcp.token.TokenDirectory;
import org.subflow.mptcp.token.TokenOwner;

/** Outcomes of handshakes, for tests of who hears of them. */
public final class Handshakes {
    /** Both keys of a connection. */
    public static final ConnectionKeys KEYS = new ConnectionKeys(MptcpVersion.of(1).get(), OptionalLong.of(11), OptionalLong.of(22));

    /** Those of another one. */
    public static final ConnectionKeys OTHER_KEYS =
            new ConnectionKeys(MptcpVersion.of(1).get(), OptionalLong.of(33), OptionalLong.of(44));

    /** The first octets of both hosts have the number 1. */
    public static final InitialNumbers NUMBERS = new InitialNumbers(0, 0);

    private Handshakes() {
    }

    /** A directory that knows owners by their tokens alone. */
    static TokenDirectory directory(Function<Token, List<TokenOwner>> byToken) {
        return new TokenDirectory() {
            @Override
            public List<TokenOwner> find(Token token) {
                return byToken.apply(token);
            }

            @Override
            public Optional<TokenOwner> onlyByHosts(FiveTuple like) {
                return Optional.empty();
            }
        };
    }

    /** A connection is established whose keys are known. */
    public static CapableEstablished capable(FiveTuple tuple) {
        return capable(tuple, KEYS);
    }

    /** A connection with these keys is established. */
    public static CapableEstablished capable(FiveTuple tuple, ConnectionKeys keys) {
        return new CapableEstablished(tuple, NUMBERS, keys, false, true);
    }

    /** A SYN and a SYN/ACK have shown a connection; the third segment may still be on its way. */
    public static CapableEstablished capableWithoutThirdAck(FiveTuple tuple) {
        return new CapableEstablished(tuple, NUMBERS, KEYS, false, false);
    }

    /** A connection is established whose server wants no further subflows to its address and port. */
    public static CapableEstablished denyingJoins(FiveTuple tuple) {
        return new CapableEstablished(tuple, NUMBERS, KEYS, true, true);
    }

    /** The client of a connection has joined it with a further subflow. */
    public static JoinEstablished join(FiveTuple tuple, FiveTuple connection) {
        return join(tuple, connection, false);
    }

    /** The client of a connection has joined it with a further subflow, perhaps as a backup. */
    public static JoinEstablished join(FiveTuple tuple, FiveTuple connection, boolean isBackup) {
        TokenOwner owner = new TokenOwner(connection, KEYS, Direction.UP);
        return new JoinEstablished(attempt(tuple, Optional.of(owner)), NUMBERS, owner, 0, isBackup, true);
    }

    /** The client of a connection begins to join it. */
    public static JoinAttempt attempt(FiveTuple tuple, FiveTuple connection) {
        return attempt(tuple, Optional.of(new TokenOwner(connection, KEYS, Direction.UP)));
    }

    /** Somebody begins to join a connection that nobody knows. */
    public static JoinAttempt attempt(FiveTuple tuple) {
        return attempt(tuple, Optional.empty());
    }

    /** The client of a connection begins to join it before the connection is known. */
    public static JoinAttempt earlyAttempt(FiveTuple tuple) {
        return new JoinAttempt(tuple, KEYS.listenerToken.get(), 1, false, Optional.empty());
    }

    private static JoinAttempt attempt(FiveTuple tuple, Optional<TokenOwner> owner) {
        return new JoinAttempt(tuple, Token.of(7), 1, false, owner);
    }

    /** A plain TCP connection is established. */
    public static PlainEstablished plain(FiveTuple tuple) {
        return new PlainEstablished(tuple, NUMBERS, PlainEstablished.Cause.NOT_OFFERED);
    }
}
