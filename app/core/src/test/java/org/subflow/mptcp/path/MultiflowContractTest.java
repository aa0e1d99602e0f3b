// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

class MultiflowContractTest extends PathStrategyContract {
    MultiflowContractTest() {
        super("multiflow");
    }
}
