// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.flow;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.onosproject.openflow.controller.Dpid;

class RefusalLogTest {

    private static final Dpid S1 = Dpid.dpid(Dpid.uri(1));
    private static final Dpid S2 = Dpid.dpid(Dpid.uri(2));

    private long now;
    private final RefusalLog log = new RefusalLog(() -> now);

    @Test
    void eachSwitchIsNamedOnceInAWhile() {
        assertTrue(log.refused(S1, "full"));
        assertFalse(log.refused(S1, "full"));
        assertTrue(log.refused(S2, "full"));
        now += RefusalLog.PAUSE_NANOS;
        assertTrue(log.refused(S1, "full"));
    }
}
