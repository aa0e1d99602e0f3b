// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

import java.nio.ByteBuffer;
import org.subflow.mptcp.api.Token;

/**
 * MP_JOIN: adds a subflow to an existing connection (RFC 6824 and RFC 8684, section 3.2), in the form of each of the
 * three segments of its handshake. Both versions have the same layout; only the keyed hash differs.
 */
public abstract class MpJoin extends MptcpOption {
    /** Octets of the truncated keyed hash in a SYN/ACK. */
    public static final int SYN_ACK_HMAC_LENGTH = 8;
    /** Octets of the truncated keyed hash in a third ACK. */
    public static final int ACK_HMAC_LENGTH = 20;

    static final int LENGTH_SYN = 12;
    static final int LENGTH_SYN_ACK = 16;
    static final int LENGTH_ACK = 24;

    private static final int BACKUP = 0x1;

    private MpJoin(int length) {
        super(length);
    }

    @Override
    public final Subtype subtype() {
        return Subtype.MP_JOIN;
    }

    private static byte[] checkHmac(byte[] hmac, int length) {
        if (hmac.length != length) {
            throw new IllegalArgumentException("HMAC of " + hmac.length + " octets, expected " + length);
        }
        return hmac.clone();
    }

    /** What a SYN and its answer have in common: where the subflow is from, and what it is for. */
    private abstract static class Opening extends MpJoin {
        /** Whether the sender wants the subflow to carry data only if no other can. */
        public final boolean backup;
        /** The sender's identifier of its address. */
        public final int addressId;
        /** The sender's random number. */
        public final int nonce;

        private Opening(int length, boolean backup, int addressId, int nonce) {
            super(length);
            this.backup = backup;
            this.addressId = checkField("address id", addressId, 0xff);
            this.nonce = nonce;
        }

        @Override
        final int lowBits() {
            return backup ? BACKUP : 0;
        }
    }

    /** The form in a SYN: which connection. */
    public static final class Syn extends Opening {
        /** The token of the connection, made from the key of the host that receives this SYN. */
        public final Token token;

        /**
         * Makes the option.
         *
         * @param backup    whether the subflow is to carry data only if no other can
         * @param addressId the sender's identifier of its address, 0 to 255
         * @param token     the receiver's token
         * @param nonce     the sender's random number
         */
        public Syn(boolean backup, int addressId, Token token, int nonce) {
            super(LENGTH_SYN, backup, addressId, nonce);
            this.token = token;
        }

        @Override
        void writeBody(ByteBuffer out) {
            out.put((byte) addressId).putInt(token.value()).putInt(nonce);
        }
    }

    /** The form in a SYN/ACK: the listener authenticates itself. */
    public static final class SynAck extends Opening {
        private final byte[] hmac;

        /**
         * Makes the option.
         *
         * @param backup    whether the subflow is to carry data only if no other can
         * @param addressId the sender's identifier of its address, 0 to 255
         * @param hmac      the leftmost eight octets of the keyed hash; copied
         * @param nonce     the sender's random number
         */
        public SynAck(boolean backup, int addressId, byte[] hmac, int nonce) {
            super(LENGTH_SYN_ACK, backup, addressId, nonce);
            this.hmac = checkHmac(hmac, SYN_ACK_HMAC_LENGTH);
        }

        /** Returns a copy of the leftmost eight octets of the keyed hash. */
        public byte[] hmac() {
            return hmac.clone();
        }

        @Override
        void writeBody(ByteBuffer out) {
            out.put((byte) addressId).put(hmac).putInt(nonce);
        }
    }

    /** The form in the third ACK: the initiator authenticates itself. */
    public static final class Ack extends MpJoin {
        private final byte[] hmac;

        /**
         * Makes the option.
         *
         * @param hmac the leftmost twenty octets of the keyed hash; copied
         */
        public Ack(byte[] hmac) {
            super(LENGTH_ACK);
            this.hmac = checkHmac(hmac, ACK_HMAC_LENGTH);
        }

        /** Returns a copy of the leftmost twenty octets of the keyed hash. */
        public byte[] hmac() {
            return hmac.clone();
        }

        @Override
        int lowBits() {
            return 0;
        }

        @Override
        void writeBody(ByteBuffer out) {
            out.put((byte) 0).put(hmac);
        }
    }
}
