// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

class NetworkWideContractTest extends PathStrategyContract {
    NetworkWideContractTest() {
        super("network-wide");
    }
}
