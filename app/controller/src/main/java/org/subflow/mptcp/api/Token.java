// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

/**
 * The 32-bit token by which an MP_JOIN names the connection that it joins (RFC 6824 section 3.2, RFC 8684 section 3.2).
 *
 * <p>A token is the start of a hash of the key of the host that <em>receives</em> the MP_JOIN. Immutable.
 */
public final class Token {
    private final int value;

    private Token(int value) {
        this.value = value;
    }

    /**
     * Makes a token.
     *
     * @param value the 32 bits on the wire, most significant first
     * @return the token
     */
    public static Token of(int value) {
        return new Token(value);
    }

    /** Returns the 32 bits on the wire. */
    public int value() {
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Token && ((Token) other).value == value;
    }

    @Override
    public int hashCode() {
        return value;
    }

    /** Returns the token as eight hexadecimal digits. */
    @Override
    public String toString() {
        return String.format("%08x", value);
    }
}
