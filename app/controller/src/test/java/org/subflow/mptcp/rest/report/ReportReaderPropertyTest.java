// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.report;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.subflow.mptcp.host.report.Report;

/** Whatever a host sends is a report within its bounds, or is refused with one line. */
class ReportReaderPropertyTest {
    @Property(tries = 2000)
    void anyBytesAreReadOrRefusedWithOneLine(@ForAll byte[] bytes) {
        readOrRefuse(bytes);
    }

    @Property(tries = 3000)
    void aDamagedReportIsReadOrRefusedWithOneLine(@ForAll("damage") List<Integer> damage) {
        byte[] bytes = ReportReaderTest.WHOLE.getBytes(StandardCharsets.UTF_8);
        for (int change = 0; change + 1 < damage.size(); change += 2) {
            bytes[damage.get(change) % bytes.length] = damage.get(change + 1).byteValue();
        }
        readOrRefuse(bytes);
        readOrRefuse(Arrays.copyOf(bytes, damage.get(0) % bytes.length));
    }

    @Property(tries = 2000)
    void anyTokensAreReadOrRefusedWithOneLine(@ForAll("tokens") List<String> tokens) {
        readOrRefuse(tokens.stream().collect(Collectors.joining()).getBytes(StandardCharsets.UTF_8));
    }

    private static void readOrRefuse(byte[] bytes) {
        try {
            Report report = ReportReader.read(bytes);
            assertTrue(report.connections.stream().flatMap(one -> one.subflows.stream())
                               .allMatch(one -> one.delivery >= 0 && one.delivery <= Report.MOST_BITS_PER_SECOND));
        } catch (IllegalArgumentException e) {
            assertTrue(e.getMessage().matches("[ -~]{1,160}"), e.getMessage());
        }
    }

    @Provide
    Arbitrary<List<Integer>> damage() {
        return Arbitraries.integers().between(0, 4095).list().ofMinSize(2).ofMaxSize(8);
    }

    @Provide
    Arbitrary<List<String>> tokens() {
        return Arbitraries.of("{", "}", "[", "]", ",", ":", "\"connections\":", "\"subflows\":", "\"local\":", "\"remote\":", "\"since\":",
                              "\"deliveryMbps\":", "\"ended\":", "\"10.0.0.1:1\"", "\"x\"", "\"\\u0000\"", "1", "-1", "1e400", "true", "null", " ",
                              ReportReaderTest.SUBFLOW, ReportReaderTest.of(ReportReaderTest.SUBFLOW)).list().ofMaxSize(30);
    }
}
