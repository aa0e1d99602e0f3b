// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.reflect.Proxy;
import java.util.Set;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreService;
import org.onosproject.core.CoreServiceAdapter;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.config.InvalidConfigException;
import org.onosproject.net.config.NetworkConfigService;
import org.osgi.framework.FrameworkUtil;
import org.subflow.mptcp.api.policy.KnownPolicies;
import org.subflow.mptcp.api.policy.Policies;
import org.subflow.mptcp.api.policy.PolicyEditService;
import org.subflow.mptcp.api.policy.PolicyService;
import org.subflow.mptcp.config.PolicyConfig;
import org.subflow.mptcp.config.PolicyEditor;

/** ONOS's network configuration with our policies. It checks them and wraps what is wrong, as ONOS's own store does. */
final class KnownConfiguration {
    private static final ApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private PolicyConfig written;

    /** Offers it to commands, with the policies that follow from it. */
    void offer() {
        FrameworkUtil.offer(PolicyService.class,
                            new KnownPolicies(() -> written == null ? Policies.NONE : written.policies()));
        CoreService core = new CoreServiceAdapter() {
            @Override
            public ApplicationId getAppId(String name) {
                return name.equals(APP.name()) ? APP : null;
            }
        };
        FrameworkUtil.offer(PolicyEditService.class, new PolicyEditor(core, (NetworkConfigService) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {NetworkConfigService.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "getConfigs":
                            return written == null || arguments[0] != APP ? Set.of() : Set.of(written);
                        case "applyConfig":
                            return apply(arguments[0] + "/" + arguments[1] + "/" + arguments[2], (JsonNode) arguments[3]);
                        default:
                            throw new UnsupportedOperationException(method.toString());
                    }
                })));
    }

    /** Writes a list of policies, with single quotes. */
    void write(String policies) throws JsonProcessingException {
        written = config(MAPPER.readTree("{\"policies\": " + policies.replace('\'', '"') + "}"));
    }

    /** Returns the list of policies that is written, with single quotes. */
    String policies() {
        return written == null ? "none" : written.node().path("policies").toString().replace('"', '\'');
    }

    private PolicyConfig apply(String where, JsonNode json) throws JsonProcessingException {
        if (!where.equals("apps/" + APP + "/mptcp")) {
            throw new IllegalStateException("ONOS would not find it at " + where);
        }
        // As text and back: nothing of it may be the command's own.
        PolicyConfig config = config(MAPPER.readTree(json.toString()));
        try {
            config.isValid();
        } catch (RuntimeException e) {
            throw new InvalidConfigException("apps", APP.name(), "mptcp", e);
        }
        written = config;
        return config;
    }

    private static PolicyConfig config(JsonNode json) {
        PolicyConfig config = new PolicyConfig();
        config.init(APP, PolicyConfig.KEY, json, MAPPER, null);
        return config;
    }
}
