// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli.text;

import com.fasterxml.jackson.databind.node.ArrayNode;

/** The list of policies in ONOS's network configuration. */
public final class ConfiguredPolicies {
    private ConfiguredPolicies() {
    }

    /**
     * Returns where a policy is in the list.
     *
     * @throws IllegalArgumentException if it is not; the message is for the user
     */
    public static int index(ArrayNode policies, String name) {
        for (int i = 0; i < policies.size(); i++) {
            if (policies.get(i).path("name").asText().equals(name)) {
                return i;
            }
        }
        throw new IllegalArgumentException("There is no policy '" + name + "'; mptcp-policies lists them");
    }
}
