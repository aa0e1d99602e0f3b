// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

class ZoneDisjointContractTest extends PathStrategyContract {
    ZoneDisjointContractTest() {
        super("zone-disjoint");
    }
}
