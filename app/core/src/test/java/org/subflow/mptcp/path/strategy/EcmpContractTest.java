// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

class EcmpContractTest extends PathStrategyContract {
    EcmpContractTest() {
        super("ecmp");
    }
}
