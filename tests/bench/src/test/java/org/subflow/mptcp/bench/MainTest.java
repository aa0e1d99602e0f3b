// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    void entryHasWhatTheContractNames() {
        Measurement measurement = new Measurement(BenchmarkPair.ALL.get(0), new Score(12.34567, 0.1, 200.4),
                new Score(1234.567, 1, 1e6));

        assertEquals("{name=maxflow-fattree32, unit=us/op, ours=12.35, peer=jgrapht-1.5.3 DinicMFImpl, peerScore=1235.0, "
                + "ratio=100.0, oursBytesPerOp=200, peerBytesPerOp=1000000}", measurement.json().toString());
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
