// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

class ResourcePoolContractTest extends PathStrategyContract {
    ResourcePoolContractTest() {
        super("resource-pool");
    }
}
