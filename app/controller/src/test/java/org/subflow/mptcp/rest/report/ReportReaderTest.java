// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.host.report.Report;
import org.subflow.mptcp.host.report.ReportedConnection;
import org.subflow.mptcp.host.report.ReportedSubflow;

/** Agents' reports: those that are, and what else a host may send. */
class ReportReaderTest {
    static final String SUBFLOW = "{\"local\":\"10.0.0.1:38130\",\"remote\":\"10.0.0.2:5201\",\"deliveryMbps\":9.1,"
            + "\"cwnd\":40,\"rttMillis\":3.2,\"ackedBytes\":123456,\"limited\":\"network\"}";
    static final String WHOLE = "{\"version\":\"0.1.0\",\"backend\":\"bpf\",\"since\":17,\"waitMillis\":2000,"
            + "\"news\":[{\"a\":[1,null,\"x\"]}],\"connections\":[{\"subflows\":[" + SUBFLOW + "],\"ended\":false,"
            + "\"applicationLimited\":true}]}";

    private static Report read(String json) {
        return ReportReader.read(json.getBytes(StandardCharsets.UTF_8));
    }

    private static String refusal(String json) {
        String message = assertThrows(IllegalArgumentException.class, () -> read(json)).getMessage();
        assertTrue(message.matches("[ -~]{1,160}"), message);
        return message;
    }

    static String of(String subflow) {
        return "{\"connections\":[{\"subflows\":[" + subflow + "]}]}";
    }

    @Test
    void aReportHasWhatTheHostSays() {
        Report report = read(WHOLE);
        assertEquals(List.of("0.1.0", "bpf", OptionalLong.of(17), 2000L),
                     List.of(report.version, report.backend, report.since, report.waitMillis));
        ReportedConnection connection = report.connections.get(0);
        assertTrue(connection.isApplicationLimited && !connection.isEnded);
        ReportedSubflow subflow = connection.subflows.get(0);
        assertEquals(FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 38130, IpAddress.valueOf("10.0.0.2"), 5201), subflow.tuple);
        assertEquals(9.1e6, subflow.delivery, 1e-3);
        assertTrue(subflow.isNetworkLimited);
    }

    @Test
    void whatIsLeftOutHasADefault() {
        Report report = read("{}");
        assertEquals(List.of("", "", OptionalLong.empty(), 0L, List.of()),
                     List.of(report.version, report.backend, report.since, report.waitMillis, report.connections));
        assertEquals(OptionalLong.empty(), read("{\"since\":null}").since);
        assertFalse(read("{\"connections\":[{}]}").connections.get(0).isEnded);
        ReportedSubflow subflow = read(of("{\"local\":\"[fd00::1]:1\",\"remote\":\"[fd00::2]:65535\"}"))
                .connections.get(0).subflows.get(0);
        assertEquals("[fd00::1]:1>[fd00::2]:65535", subflow.tuple.toString());
        assertEquals(0, subflow.delivery);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "7", "null", "[]", "\"x\"", "{", "{\"version\"", "{\"version\":", "{\"connections\":[", "{}{}", "{} 7",
        "{\"version\":1}", "{\"version\":\"a b\"}", "{\"version\":\"\\n\"}", "{\"version\":null}", "{\"since\":1.5}", "{\"since\":\"1\"}",
        "{\"since\":99999999999999999999}", "{\"waitMillis\":-1}", "{\"connections\":{}}", "{\"connections\":[7]}",
        "{\"connections\":[{\"ended\":1}]}", "{\"connections\":[{\"subflows\":[[]]}]}", "{\"version\":\"a\",\"version\":\"b\"}", "{'a':1}"})
    void whatIsNoReportIsRefused(String json) {
        refusal(json);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "-0.001", "1000000.1", "1e7", "1e99999", "NaN", "Infinity", "-Infinity", "\"9\"", "null", "true", "0x10", "1.",
        "00000000000000000000000000000000000000001", "111111111111111111111111111111111111111111111111111111"})
    void aRateThatCannotBeRefusesTheReport(String rate) {
        refusal(of("{\"local\":\"10.0.0.1:1\",\"remote\":\"10.0.0.2:2\",\"deliveryMbps\":" + rate + "}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0.0", "1e6", "1000000", "1e-300"})
    void aRateMayBeSmallOrLarge(String rate) {
        assertEquals(Double.parseDouble(rate) * 1e6, read(of("{\"local\":\"10.0.0.1:1\",\"remote\":\"10.0.0.2:2\",\"deliveryMbps\":" + rate + "}"))
                .connections.get(0).subflows.get(0).delivery, 1e-3);
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.1, 10.0.0.2:5201", "10.0.0.1:65536, 10.0.0.2:1", "10.0.0.1:-1, 10.0.0.2:1", "10.0.0.1:, 10.0.0.2:1", ":1, 10.0.0.2:1",
        "10.0.0.1:1, [fd00::1]:1", "host:1, 10.0.0.2:1", "10.0.0:1, 10.0.0.2:1", "[10.0.0.1:1, 10.0.0.2:1", "10.0.0.1:+1, 10.0.0.2:1", "'', ''"})
    void anEndThatCannotBeRefusesTheReport(String local, String remote) {
        refusal(of("{\"local\":\"" + local + "\",\"remote\":\"" + remote + "\"}"));
    }

    @Test
    void aReportHasAThousandConnectionsOf64SubflowsAtMost() {
        String connection = "{\"ended\":true},";
        assertEquals(1000, read("{\"connections\":[" + connection.repeat(999) + "{}]}").connections.size());
        refusal("{\"connections\":[" + connection.repeat(1000) + "{}]}");
        String subflow = SUBFLOW + ",";
        assertEquals(64, read(of(subflow.repeat(63) + SUBFLOW)).connections.get(0).subflows.size());
        refusal(of(subflow.repeat(64) + SUBFLOW));
    }

    @Test
    void whatTakesLongIsRefusedSoon() {
        int many = 256 * 1024 - 20;
        List<String> heavy = List.of("[".repeat(many), "{\"x\":" + "[".repeat(many), "{\"x\":".repeat(many / 5),
                "{\"since\":" + "9".repeat(many) + "}", of("{\"deliveryMbps\":" + "9".repeat(many) + "}"),
                of("{\"deliveryMbps\":1e" + "9".repeat(many) + "}"), of("{\"local\":\"" + "1:".repeat(many / 2) + "\"}"),
                "{\"version\":\"" + "a".repeat(many) + "\"}");
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> heavy.forEach(ReportReaderTest::refusal));
    }
}
