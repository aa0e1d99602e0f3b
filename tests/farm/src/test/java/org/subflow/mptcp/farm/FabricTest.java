// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.farm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.subflow.mptcp.farm.Fabric.End;

class FabricTest {
    @ParameterizedTest
    @ValueSource(ints = {20, 23, 100, 1000})
    void linksHaveTwoEndsThatKnowEachOther(int switches) {
        Fabric fabric = new Fabric(switches);
        assertEquals(switches / 4 * 4, fabric.switches());
        for (int node = 1; node <= fabric.switches(); node++) {
            for (int port = 1; port <= fabric.ports(node); port++) {
                End other = fabric.across(node, port);
                if (other != null) {
                    assertEquals(new End(node, port), fabric.across(other.node(), other.port()));
                }
            }
        }
        assertEquals(2 * (fabric.switches() - 4), fabric.links());
    }

    @Test
    void eachHostHasAPortOfItsOwn() {
        Fabric fabric = new Fabric(20);
        assertEquals(16, fabric.hosts().size());
        assertEquals(16, fabric.hosts().stream().map(Fabric.Host::at).distinct().count());
        fabric.hosts().forEach(host -> assertNull(fabric.across(host.at().node(), host.at().port())));
        fabric.hosts().forEach(host -> assertNotNull(fabric.across(host.at().node(), 1)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 19, 1001, -4})
    void refusesAbsurdSizes(int switches) {
        assertThrows(IllegalArgumentException.class, () -> new Fabric(switches));
    }
}
