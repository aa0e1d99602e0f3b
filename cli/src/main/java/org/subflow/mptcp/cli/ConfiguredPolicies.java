// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import static org.onosproject.cli.AbstractShellCommand.get;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Consumer;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreService;
import org.onosproject.net.config.InvalidConfigException;
import org.onosproject.net.config.NetworkConfigService;
import org.subflow.mptcp.api.PolicyService;

/** The list of policies in ONOS's network configuration, where users of REST write it as a whole. */
final class ConfiguredPolicies {
    private static final String APPLICATION = "org.subflow.mptcp";
    private static final String SUBJECT_CLASS = "apps";
    private static final String KEY = "mptcp";

    private ConfiguredPolicies() {
    }

    /**
     * Changes the list. ONOS's configuration knows no compare-and-set: what another node of the cluster, or REST, writes in the
     * same moment can get lost. Commands on this node wait for one another.
     *
     * @param change changes the JSON of the list, and may throw an IllegalArgumentException to leave everything as it is
     * @return the list as it is configured now
     * @throws IllegalArgumentException if a policy is unusable, as over REST; the message has one line, and nothing changes
     */
    static synchronized ArrayNode change(Consumer<ArrayNode> change) {
        // Without the application ONOS would keep any list, unread, until somebody activates it.
        get(PolicyService.class);
        NetworkConfigService configuration = get(NetworkConfigService.class);
        ApplicationId application = get(CoreService.class).getAppId(APPLICATION);
        ObjectNode whole = JsonNodeFactory.instance.objectNode();
        ArrayNode policies = whole.putArray("policies");
        configuration.getConfigs(application).stream()
                .filter(config -> config.key().equals(KEY))
                .forEach(config -> config.node().path("policies").forEach(policy -> policies.add(policy.deepCopy())));
        change.accept(policies);
        try {
            configuration.applyConfig(SUBJECT_CLASS, application, KEY, whole);
        } catch (InvalidConfigException e) {
            // The cause names the policy and the field, the exception itself only the configuration.
            Throwable told = e.getCause() == null ? e : e.getCause();
            throw new IllegalArgumentException(String.valueOf(told.getMessage()).replaceAll("\\p{Cntrl}", " "), e);
        }
        return policies;
    }

    /**
     * Returns where a policy is in the list.
     *
     * @throws IllegalArgumentException if it is not; the message is for the user
     */
    static int index(ArrayNode policies, String name) {
        for (int i = 0; i < policies.size(); i++) {
            if (policies.get(i).path("name").asText().equals(name)) {
                return i;
            }
        }
        throw new IllegalArgumentException("There is no policy '" + name + "'; mptcp-policies lists them");
    }
}
