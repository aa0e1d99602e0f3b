// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.subflow.mptcp.southbound.host.MoveClaims.Verdict.ASK;
import static org.subflow.mptcp.southbound.host.MoveClaims.Verdict.MOVED;
import static org.subflow.mptcp.southbound.host.MoveClaims.Verdict.NOTHING;

import com.google.common.base.Ticker;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MacAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.HostId;

/** When frames at another port show that a host has moved. */
class MoveClaimsTest {
    private static final HostId HOST = HostId.hostId(MacAddress.valueOf(1));
    private static final ConnectPoint NEW = ConnectPoint.deviceConnectPoint("of:0000000000000002/1");
    private static final ConnectPoint OTHER = ConnectPoint.deviceConnectPoint("of:0000000000000003/1");

    private long millis;
    private final MoveClaims claims = new MoveClaims(new Ticker() {
        @Override
        public long read() {
            return TimeUnit.MILLISECONDS.toNanos(millis);
        }
    });

    @Test
    void aClaimIsBelievedAfterSomeSilenceAndTwoQuestions() {
        assertEquals(ASK, at(0, NEW));
        assertEquals(NOTHING, at(100, NEW));
        assertEquals(ASK, at(300, NEW));
        assertEquals(NOTHING, at(499, NEW));
        assertEquals(MOVED, at(500, NEW));
        assertEquals(ASK, at(501, NEW), "nothing remains of it");
    }

    @Test
    void anythingFromTheOldPortRefutesIt() {
        assertEquals(ASK, at(0, NEW));
        claims.refute(HOST);
        assertEquals(NOTHING, at(1500, NEW));
        assertEquals(ASK, at(2000, NEW), "it may have moved since");
        assertEquals(MOVED, at(3000, NEW));
    }

    @Test
    void aThirdPortBeginsAgain() {
        assertEquals(ASK, at(0, NEW));
        assertEquals(ASK, at(499, OTHER));
        assertEquals(ASK, at(800, OTHER));
        assertEquals(MOVED, at(999, OTHER));
    }

    @Test
    void aClaimThatIsNotRepeatedIsForgotten() {
        assertEquals(ASK, at(0, NEW));
        assertEquals(ASK, at(20_000, NEW));
    }

    @Test
    void aHostThatNobodyClaimsIsNotRemembered() {
        claims.refute(HOST);
        assertEquals(ASK, at(0, NEW));
        assertEquals(MOVED, at(1000, NEW));
    }

    private MoveClaims.Verdict at(long time, ConnectPoint port) {
        millis = time;
        return claims.claim(HOST, port);
    }
}
