// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.runner.RunnerException;

class MainTest {
    @Test
    void unknownNameIsBadUsageAndSaysWhatThereIs() {
        String message = refusal("maxflow-fattree33");

        assertTrue(message.contains("'maxflow-fattree33'") && message.contains("maxflow-fattree32"), message);
    }

    @Test
    void unknownOptionIsBadUsage() {
        String message = refusal("--jsn");

        assertTrue(message.contains("--jsn") && message.contains("./lab bench"), message);
    }

    @Test
    void fileThatCannotBeWrittenIsRefusedBeforeAnythingRuns(@TempDir Path folder) {
        assertTrue(refusal("--json", folder.resolve("missing/file.json").toString()).contains("no such folder"));
        assertTrue(refusal("--json", folder.toString()).contains("folder"));
        assertTrue(refusal("--json").contains("--json"));
    }

    @Test
    void disagreementIsFoundAndRoundingIsNot() {
        Disagreement.check("flow", 1, 1 + 1e-12, 1e-9);

        assertThrows(Disagreement.class, () -> Disagreement.check("flow", 1, 1.1, 1e-9));
        assertThrows(Disagreement.class, () -> Disagreement.check("flow", Double.NaN, 1, 1e-9));
    }

    @Test
    void entryHasWhatTheContractNamesAndHowOftenItWasMeasured() {
        Measurement measurement = new Measurement(BenchmarkPair.ALL.get(0).full(), new Score(12.34567, 0.1, 30, 200.4),
                new Score(1234.567, Double.NaN, 1, 1e6));

        assertEquals("{name=maxflow-fattree32, unit=us/op, ours=12.35, oursError=0.1, oursN=30, peer=ortools-9.14 MaxFlow, "
                + "peerScore=1235.0, peerError=null, peerN=1, ratio=100.0, forks=3, seeds=10, oursBytesPerOp=200, "
                + "peerBytesPerOp=1000000}", measurement.json().toString());
    }

    @Test
    void lineFindsTheExponentAndItsError() {
        LogLogLine exact = LogLogLine.through(new double[] {10, 100, 1000}, new double[] {3, 300, 30_000});
        assertEquals(2, exact.exponent(), 1e-9);
        assertEquals(0, exact.error(), 1e-6);

        LogLogLine noisy = LogLogLine.through(new double[] {1, 2, 4}, new double[] {1, 4, 4});
        assertEquals(1, noisy.exponent(), 1e-9);
        assertEquals(12.706 / Math.sqrt(3), noisy.error(), 1e-3);
    }

    @Test
    void growthPrintsAllPointsAndTheExponentOfEachSide() throws RunnerException {
        Growth growth = Growth.quick().get(0);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<Growth.Point> points = growth.run(new PrintStream(out, true, StandardCharsets.UTF_8), (values, beginning) -> {
            double size = Double.parseDouble(values.get("connections"));
            Score ours = new Score(size, 1, 5, 0);
            return beginning.equals("ours") ? Map.of("ours", ours)
                    : Map.of("ours", ours, "peer", new Score(size * size, 1, 5, 0));
        });

        assertEquals(growth.sizes(), points.stream().map(Growth.Point::size).collect(Collectors.toList()));
        assertTrue(out.toString(StandardCharsets.UTF_8).strip().replaceAll(" +", " ")
                .endsWith("exponent 1.00 ± 0.00 2.00 ± 0.00"), out::toString);
        Map<String, Object> entry = growth.json(points);
        assertEquals(1.0, entry.get("exponent"));
        assertEquals(2.0, entry.get("peerExponent"));
    }

    @Test
    void seriesAreChosenByTheirNamesOrAllAtOnce() {
        List<String> names = new ArrayList<>(List.of("growth-proportional", "growth-max-min", "zeta-1000", "growth-shoe"));

        assertEquals(List.of("max-min", "proportional"), namesOf(Growth.taken(names, true)));
        assertEquals(List.of("zeta-1000", "growth-shoe"), names, "what is no series is left");
        assertEquals(4, Growth.taken(new ArrayList<>(List.of("growth")), false).size());
        assertEquals(4, Growth.taken(new ArrayList<>(), true).size());
        assertEquals(0, Growth.taken(new ArrayList<>(), false).size());
        assertTrue(refusal("growth-shoe").contains("growth-max-min"));
    }

    private static List<String> namesOf(List<Growth> series) {
        return series.stream().map(Growth::name).collect(Collectors.toList());
    }

    /** Runs with bad arguments and returns the one line that comes out on standard error. */
    private static String refusal(String... arguments) {
        PrintStream before = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            assertEquals(2, Main.run(List.of(arguments)));
        } finally {
            System.setErr(before);
        }
        String message = said.toString(StandardCharsets.UTF_8).strip();
        assertEquals(1, message.lines().count(), message);
        return message;
    }
}
