// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

class NodeDisjointContractTest extends PathStrategyContract {
    NodeDisjointContractTest() {
        super("node-disjoint");
    }
}
