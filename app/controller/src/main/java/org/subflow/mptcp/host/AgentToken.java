// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;

/** The tokens by which agents log in: 256 random bits in base64url. Only their SHA-256 is kept. Thread-safe. */
final class AgentToken {
    /** A longer text than any token: not worth a hash. */
    private static final int MOST_CHARACTERS = 64;
    private static final int OCTETS = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private AgentToken() {
    }

    /** Makes a token that nobody knows. */
    static String generate() {
        byte[] octets = new byte[OCTETS];
        RANDOM.nextBytes(octets);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
    }

    /** Returns the SHA-256 of a token. */
    static byte[] hash(String token) {
        return Hashing.sha256().hashString(token, StandardCharsets.UTF_8).asBytes();
    }

    /** Returns whether a text is the token with this hash. Takes as long for a token that is almost right as for others. */
    static boolean matches(String text, byte[] hash) {
        return text.length() <= MOST_CHARACTERS && MessageDigest.isEqual(hash(text), hash);
    }
}
