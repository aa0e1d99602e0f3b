// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.farm;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** TCP options of MPTCP version 1 (RFC 8684), padded to four bytes, with keys, tokens and hashes as hosts make them. */
final class Options {
    private static final int KIND = 30;
    private static final int CAPABLE = 0x0;
    private static final int JOIN = 0x1;
    private static final int DSS = 0x2;
    private static final int VERSION = 1;
    private static final int HMAC_SHA256 = 0x01;
    private static final int DATA_ACK = 0x01;
    private static final String ALGORITHM = "HmacSHA256";

    private Options() {
    }

    static byte[] capableSyn() {
        return option(4, CAPABLE, VERSION).put((byte) HMAC_SHA256).array();
    }

    /** {@return the option of the SYN/ACK, with the listener's key} */
    static byte[] capableSynAck(long key) {
        return option(12, CAPABLE, VERSION).put((byte) HMAC_SHA256).putLong(key).array();
    }

    static byte[] joinSyn(int addressId, int token, int nonce) {
        return option(12, JOIN, 0).put((byte) addressId).putInt(token).putInt(nonce).array();
    }

    /** {@return the option of the SYN/ACK to a join of the host with the client's key} */
    static byte[] joinSynAck(int addressId, long serverKey, long clientKey, int serverNonce, int clientNonce) {
        byte[] hash = hmac(serverKey, clientKey, serverNonce, clientNonce);
        return option(16, JOIN, 0).put((byte) addressId).put(hash, 0, 8).putInt(serverNonce).array();
    }

    /** {@return a DSS option with a data acknowledgement of 32 bits} */
    static byte[] dss(int acknowledged) {
        return option(8, DSS, 0).put((byte) DATA_ACK).putInt(acknowledged).array();
    }

    /** {@return the token of a key: the most significant 32 bits of its SHA-256 (section 3.2)} */
    static int token(long key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(ByteBuffer.allocate(8).putLong(key).array());
            return ByteBuffer.wrap(digest).getInt();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] hmac(long ownKey, long otherKey, int ownNonce, int otherNonce) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(ByteBuffer.allocate(16).putLong(ownKey).putLong(otherKey).array(), ALGORITHM));
            return mac.doFinal(ByteBuffer.allocate(8).putInt(ownNonce).putInt(otherNonce).array());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ByteBuffer option(int length, int subtype, int low) {
        return ByteBuffer.allocate(length).put((byte) KIND).put((byte) length).put((byte) (subtype << 4 | low));
    }
}
