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
import org.subflow.mptcp.path.strategy.PathStrategies;

class WhatIfTimesTest {
    @Test
    void everyStrategyGetsALineAndAllTogetherAnEntry() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<Map<String, Object>> entries = WhatIfTimes.small().run(new PrintStream(out, true, StandardCharsets.UTF_8));

        String text = out.toString(StandardCharsets.UTF_8);
        assertEquals(1 + 2 * (PathStrategies.names().size() + 1), text.lines().count(), text);
        PathStrategies.names().forEach(name -> assertTrue(text.contains(name), text));
        assertEquals(List.of("what-if-os3e-0", "what-if-os3e-5"), List.of(entries.get(0).get("name"), entries.get(1).get("name")));
        assertTrue((double) entries.get(1).get("ours") > 0, entries::toString);
    }
}
