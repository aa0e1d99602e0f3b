// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

class NodeDisjointContractTest extends PathStrategyContract {
    NodeDisjointContractTest() {
        super("node-disjoint");
    }
}
