// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

class KMaxMinContractTest extends PathStrategyContract {
    KMaxMinContractTest() {
        super("k-max-min");
    }
}
