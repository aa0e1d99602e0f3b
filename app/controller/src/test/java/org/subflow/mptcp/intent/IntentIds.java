// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import java.util.concurrent.atomic.AtomicLong;
import org.onosproject.core.IdGenerator;
import org.onosproject.net.intent.Intent;

/** Numbers ONOS's intents. ONOS has one generator for all of them, and so have all tests: nobody need take it away again. */
public final class IntentIds {
    private static final IdGenerator IDS = new AtomicLong()::getAndIncrement;

    private IntentIds() {
    }

    /** Has intents numbered from now on. */
    public static void bind() {
        Intent.unbindIdGenerator(IDS);
        Intent.bindIdGenerator(IDS);
    }
}
