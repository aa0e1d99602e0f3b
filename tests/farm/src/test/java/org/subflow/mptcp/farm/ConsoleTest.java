// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.farm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsoleTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private String answer(String command) throws Exception {
        Loop loop = new Loop();
        Farm farm = new Farm(new Fabric(20), loop, 0);
        new Console(farm, new Traffic(farm, loop, 2, 1, 1), loop, new PrintStream(out, true, StandardCharsets.UTF_8))
                .run(List.of(command.split(" ")));
        return out.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fly", "open", "open 5", "open x 5", "open 0 5", "open 5 -1", "open NaN 1", "hang 99", "restore", "fail 100"})
    void aWrongCommandIsAnsweredByOneLine(String command) throws Exception {
        String said = answer(command);
        assertTrue(said.startsWith("{\"error\": \"") && said.endsWith("\"}\n"), said);
        assertEquals(1, said.lines().count());
    }

    @Test
    void theStateHasWhatThereIs() throws Exception {
        assertTrue(answer("state").startsWith("{\"switches\": 20, \"mastered\": 0, \"copying\": 0, \"links\": 32, \"hosts\": 16,"));
    }

    @Test
    void quantilesAreThoseOfTheSample() {
        List<Long> nanos = LongStream.rangeClosed(1, 200).mapToObj(millis -> millis * 1_000_000).toList();
        assertEquals(100.0, Quantiles.of(nanos).get("p50Millis"));
        assertEquals(198.0, Quantiles.of(nanos).get("p99Millis"));
        assertEquals(200.0, Quantiles.of(nanos).get("worstMillis"));
        assertNull(Quantiles.of(List.of()).get("p50Millis"));
    }

    @Test
    void codeBelongsToWhoWroteIt() {
        assertEquals("application", Profile.owner("org.subflow.mptcp.share.MaxMinAllocator"));
        assertEquals("southbound", Profile.owner("org.subflow.mptcp.southbound.flow.FlowStatsReader"));
        assertEquals("other", Profile.owner("org.subflow.mptcp.frame.FrameHeaders"));
        assertEquals("onos", Profile.owner("org.onosproject.net.DeviceId"));
        assertEquals("other", Profile.owner("java.util.HashMap"));
        assertEquals("onos-mptcp", Profile.kind("onos-mptcp-12"));
        assertEquals("FairShares.of", Profile.frame("org.subflow.mptcp.placement.rate.FairShares", "of"));
        assertEquals("Provisioner.place", Profile.frame("org.subflow.mptcp.provisioning.Provisioner$Nested", "lambda$place$12"));
    }
}
