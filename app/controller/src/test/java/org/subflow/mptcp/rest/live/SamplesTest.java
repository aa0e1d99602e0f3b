// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.rest.KnownConnections;
import org.subflow.mptcp.rest.Scene;
import org.subflow.mptcp.topology.Nets;

/** Five minutes of figures. */
class SamplesTest {
    private final Scene scene = new Scene();
    private final Samples samples = new Samples();

    @Test
    void aSampleHasTheFiguresOfTheNetworkAndOfEachSubflow() {
        samples.take(10_000, scene);
        ObjectNode told = write();
        assertEquals("[1]", told.get("connections").toString(), "active ones");
        assertEquals("[9.2]", told.get("measuredMbps").toString());
        assertEquals("[1.0]", told.get("fairness").toString());
        assertEquals("[0.92]", told.get("mostUtilisation").toString());
        assertEquals("[0.0767]", told.get("meanUtilisation").toString());
        assertEquals("[9.2]", told.at("/rates/0/measuredMbps").toString());
        assertEquals("10.0.0.1:38130", told.at("/rates/0/subflow").asText());
    }

    @Test
    void fiveMinutesAreKept() {
        for (int i = 0; i < 2 * Samples.MOST; i++) {
            samples.take(i * Samples.PERIOD_MILLIS / 2, scene);
        }
        assertEquals(Samples.MOST, write().get("millis").size(), "not more often than every two seconds");
        samples.take(1_000_000, scene);
        assertEquals(Samples.MOST, write().get("millis").size());
        assertEquals(1_000_000, write().get("millis").get(Samples.MOST - 1).asLong());
    }

    @Test
    void whoIsNoLongerThereHasAGap() {
        samples.take(0, scene);
        scene.connections.clear();
        samples.take(Samples.PERIOD_MILLIS, scene);
        assertEquals("[9.2,null]", write().at("/rates/0/measuredMbps").toString());
        assertTrue(write().get("fairness").get(1).isNull(), "nobody is busy");
    }

    @Test
    void withoutAReadingThereIsNoRateAndNoUtilisation() {
        KnownConnections unread = new KnownConnections();
        unread.addRunning();
        unread.forgetMeasurements();
        unread.links.add(new LinkUsage(Nets.link(1, 2), Nets.capacity(Nets.CAPACITY), 0, Double.NaN, 0, 1));
        samples.take(0, unread);
        samples.take(Samples.PERIOD_MILLIS, new KnownConnections());
        assertEquals("[null,0.0]", write().get("measuredMbps").toString(), "without connections nothing is sent");
        assertEquals("[null,null]", write().get("meanUtilisation").toString());
        assertEquals("[null,null]", write().get("mostUtilisation").toString());
    }

    private ObjectNode write() {
        return samples.write(new ObjectMapper());
    }
}
