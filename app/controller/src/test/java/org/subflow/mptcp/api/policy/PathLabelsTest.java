// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PathLabelsTest {
    @Test
    void automaticallyTheyAreUsedWhereThereAreManyConnections() {
        assertFalse(PathLabels.AUTO.areUsed(PathLabels.MANY - 1));
        assertTrue(PathLabels.AUTO.areUsed(PathLabels.MANY));
        assertTrue(PathLabels.ON.areUsed(0));
        assertFalse(PathLabels.OFF.areUsed(10_000));
    }

    @Test
    void eachIsReadAsItIsWritten() {
        for (PathLabels each : PathLabels.values()) {
            assertEquals(each, Settings.PATH_LABELS.parse(each.toString()));
        }
    }
}
