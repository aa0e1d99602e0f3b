// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.config;

import static org.onosproject.net.config.basics.SubjectFactories.APP_SUBJECT_FACTORY;

import java.util.List;
import org.onosproject.app.ApplicationService;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreService;
import org.onosproject.net.config.ConfigFactory;
import org.onosproject.net.config.InvalidFieldException;
import org.onosproject.net.config.NetworkConfigEvent;
import org.onosproject.net.config.NetworkConfigListener;
import org.onosproject.net.config.NetworkConfigRegistry;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.policy.Policies;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.api.policy.PolicyService;
import org.subflow.mptcp.store.Uninstallation;
import org.subflow.mptcp.wiring.ConnectionManager;

/** Registers the format of policies in ONOS's network configuration, and follows changes there. */
@Component(immediate = true, service = PolicyService.class)
public final class MptcpPolicies implements PolicyService {
    private static final Logger LOG = LoggerFactory.getLogger(MptcpPolicies.class);

    private final CoreService core;
    private final NetworkConfigRegistry registry;
    private final ApplicationService applications;

    private final ConfigFactory<ApplicationId, PolicyConfig> factory =
            new ConfigFactory<ApplicationId, PolicyConfig>(APP_SUBJECT_FACTORY, PolicyConfig.class, PolicyConfig.KEY) {
                @Override
                public PolicyConfig createConfig() {
                    return new PolicyConfig();
                }
            };
    private final NetworkConfigListener listener = new ChangedPolicies();

    private ApplicationId appId;
    private Uninstallation uninstallation;
    private volatile Policies policies = Policies.NONE;

    /** Makes it, from services of ONOS. */
    @Activate
    public MptcpPolicies(@Reference CoreService core, @Reference NetworkConfigRegistry registry,
                         @Reference ApplicationService applications) {
        this.core = core;
        this.registry = registry;
        this.applications = applications;
    }

    @Activate
    void activate() {
        appId = core.registerApplication(ConnectionManager.APP_NAME);
        uninstallation = Uninstallation.watch(applications, appId);
        registry.addListener(listener);
        registry.registerConfigFactory(factory);
        read();
    }

    /** What the user has written stays, unless the application is uninstalled. */
    @Deactivate
    void deactivate() {
        registry.removeListener(listener);
        if (uninstallation.isUnderWay()) {
            registry.removeConfig(appId, PolicyConfig.class);
        }
        registry.unregisterConfigFactory(factory);
    }

    @Override
    public Policy policyFor(FiveTuple tuple) {
        return policies.policyFor(tuple);
    }

    @Override
    public List<Policy> policies() {
        return policies.list();
    }

    @Override
    public boolean mayBlockJoins() {
        return policies.mayBlockJoins();
    }

    /**
     * Reads the present configuration rather than that of the event, so that concurrent events never leave an older state.
     */
    private synchronized void read() {
        PolicyConfig config = registry.getConfig(appId, PolicyConfig.class);
        try {
            Policies read = config == null ? Policies.NONE : config.policies();
            if (!read.equals(policies)) {
                policies = read;
                LOG.info("{} policies for connections that begin from now on: {}", read.list().size(), read);
            }
        } catch (InvalidFieldException e) {
            LOG.warn("These policies are not usable, so those in force stay: {}", e.getMessage());
        }
    }

    private final class ChangedPolicies implements NetworkConfigListener {
        @Override
        public boolean isRelevant(NetworkConfigEvent event) {
            return event.configClass().equals(PolicyConfig.class);
        }

        @Override
        public void event(NetworkConfigEvent event) {
            read();
        }
    }
}
