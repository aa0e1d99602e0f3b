// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

class LinkDisjointContractTest extends PathStrategyContract {
    LinkDisjointContractTest() {
        super("link-disjoint");
    }
}
