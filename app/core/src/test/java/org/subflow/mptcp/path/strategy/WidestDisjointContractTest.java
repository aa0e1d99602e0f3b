// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

class WidestDisjointContractTest extends PathStrategyContract {
    WidestDisjointContractTest() {
        super("widest-disjoint");
    }
}
