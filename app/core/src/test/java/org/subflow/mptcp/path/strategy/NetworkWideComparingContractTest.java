// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;
import org.subflow.mptcp.path.PathRequest;

/** The contract holds whichever candidates a comparer calls the best. */
class NetworkWideComparingContractTest extends PathStrategyContract {
    NetworkWideComparingContractTest() {
        super("network-wide");
    }

    @Provide
    @Override
    Arbitrary<PathRequest.Builder> requests() {
        return super.requests().map(builder -> builder.shares(new DrawnCosts(builder.build().graph(), Integer.MAX_VALUE)));
    }
}
