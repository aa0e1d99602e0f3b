// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.subflow.mptcp.segment.option.MptcpOptionParser.ACK;
import static org.subflow.mptcp.segment.option.MptcpOptionParser.SYN;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.subflow.mptcp.api.Token;

/** What the parser takes, octet by octet, and what it refuses, reason by reason. */
class MptcpOptionParserTest {
    private static final int SYN_ACK = SYN | ACK;

    private static byte[] octets(String hex) {
        String digits = hex.replace(" ", "");
        byte[] octets = new byte[digits.length() / 2];
        for (int i = 0; i < octets.length; i++) {
            octets[i] = new BigInteger(digits.substring(2 * i, 2 * i + 2), 16).byteValue();
        }
        return octets;
    }

    private static <T extends MptcpOption> T only(Class<T> type, String hex, int flags) {
        MptcpOptions options = MptcpOptionParser.parse(octets(hex), flags);
        assertEquals(List.of(), options.malformed);
        assertEquals(1, options.options.size());
        T option = options.get(type).orElseThrow();
        assertEquals(option.subtype() + " " + hex.replace(" ", ""), option.toString(), "the same octets again");
        return option;
    }

    @Test
    void noOptions() {
        assertSame(MptcpOptions.NONE, MptcpOptionParser.parse(null, SYN));
        assertSame(MptcpOptions.NONE, MptcpOptionParser.parse(new byte[0], SYN));
        assertSame(MptcpOptions.NONE, MptcpOptionParser.parse(octets("020405b4 01 03030a 0000"), SYN));
    }

    @Test
    void capable() {
        MpCapable syn = only(MpCapable.class, "1e04 01 81", SYN);
        assertEquals(MptcpVersion.V1, syn.version);
        assertTrue(syn.has(MpCapable.CHECKSUM_REQUIRED));
        assertFalse(syn.has(MpCapable.DENY_JOIN_TO_ADDRESS));
        assertEquals(OptionalLong.empty(), syn.senderKey);

        MpCapable synV0 = only(MpCapable.class, "1e0c 00 01 0123456789abcdef", SYN);
        assertEquals(MptcpVersion.V0, synV0.version);
        assertEquals(OptionalLong.of(0x0123456789abcdefL), synV0.senderKey);

        MpCapable ack = only(MpCapable.class, "1e14 01 01 0000000000000001 0000000000000002", ACK);
        assertEquals(OptionalLong.of(1), ack.senderKey);
        assertEquals(OptionalLong.of(2), ack.receiverKey);
        assertEquals(OptionalInt.empty(), ack.dataLength);

        MpCapable data = only(MpCapable.class, "1e18 01 01 0000000000000001 0000000000000002 fffe abcd", ACK);
        assertEquals(OptionalInt.of(0xfffe), data.dataLength);
        assertEquals(OptionalInt.of(0xabcd), data.checksum);
    }

    @Test
    void join() {
        MpJoin.Syn syn = only(MpJoin.Syn.class, "1e0c 11 ff 89abcdef fedcba98", SYN);
        assertTrue(syn.backup);
        assertEquals(255, syn.addressId);
        assertEquals(Token.of(0x89abcdef), syn.token);
        assertEquals(0xfedcba98, syn.nonce);

        MpJoin.SynAck synAck = only(MpJoin.SynAck.class, "1e10 10 02 0102030405060708 00000009", SYN_ACK);
        assertEquals(2, synAck.addressId);
        assertEquals(8, synAck.hmac()[7]);
        assertEquals(9, synAck.nonce);

        MpJoin.Ack ack = only(MpJoin.Ack.class, "1e18 10 00 0102030405060708090a0b0c0d0e0f1011121314", ACK);
        assertEquals(0x14, ack.hmac()[19]);
    }

    /** Of all others the octets are kept; which of them are well-formed, {@link #malformed} and {@link #lengthsTaken} say. */
    @ParameterizedTest
    @CsvSource({
        "DSS, 1e1c 20 1f 0000000000000007 ffffffffffffffff 00000001 0064 beef, 16",
        "DSS, 1e08 20 01 ffffffff, 16",
        "ADD_ADDR, 1e08 34 05 0a000001, 16",
        "ADD_ADDR, 1e12 30 05 0a000001 14b6 0102030405060708, 16",
        "ADD_ADDR, 1e14 31 05 fd000000000000000000000000000001, 16",
        "REMOVE_ADDR, 1e05 40 01ff, 16",
        "MP_PRIO, 1e03 51, 16",
        "MP_PRIO, 1e04 50 07, 16",
        "MP_FAIL, 1e0c 60 00 0000000000000009, 16",
        "MP_FASTCLOSE, 1e0c 70 00 0000000000000009, 20",
        "MP_TCPRST, 1e04 81 03, 4",
        "MP_EXPERIMENTAL, 1e07 f5 01020304, 16",
    })
    void others(Subtype subtype, String hex, int flags) {
        OtherOption option = only(OtherOption.class, hex, flags);
        assertEquals(subtype, option.subtype());
        assertArrayEquals(octets(hex), option.toBytes());
    }

    @Test
    void prioritiesAreOfTheSubflowThatCarriesThem() {
        OtherOption backup = only(OtherOption.class, "1e03 51", ACK);
        assertTrue(backup.isPriority() && backup.isBackup());
        assertFalse(only(OtherOption.class, "1e03 50", ACK).isBackup());
        assertFalse(only(OtherOption.class, "1e04 51 07", ACK).isPriority(), "it names an address");
        assertFalse(only(OtherOption.class, "1e05 40 01ff", ACK).isPriority());
    }

    @Test
    void reservedBitsAreIgnored() {
        assertEquals(List.of(), MptcpOptionParser.parse(octets("1e0c 1e ff 89abcdef fedcba98"), SYN).malformed);
        assertEquals(List.of(), MptcpOptionParser.parse(octets("1e10 3e 05 0a000001 0102030405060708"), ACK).malformed);
    }

    @ParameterizedTest
    @CsvSource({
        // TCP options, flags, reason
        "1e00 0101, 2, LENGTH_BELOW_TWO",
        "1e01 0101, 2, LENGTH_BELOW_TWO",
        "0200 1e04 0181, 2, LENGTH_BELOW_TWO",
        "1e, 2, PAST_END",
        "01011e, 2, PAST_END",
        "1e0c 0101, 2, PAST_END",
        "1eff 0101, 2, PAST_END",
        "02ff 1e04 0181, 2, PAST_END",
        "1e02 0101, 2, NO_SUBTYPE",
        "1e03 01, 2, WRONG_LENGTH",
        "1e05 0101 00, 2, WRONG_LENGTH",
        "1e05 0101 00, 18, WRONG_LENGTH",
        "1e04 0101, 18, WRONG_SEGMENT",
        "1e04 0001, 2, WRONG_LENGTH",
        "1e0c 0101 0000000000000001, 2, WRONG_SEGMENT",
        "1e0c 0101 0000000000000001, 16, WRONG_SEGMENT",
        "1e14 0101 0000000000000001 0000000000000002, 2, WRONG_SEGMENT",
        "1e16 0001 0000000000000001 0000000000000002 0064, 16, WRONG_LENGTH",
        "1e04 0201, 2, UNSUPPORTED_VERSION",
        "1e0c 0f01 0000000000000001, 18, UNSUPPORTED_VERSION",
        "1e04 0141, 2, UNSUPPORTED_FLAGS",
        "1e04 0100, 2, UNSUPPORTED_FLAGS",
        "1e0b 1000 00000001 000000, 2, WRONG_LENGTH",
        "1e0c 1000 00000001 00000002, 16, WRONG_SEGMENT",
        "1e18 1000 0102030405060708090a0b0c0d0e0f1011121314, 2, WRONG_SEGMENT",
        "1e10 1000 0102030405060708 00000009, 16, WRONG_SEGMENT",
        "1e03 20, 16, WRONG_LENGTH",
        "1e05 2000 00, 16, WRONG_LENGTH",
        "1e0a 2003 000000000001, 16, WRONG_LENGTH",
        "1e0a 2001 00000001 beef, 16, WRONG_LENGTH",
        "1e08 2001 00000001, 2, WRONG_SEGMENT",
        "1e08 2001 00000001, 18, WRONG_SEGMENT",
        "1e07 3405 0a0000, 16, WRONG_LENGTH",
        "1e08 3005 0a000001, 16, WRONG_LENGTH",
        "1e08 3605 0a000001, 16, WRONG_LENGTH",
        "1e10 3105 0a000001 0102030405060708, 16, WRONG_LENGTH",
        "1e03 40, 16, WRONG_LENGTH",
        "1e05 5000 00, 16, WRONG_LENGTH",
        "1e0b 6000 00000000000000, 16, WRONG_LENGTH",
        "1e0d 7000 0000000000000000 00, 16, WRONG_LENGTH",
        "1e03 80, 4, WRONG_LENGTH",
    })
    void malformed(String hex, int flags, MalformedReason reason) {
        MptcpOptions options = MptcpOptionParser.parse(octets(hex), flags);
        assertEquals(List.of(reason), options.malformed);
        assertEquals(List.of(), options.options);
    }

    @Test
    void unknownSubtypesAreKeptAndReported() {
        for (int subtype = 9; subtype < 15; subtype++) {
            MptcpOptions options = MptcpOptionParser.parse(new byte[] {30, 4, (byte) (subtype << 4), 1}, ACK);
            assertEquals(List.of(MalformedReason.UNKNOWN_SUBTYPE), options.malformed);
            assertEquals(Subtype.UNKNOWN, options.options.get(0).subtype());
        }
    }

    @Test
    void severalOfOneSubtypeAreNone() {
        MptcpOptions options = MptcpOptionParser.parse(octets("1e040101 1e040181 1e03f0 1e03f1"), SYN);
        assertEquals(List.of(MalformedReason.DUPLICATE_SUBTYPE), options.malformed);
        assertEquals(2, options.options.size(), "private ones may come in several");
        assertEquals(Optional.empty(), options.get(MpCapable.class));
    }

    @Test
    void capableAndJoinAreNone() {
        MptcpOptions options = MptcpOptionParser.parse(octets("1e040101 1e0c 1000 00000001 00000002"), SYN);
        assertEquals(List.of(MalformedReason.CONFLICTING_SUBTYPES), options.malformed);
        assertTrue(options.isEmpty());
    }

    @Test
    void severalSubtypesAreAllRead() {
        MptcpOptions options = MptcpOptionParser.parse(octets("0101 1e08 2001 00000001 01 1e08 3405 0a000001"), ACK);
        assertEquals(List.of(Subtype.DSS, Subtype.ADD_ADDR),
                     options.options.stream().map(MptcpOption::subtype).collect(Collectors.toList()));
    }

    @Test
    void whatStandsBeforeABrokenOptionIsKept() {
        MptcpOptions options = MptcpOptionParser.parse(octets("1e040101 0300"), SYN);
        assertTrue(options.get(MpCapable.class).isPresent());
        assertEquals(List.of(MalformedReason.LENGTH_BELOW_TWO), options.malformed);
    }

    @Test
    void nothingIsReadBehindTheEnd() {
        assertTrue(MptcpOptionParser.parse(octets("00 1e040101"), SYN).isEmpty());
    }

    /** For each subtype and segment: which lengths, of all, are taken. Flags and reserved bits as hosts set them. */
    @ParameterizedTest
    @CsvSource({
        "01 01, 2, 4", "01 01, 18, 12", "01 01, 16, 20 22 24",
        "00 01, 2, 12", "00 01, 18, 12", "00 01, 16, 20",
        "10 00, 2, 12", "10 00, 18, 16", "10 00, 16, 24",
        "20 00, 16, 4", "20 01, 16, 8", "20 03, 16, 12", "20 04, 16, 14 16", "20 0c, 16, 18 20", "20 0f, 16, 26 28",
        "20 05, 16, 18 20", "20 11, 16, 8",
        "30 00, 16, 16 18 28 30", "31 00, 16, 8 10 20 22", "34 00, 16, 8 10 16 18 28 30",
        "36 00, 16, 16 18 20 22 28 30",
        "50 00, 16, 3 4", "60 00, 16, 12", "70 00, 16, 12", "80 00, 4, 4",
    })
    void lengthsTaken(String start, int flags, String lengths) {
        TreeSet<Integer> taken = new TreeSet<>();
        for (int length = 2; length <= 40; length++) {
            byte[] option = new byte[length];
            byte[] head = octets(start);
            System.arraycopy(head, 0, option, 2, Math.min(head.length, length - 2));
            option[0] = MptcpOption.KIND;
            option[1] = (byte) length;
            MptcpOptions options = MptcpOptionParser.parse(option, flags);
            assertEquals(options.isEmpty(), !options.malformed.isEmpty());
            if (!options.isEmpty()) {
                taken.add(length);
            }
        }
        assertEquals(lengths, taken.stream().map(String::valueOf).collect(Collectors.joining(" ")));
    }

    @Test
    void encoderPadsAndRefusesTooMuch() {
        assertEquals(0, MptcpOptionEncoder.encode(List.of()).length);
        byte[] padded = MptcpOptionEncoder.encode(List.of(OtherOptions.prio(true)));
        assertEquals(4, padded.length);
        assertEquals(1, padded[3]);
        MptcpOption big = new MpJoin.Ack(new byte[20]);
        assertThrows(IllegalArgumentException.class, () -> MptcpOptionEncoder.encode(List.of(big, big)));
    }

    @Test
    void valuesRefuseWhatDoesNotFit() {
        assertThrows(IllegalArgumentException.class, () -> new MpJoin.Syn(false, 256, Token.of(0), 0));
        assertThrows(IllegalArgumentException.class, () -> new MpJoin.Ack(new byte[19]));
        assertThrows(IllegalArgumentException.class, () -> new OtherOption(1, 0, new byte[0]));
        assertThrows(IllegalArgumentException.class, () -> new OtherOption(16, 0, new byte[0]));
        assertThrows(IllegalArgumentException.class, () -> MpCapable.synV1(-1));
    }
}
