// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

class LinkDisjointContractTest extends PathStrategyContract {
    LinkDisjointContractTest() {
        super("link-disjoint");
    }
}
