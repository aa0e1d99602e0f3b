// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScaleTest {
    @Test
    void everyRowGetsALineAndFourEntries() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<Map<String, Object>> entries = Scale.small().run(new PrintStream(out, true, StandardCharsets.UTF_8));

        String text = out.toString(StandardCharsets.UTF_8);
        assertEquals(2 + 2, text.lines().count(), text);
        assertEquals(8, entries.size());
        assertEquals("place-fattree4-5", entries.get(0).get("name"));
        assertEquals("depart-fattree4-ecmp-proportional-5", entries.get(6).get("name"));
        assertTrue((double) entries.get(1).get("ours") > 0, entries::toString);
    }
}
