// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

class MultiflowContractTest extends PathStrategyContract {
    MultiflowContractTest() {
        super("multiflow");
    }
}
