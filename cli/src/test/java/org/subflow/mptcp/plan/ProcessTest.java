// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The planner as a process of its own, as users run it. {@code -Dmptcp.links=1000000} for a larger network. */
class ProcessTest {
    private static final int LINKS = Integer.getInteger("mptcp.links", 200_000);
    private static final String FAR = String.valueOf(LINKS * 2 / 5);
    private static final int PATIENCE_SECONDS = 300;

    @TempDir
    Path folder;

    @Test
    void answers() throws Exception {
        Run run = run("--topology", "diamond", "--from", "1", "--to", "5");
        assertEquals(0, run.status, run.err);
        assertEquals("", run.err);
        assertEquals(3, Run.paths(run.json(), 0).size());
    }

    @Test
    void refusesInOneLine() throws Exception {
        run().assertRefused("--topology");
        run("--topology", "diamond", "--from", "1", "--to", "1").assertRefused("both '1'");
        run("--topology", Run.file(folder, "broken.json", "{\"nodes\": ["), "--from", "1").assertRefused("--to");
        run("--topology", folder.resolve("broken.json").toString(), "--from", "1", "--to", "2").assertRefused("broken.json");
        run("--topology", Run.file(folder, "broken.graphml", "<graphml><graph>"), "--from", "1", "--to", "2")
                .assertRefused("broken.graphml", "line 1");
        // Java's XML parser may print a line itself.
        Path noText = Files.write(folder.resolve("octets.graphml"), new byte[] {'<', 'a', (byte) 0xc3, '('});
        run("--topology", noText.toString(), "--from", "1", "--to", "2").assertRefused("octets.graphml", "line 1");
    }

    @Test
    void aLargeNetwork() throws Exception {
        Run run = run("--topology", network("large.json", -1), "--from", "7", "--to", FAR);
        assertEquals(0, run.status, run.err);
        assertEquals(3, Run.paths(run.json(), 0).size());
    }

    @Test
    void aRouteOfManyLinks() throws Exception {
        int links = 30_000;
        StringBuilder chain = new StringBuilder("{\"nodes\": [{\"id\": 0}");
        for (int i = 1; i <= links; i++) {
            chain.append(",{\"id\": ").append(i).append('}');
        }
        chain.append("], \"links\": [");
        for (int i = 0; i < links; i++) {
            chain.append(i == 0 ? "" : ",").append("{\"source\": ").append(i).append(", \"target\": ").append(i + 1)
                    .append(", \"capacityMbps\": ").append(1 + i % 90).append('}');
        }
        String file = Run.file(folder, "chain.json", chain.append("]}").toString());

        Run run = run("--topology", file, "--from", "0", "--to", String.valueOf(links));
        assertEquals(0, run.status, run.err);
        assertEquals(1.0, run.json().get("connections").get(0).get("expectedMbps").asDouble());
    }

    @Test
    void theLastOfManyLinksIsWrong() throws Exception {
        run("--topology", network("broken.json", LINKS - 1), "--from", "7", "--to", FAR)
                .assertRefused("line " + (LINKS + 2), "has capacity -10.0 Mbit/s");
    }

    @Test
    void tooLittleMemory() throws Exception {
        Run run = execute(List.of("-Xmx24m"), "--topology", network("large.json", -1), "--from", "7", "--to", FAR);
        run.assertRefused("not enough memory", "-Xmx");
    }

    /**
     * Writes {@link #LINKS} links line by line: node i leads to 2i and 2i + 1 modulo the number of nodes (a de Bruijn graph), so
     * that paths are short. Capacities are 1 to 10 Mbit/s; one may be negative.
     */
    private String network(String name, int wrong) throws IOException {
        int nodes = LINKS / 2 + 1;
        Path file = folder.resolve(name);
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("{\"nodes\": [");
            for (int i = 0; i < nodes; i++) {
                out.write((i == 0 ? "" : ",") + "{\"id\":" + i + "}");
            }
            out.write("],\n\"links\": [\n");
            for (int i = 0; i < LINKS; i++) {
                int source = i / 2 + 1;
                // The last one would lead from a node to itself.
                int target = i == LINKS - 1 ? 1 : (i + 2) % nodes;
                int mbps = i == wrong ? -10 : 1 + i % 10;
                out.write("{\"source\":" + source + ",\"target\":" + target + ",\"capacityMbps\":" + mbps
                        + (i == LINKS - 1 ? "}\n" : "},\n"));
            }
            out.write("]}\n");
        }
        return file.toString();
    }

    private Run run(String... arguments) throws Exception {
        return execute(List.of("-Xmx1g"), arguments);
    }

    private Run execute(List<String> options, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Planner.class.getName()));
        command.addAll(List.of(arguments));
        Path out = Files.createTempFile(folder, "out", "");
        Path err = Files.createTempFile(folder, "err", "");
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        // Java announces these on standard error.
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"));
        Process process = builder.start();
        try {
            assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "no answer");
        } finally {
            process.destroyForcibly();
        }
        return new Run(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8),
                Files.readString(err, StandardCharsets.UTF_8));
    }
}
