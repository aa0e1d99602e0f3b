// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.config;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.BiConsumer;
import org.onosproject.core.CoreService;
import org.onosproject.net.config.InvalidConfigException;
import org.onosproject.net.config.InvalidFieldException;
import org.onosproject.net.config.NetworkConfigService;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.api.policy.PolicyEditService;
import org.subflow.mptcp.api.policy.PolicyService;
import org.subflow.mptcp.wiring.ConnectionManager;

/**
 * Writes policies to ONOS's network configuration. It needs the component that reads them: without that, ONOS would keep any
 * list, unread, until somebody activates the application.
 */
@Component(immediate = true, service = PolicyEditService.class,
           reference = @Reference(name = "reader", service = PolicyService.class))
public final class PolicyEditor implements PolicyEditService {
    private static final String SUBJECT_CLASS = "apps";
    private static final String POLICIES = "policies";

    private final CoreService core;
    private final NetworkConfigService configuration;

    /**
     * Makes an editor.
     *
     * @param core          knows the application; not null
     * @param configuration ONOS's network configuration; not null
     */
    @Activate
    public PolicyEditor(@Reference CoreService core, @Reference NetworkConfigService configuration) {
        this.core = core;
        this.configuration = configuration;
    }

    @Override
    public List<Policy> configured() {
        try {
            return PolicyReader.readAll(written()).list();
        } catch (InvalidFieldException e) {
            return List.of();
        }
    }

    private ArrayNode written() {
        ArrayNode policies = JsonNodeFactory.instance.arrayNode();
        configuration.getConfigs(core.getAppId(ConnectionManager.APP_NAME)).stream()
                .filter(config -> config.key().equals(PolicyConfig.KEY))
                .forEach(config -> config.node().path(POLICIES).forEach(policy -> policies.add(policy.deepCopy())));
        return policies;
    }

    @Override
    public synchronized ArrayNode change(BiConsumer<List<Policy>, ArrayNode> change) {
        ArrayNode policies = written();
        change.accept(configured(), policies);
        ObjectNode whole = JsonNodeFactory.instance.objectNode();
        whole.set(POLICIES, policies);
        try {
            configuration.applyConfig(SUBJECT_CLASS, core.getAppId(ConnectionManager.APP_NAME), PolicyConfig.KEY, whole);
        } catch (InvalidConfigException e) {
            // The cause names the policy and the field, the exception itself only the configuration.
            Throwable told = e.getCause() == null ? e : e.getCause();
            throw new IllegalArgumentException(String.valueOf(told.getMessage()).replaceAll("\\p{Cntrl}", " "), e);
        }
        return policies;
    }
}
