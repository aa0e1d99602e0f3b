// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Hashtable;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Intervals as operators write them. */
class PollIntervalTest {
    private static final String NAME = "pollFrequency";
    private static final int CURRENT = 5;

    @ParameterizedTest
    @ValueSource(strings = {"1", " 1 ", "1\n"})
    void aNumberOfSecondsIsTaken(String text) {
        assertEquals(1, read(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-3", "1.5", "soon", "99999999999", "", "  "})
    void whatIsNoIntervalChangesNothing(String text) {
        assertEquals(CURRENT, read(text));
    }

    @Test
    void aMissingPropertyChangesNothing() {
        assertEquals(CURRENT, PollInterval.read(new Hashtable<>(), NAME, CURRENT));
    }

    @Test
    void aNumberNeedNotBeText() {
        assertEquals(30, PollInterval.read(new Hashtable<>(Map.of(NAME, 30)), NAME, CURRENT));
    }

    private static int read(String text) {
        return PollInterval.read(new Hashtable<>(Map.of(NAME, text)), NAME, CURRENT);
    }
}
