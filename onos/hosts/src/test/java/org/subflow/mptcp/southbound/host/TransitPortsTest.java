// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.host;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Ticker;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.onosproject.net.ConnectPoint;

/** Where hosts' packets may merely pass, and for how long. */
class TransitPortsTest {
    private static final ConnectPoint PORT = ConnectPoint.deviceConnectPoint("of:0000000000000003/1");

    private long seconds;
    private final TransitPorts transit = new TransitPorts(new Ticker() {
        @Override
        public long read() {
            return TimeUnit.SECONDS.toNanos(seconds);
        }
    });

    @Test
    void aPortThatHasBeenUpForLongLeadsToHosts() {
        transit.cameUp(PORT);
        assertTrue(transit.mayBe(PORT), "its link may be about to be discovered");
        seconds = 10;
        assertFalse(transit.mayBe(PORT));
    }

    @Test
    void whereALinkWasThereMayBeOneAgain() {
        transit.lostLink(PORT);
        seconds = 10;
        assertTrue(transit.mayBe(PORT));
        seconds = 60;
        assertFalse(transit.mayBe(PORT));
    }

    @Test
    void otherPortsAreEdgePorts() {
        transit.cameUp(PORT);
        assertFalse(transit.mayBe(ConnectPoint.deviceConnectPoint("of:0000000000000003/2")));
    }
}
