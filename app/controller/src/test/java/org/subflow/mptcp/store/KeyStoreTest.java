// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.detect.ConnectionKeys;
import org.subflow.mptcp.detect.option.MptcpVersion;
import org.subflow.mptcp.loop.LoopGuard;

/** Keys that outlive a restart. */
class KeyStoreTest {
    private static final ConnectionId ONE = ConnectionId.of("00000001");
    private static final ConnectionId OTHER = ConnectionId.of("00000002");

    private final KeyStore keys = new KeyStore(new HashMap<>(), LoopGuard.NONE);

    @Test
    void whatIsKnownComesBackAsItWas() {
        ConnectionKeys known = ConnectionKeys.of(MptcpVersion.V1, OptionalLong.of(-1), OptionalLong.empty());
        keys.put(ONE, known);
        ConnectionKeys found = keys.get(ONE).get();
        assertEquals(known.version(), found.version());
        assertEquals(OptionalLong.of(-1), found.initiatorKey());
        assertEquals(OptionalLong.empty(), found.listenerKey());
    }

    @Test
    void keysOfConnectionsThatWereNeverWrittenDoNotStay() {
        ConnectionKeys known = ConnectionKeys.of(MptcpVersion.V1, OptionalLong.of(1), OptionalLong.of(2));
        keys.put(ONE, known);
        keys.put(OTHER, known);
        keys.retain(Set.of(OTHER));
        assertFalse(keys.get(ONE).isPresent());
        assertTrue(keys.get(OTHER).isPresent());
    }
}
