// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

class KMaxContractTest extends PathStrategyContract {
    KMaxContractTest() {
        super("k-max");
    }
}
