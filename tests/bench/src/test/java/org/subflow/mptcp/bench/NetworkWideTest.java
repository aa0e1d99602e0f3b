// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkWideTest {
    /** Far below what was measured, so that only a mistake falls below it. */
    private static final double LEAST = 0.5;

    @TempDir
    Path folder;

    @Test
    void everyTopologyGetsALineAndAnEntry() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<NetworkWide.Row> rows = NetworkWide.small().run(new PrintStream(out, true, StandardCharsets.UTF_8));

        assertEquals(ConnectionSet.TOPOLOGIES.size() + 2, rows.size());
        for (NetworkWide.Row row : rows) {
            for (NetworkWide.Result result : row.results()) {
                assertTrue(result.sum() > LEAST && result.smallest() > LEAST && result.smallest() < 1 + 1e-6, result::toString);
            }
        }
        assertEquals(rows.size() + 3 + 1 + ConnectionSet.TOPOLOGIES.size(), out.toString(StandardCharsets.UTF_8).lines().count());
        Path json = folder.resolve("rows.json");
        NetworkWide.write(rows, json);
        assertTrue(Files.readString(json).contains("\"network-wide-cernet-8-smallest\""));
    }
}
