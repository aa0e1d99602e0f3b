// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

class ShortestPathContractTest extends PathStrategyContract {
    ShortestPathContractTest() {
        super("shortest");
    }
}
