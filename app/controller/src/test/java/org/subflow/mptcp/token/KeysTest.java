// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.token;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.subflow.mptcp.handshake.Bench;
import org.subflow.mptcp.handshake.CaptureTest;
import org.subflow.mptcp.segment.option.MptcpVersion;

/** Values worked out with Python's hashlib and hmac; the captures of {@link CaptureTest} are the kernel's. */
class KeysTest {
    private static final long KEY = Bench.CLIENT_KEY;

    @ParameterizedTest
    @CsvSource({
        "V0, 0123456789abcdef, 0ca2eadb",
        "V1, 0123456789abcdef, 55c53f5d",
        "V0, ffffffffffffffff, be673e8a",
        "V1, ffffffffffffffff, 12a3ae44",
        "V0, 0000000000000000, 05fe4057",
        "V1, 0000000000000000, af5570f5",
    })
    void tokens(MptcpVersion version, String key, String token) {
        long value = new BigInteger(key, 16).longValue();
        assertEquals(token, Keys.token(version, value).toString());
    }

    @ParameterizedTest
    @CsvSource({
        "V0, 8df7a8491d3a33fc, 38c460d8c7a504731e3b847c62b68f31d1716a0b",
        "V1, c0aac02d8d70c532, 15530245eb8d73041c9a441c77175b2004b4ac40",
    })
    void keyedHashes(MptcpVersion version, String synAck, String ack) {
        assertEquals(synAck, hex(Keys.synAckHmac(version, Bench.CLIENT_KEY, Bench.SERVER_KEY, Bench.CLIENT_NONCE,
                                                 Bench.SERVER_NONCE)));
        assertEquals(ack, hex(Keys.ackHmac(version, Bench.CLIENT_KEY, Bench.SERVER_KEY, Bench.CLIENT_NONCE,
                                           Bench.SERVER_NONCE)));
    }

    private static String hex(byte[] octets) {
        return String.format("%0" + 2 * octets.length + "x", new BigInteger(1, octets));
    }

    @Test
    void keysStayOutOfTexts() {
        ConnectionKeys keys = new ConnectionKeys(MptcpVersion.V1, OptionalLong.empty(), OptionalLong.of(KEY));
        assertEquals("V1 initiator ? listener " + Keys.token(MptcpVersion.V1, KEY), keys.toString());
    }
}
