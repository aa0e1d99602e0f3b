// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.token;

import java.util.List;
import java.util.Optional;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Token;

/**
 * Which connections a token stands for. Asked by the tracker at each segment of an MP_JOIN's handshake; must answer
 * from memory, without waiting for anything. {@link TokenTable} is one.
 */
public interface TokenDirectory {
    /**
     * Finds the connections with a token.
     *
     * @param token the token of an MP_JOIN
     * @return the owners, oldest first: none if the token is unknown; several if hosts chose keys with the same token,
     *         which is rare between hosts, and within one host a fault or an attack
     */
    List<TokenOwner> find(Token token);

    /**
     * Finds the only connection between two hosts whose initiator's key is not known, and therefore its token.
     *
     * @param like a five-tuple from the host that opened the connection to the other one; its ports do not count
     * @return the owner of this token; empty if there is no such connection, or if there are several
     */
    Optional<TokenOwner> onlyByHosts(FiveTuple like);
}
