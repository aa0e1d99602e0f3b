// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.subflow.mptcp.api.Token;

/** Properties of parser and encoder over all options and over any octets. */
class MptcpOptionPropertyTest {
    private static final int SYN = MptcpOptionParser.SYN;
    private static final int ACK = MptcpOptionParser.ACK;

    /** An option and the flags of a segment on which it may be. */
    private static Arbitrary<Tuple.Tuple2<MptcpOption, Integer>> on(int flags, Arbitrary<? extends MptcpOption> all) {
        return all.map(option -> Tuple.of(option, flags));
    }

    @Provide
    @SuppressWarnings("unchecked")
    Arbitrary<Tuple.Tuple2<MptcpOption, Integer>> optionsWithFlags() {
        return Arbitraries.oneOf(
                on(SYN, capableFlags().map(MpCapable::synV1)),
                on(SYN, Combinators.combine(capableFlags(), keys())
                        .as((flags, key) -> MpCapable.oneKey(MptcpVersion.V0, flags, key))),
                on(SYN | ACK, Combinators.combine(versions(), capableFlags(), keys()).as(MpCapable::oneKey)),
                on(ACK, Combinators.combine(versions(), capableFlags(), keys(), keys()).as(MpCapable::twoKeys)),
                on(ACK, Combinators.combine(capableFlags(), keys(), keys(), shorts(), maybe(shorts()))
                        .as(MpCapable::withData)),
                on(SYN, Combinators.combine(booleans(), bytes(), Arbitraries.integers().map(Token::of),
                                            Arbitraries.integers()).as(MpJoin.Syn::new)),
                on(SYN | ACK, Combinators.combine(booleans(), bytes(), octets(8), Arbitraries.integers())
                        .as(MpJoin.SynAck::new)),
                on(ACK, octets(20).map(MpJoin.Ack::new)),
                on(ACK, Arbitraries.of("20 00", "20 01 00000001", "20 0f 0000000000000001 0000000000000002 00000003 0064",
                                       "20 04 00000002 00000003 0064 beef", "30 05 0a000001 0102030405060708",
                                       "31 05 0a000001 0050", "34 05 0a000001", "36 05 fd000000000000000000000000000001",
                                       "40 01ff", "50", "51 07", "60 00 0000000000000009", "70 00 0000000000000009", "81 03")
                        .map(OtherOptions::of)),
                on(ACK, Combinators.combine(Arbitraries.integers().between(9, 15), Arbitraries.integers().between(0, 15),
                                            Arbitraries.bytes().array(byte[].class).ofMaxSize(37))
                        .as(OtherOption::new)));
    }

    private static Arbitrary<Integer> capableFlags() {
        return bytes().map(flags -> (flags | MpCapable.HMAC) & ~MpCapable.EXTENSIBILITY);
    }

    private static Arbitrary<MptcpVersion> versions() {
        return Arbitraries.of(MptcpVersion.class);
    }

    private static Arbitrary<Long> keys() {
        return Arbitraries.longs();
    }

    private static Arbitrary<Boolean> booleans() {
        return Arbitraries.of(true, false);
    }

    private static Arbitrary<Integer> bytes() {
        return Arbitraries.integers().between(0, 255);
    }

    private static Arbitrary<Integer> shorts() {
        return Arbitraries.integers().between(0, 65535);
    }

    private static Arbitrary<OptionalInt> maybe(Arbitrary<Integer> numbers) {
        return numbers.optional().map(number -> number.map(OptionalInt::of).orElse(OptionalInt.empty()));
    }

    private static Arbitrary<byte[]> octets(int count) {
        return Arbitraries.bytes().array(byte[].class).ofSize(count);
    }

    @Property(tries = 5000, edgeCases = EdgeCasesMode.NONE)
    void parsingWhatWasEncodedGivesItAgain(
            @ForAll("optionsWithFlags") Tuple.Tuple2<MptcpOption, Integer> optionWithFlags) {
        MptcpOption option = optionWithFlags.get1();
        MptcpOptions parsed = MptcpOptionParser.parse(MptcpOptionEncoder.encode(List.of(option)),
                                                      optionWithFlags.get2());
        assertEquals(List.of(option), parsed.options);
        assertEquals(option.subtype() == Subtype.UNKNOWN, !parsed.malformed.isEmpty());
        assertEquals(option.length(), option.toBytes().length);
    }

    /** A cut option is never taken for a whole one. */
    @Property(tries = 2000, edgeCases = EdgeCasesMode.NONE)
    void cutOptionsAreMalformed(@ForAll("optionsWithFlags") Tuple.Tuple2<MptcpOption, Integer> optionWithFlags,
                                @ForAll @IntRange(min = 1, max = 39) int cut) {
        byte[] whole = optionWithFlags.get1().toBytes();
        byte[] part = Arrays.copyOf(whole, Math.max(1, whole.length - cut));
        MptcpOptions parsed = MptcpOptionParser.parse(part, optionWithFlags.get2());
        assertEquals(List.of(MalformedReason.PAST_END), parsed.malformed);
        assertTrue(parsed.isEmpty());
    }

    @Property(tries = 2000, edgeCases = EdgeCasesMode.MIXIN)
    void anyOctetsAreRead(@ForAll @Size(max = 60) byte[] octets, @ForAll @IntRange(max = 0x1ff) int flags) {
        MptcpOptions parsed = MptcpOptionParser.parse(octets, flags);
        int length = parsed.options.stream().mapToInt(MptcpOption::length).sum();
        assertTrue(length <= octets.length);
    }

    /** Octets that look like options reach further into the parser than random ones. */
    @Property(tries = 2000, edgeCases = EdgeCasesMode.MIXIN)
    void anyKind30IsRead(@ForAll @Size(max = 37) byte[] body, @ForAll @IntRange(max = 0x1ff) int flags,
                         @ForAll @IntRange(min = -3, max = 3) int lie) {
        byte[] octets = new byte[2 + body.length];
        octets[0] = MptcpOption.KIND;
        octets[1] = (byte) (octets.length + lie);
        System.arraycopy(body, 0, octets, 2, body.length);
        MptcpOptions parsed = MptcpOptionParser.parse(octets, flags);
        for (MptcpOption option : parsed.options) {
            Optional<? extends MptcpOption> again =
                    MptcpOptionParser.parse(option.toBytes(), flags).get(option.getClass());
            assertEquals(Optional.of(option), again, "what was read can be written and read again");
        }
    }
}
