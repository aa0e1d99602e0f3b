// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.token;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.segment.option.MpJoin;
import org.subflow.mptcp.segment.option.MptcpVersion;

/**
 * What follows from the 64-bit keys that hosts exchange in MP_CAPABLE (RFC 6824 and RFC 8684, sections 3.1 and 3.2).
 * Stateless.
 */
public final class Keys {
    private Keys() {
    }

    /** Returns the token of a key: the first 32 bits of its SHA-1 (v0) or SHA-256 (v1). */
    public static Token token(MptcpVersion version, long key) {
        return Token.of(ByteBuffer.wrap(digest(version, key)).getInt());
    }

    /**
     * Returns what the listener puts into its MP_JOIN SYN/ACK.
     *
     * @param version        the connection's version
     * @param initiatorKey   key of the host that sent the MP_JOIN's SYN
     * @param listenerKey    key of the host that answers
     * @param initiatorNonce number in the SYN
     * @param listenerNonce  number in the SYN/ACK
     * @return the leftmost eight octets of the keyed hash
     */
    public static byte[] synAckHmac(MptcpVersion version, long initiatorKey, long listenerKey, int initiatorNonce,
                                    int listenerNonce) {
        return hmac(version, listenerKey, initiatorKey, listenerNonce, initiatorNonce, MpJoin.SYN_ACK_HMAC_LENGTH);
    }

    /**
     * Returns what the initiator puts into its MP_JOIN third ACK; parameters as
     * {@link #synAckHmac(MptcpVersion, long, long, int, int)}.
     *
     * @return the leftmost twenty octets of the keyed hash
     */
    public static byte[] ackHmac(MptcpVersion version, long initiatorKey, long listenerKey, int initiatorNonce,
                                 int listenerNonce) {
        return hmac(version, initiatorKey, listenerKey, initiatorNonce, listenerNonce, MpJoin.ACK_HMAC_LENGTH);
    }

    private static byte[] digest(MptcpVersion version, long key) {
        try {
            MessageDigest digest = MessageDigest.getInstance(version.digest);
            return digest.digest(ByteBuffer.allocate(Long.BYTES).putLong(key).array());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks " + version.digest, e);
        }
    }

    private static byte[] hmac(MptcpVersion version, long ownKey, long otherKey, int ownNonce, int otherNonce,
                               int length) {
        byte[] key = ByteBuffer.allocate(2 * Long.BYTES).putLong(ownKey).putLong(otherKey).array();
        byte[] message = ByteBuffer.allocate(2 * Integer.BYTES).putInt(ownNonce).putInt(otherNonce).array();
        try {
            Mac mac = Mac.getInstance(version.hmac);
            mac.init(new SecretKeySpec(key, version.hmac));
            return Arrays.copyOf(mac.doFinal(message), length);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks " + version.hmac, e);
        }
    }
}
