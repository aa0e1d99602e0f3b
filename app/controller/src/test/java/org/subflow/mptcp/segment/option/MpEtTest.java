// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** MP_ET on the wire, as {@code docs/mp-et.md} has it. */
class MpEtTest {
    private static Optional<ReadMpEt> read(byte[] tcpOptions) {
        return MptcpOptionParser.parse(tcpOptions, 0).options.stream()
                .map(ReadMpEt::of).filter(Optional::isPresent).map(Optional::get).findFirst();
    }

    @Test
    void theOctetsAreThoseOfTheDocument() {
        byte[] expected = {30, 24, (byte) 0xf1, (byte) 0x80, 0x45, 0x54, 0, 15, 0, 0, 0x2e, (byte) 0xe0,
                           (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xfe, 1, 2, 3, 4, 5, 6, 7, 8};
        assertArrayEquals(expected, new MpEt(true, 15, 12_000, -2, 0x0102030405060708L).option().toBytes());
    }

    @Property
    void whatIsWrittenIsRead(@ForAll boolean backup, @ForAll @IntRange(max = MpEt.MOST_SECONDS) int seconds,
                             @ForAll @LongRange(max = 0xffffffffL) long rate, @ForAll int sequence, @ForAll long authenticator) {
        ReadMpEt read = read(MptcpOptionEncoder.encode(List.of(
                new MpEt(backup, seconds, rate, sequence, authenticator).option()))).orElseThrow();
        assertEquals(List.of(backup, seconds, rate, sequence, authenticator),
                     List.of(read.backup(), read.seconds(), read.kbitsPerSecond(), read.sequence(), read.authenticator()));
    }

    @Property
    void anyOctetsBehindTheIdentifyingOnesAreReadWithoutFailure(@ForAll @Size(max = 37) byte[] octets) {
        byte[] option = new byte[octets.length + 3];
        option[0] = 30;
        option[1] = (byte) option.length;
        option[2] = (byte) 0xf1;
        System.arraycopy(octets, 0, option, 3, octets.length);
        read(option).ifPresent(read -> assertEquals(List.of(MpEt.LENGTH, (byte) 0x45, (byte) 0x54),
                                                    List.of(option.length, option[4], option[5])));
    }

    @Test
    void anOptionThatIsDamagedWhereItTellsWhatItIsIsNotRead() {
        byte[] whole = new MpEt(false, 6, 5000, 3, 4).option().toBytes();
        for (int at : new int[] {0, 1, 2, 4, 5}) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x21;
            assertEquals(Optional.empty(), read(damaged), () -> "octet " + at);
        }
        byte[] reserved = whole.clone();
        reserved[3] |= 0x7f;
        assertEquals(5000, read(reserved).orElseThrow().kbitsPerSecond(), "reserved bits are ignored");
        assertEquals(Optional.empty(), ReadMpEt.of(OtherOptions.fail()));
    }

    @Test
    void numbersMustFit() {
        assertThrows(IllegalArgumentException.class, () -> new MpEt(false, 65_536, 0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new MpEt(false, -1, 0, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new MpEt(false, 1, -1, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new MpEt(false, 1, 1L << 32, 0, 0));
    }
}
