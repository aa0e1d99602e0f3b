// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.reflect.Proxy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreServiceAdapter;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.config.ConfigFactory;
import org.onosproject.net.config.NetworkConfigEvent;
import org.onosproject.net.config.NetworkConfigListener;
import org.onosproject.net.config.NetworkConfigRegistry;
import org.onosproject.net.config.basics.BandwidthCapacity;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.store.KnownApplications;

class MptcpPoliciesTest {
    private static final ApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");
    private static final FiveTuple TUPLE =
            FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 40_000, IpAddress.valueOf("10.0.0.2"), 80);

    private final KnownApplications onos = new KnownApplications(APP);
    private PolicyConfig written;
    private ConfigFactory<?, ?> factory;
    private NetworkConfigListener listener;
    private final MptcpPolicies policies = new MptcpPolicies(
            new CoreServiceAdapter() {
                @Override
                public ApplicationId registerApplication(String name) {
                    return APP;
                }
            }, registry(), onos);

    @BeforeEach
    void forgetWhatIsWritten() {
        written = null;
    }

    @Test
    void whatWasWrittenBeforeTheStartHolds() {
        written = PolicyConfigTest.config("{'policies': [{'name': 'early'}]}");
        policies.activate();
        assertEquals("early", policies.policyFor(TUPLE).name());
    }

    @Test
    void whatIsWrittenLaterHoldsAndGoes() {
        policies.activate();
        assertEquals("mptcp", factory.configKey());
        assertEquals("apps", factory.subjectFactory().subjectClassKey());
        assertFalse(factory.isList());
        assertEquals(Policy.STANDARD, policies.policyFor(TUPLE));

        written = PolicyConfigTest.config("{'policies': [{'name': 'later'}]}");
        tell(NetworkConfigEvent.Type.CONFIG_ADDED);
        assertEquals("later", policies.policyFor(TUPLE).name());

        written = null;
        tell(NetworkConfigEvent.Type.CONFIG_REMOVED);
        assertEquals(Policy.STANDARD, policies.policyFor(TUPLE));
    }

    @Test
    void whatIsNotUsableLeavesThePoliciesInForce() {
        written = PolicyConfigTest.config("{'policies': [{'name': 'good'}]}");
        policies.activate();
        written = PolicyConfigTest.config("{'policies': [{'name': 'bad', 'weight': -1}]}");
        tell(NetworkConfigEvent.Type.CONFIG_UPDATED);
        assertEquals("good", policies.policyFor(TUPLE).name());
    }

    @Test
    void otherConfigurationIsNotListenedTo() {
        policies.activate();
        assertFalse(listener.isRelevant(
                new NetworkConfigEvent(NetworkConfigEvent.Type.CONFIG_ADDED, APP, BandwidthCapacity.class)));
    }

    @Test
    void nothingIsLeftBehind() {
        policies.activate();
        policies.deactivate();
        assertNull(listener);
        assertNull(factory);
    }

    @Test
    void whatIsWrittenStaysUnlessTheApplicationIsUninstalled() {
        written = PolicyConfigTest.config("{'policies': [{'name': 'early'}]}");
        policies.activate();
        onos.deactivate();
        policies.deactivate();
        assertNotNull(written, "deactivated");

        policies.activate();
        onos.uninstall();
        policies.deactivate();
        assertNull(written);
    }

    private void tell(NetworkConfigEvent.Type type) {
        NetworkConfigEvent event = new NetworkConfigEvent(type, APP, PolicyConfig.class);
        if (listener.isRelevant(event)) {
            listener.event(event);
        }
    }

    private NetworkConfigRegistry registry() {
        return (NetworkConfigRegistry) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {NetworkConfigRegistry.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "getConfig":
                            assertEquals(APP, arguments[0]);
                            assertEquals(PolicyConfig.class, arguments[1]);
                            return written;
                        case "addListener":
                            listener = (NetworkConfigListener) arguments[0];
                            return null;
                        case "removeListener":
                            listener = null;
                            return null;
                        case "registerConfigFactory":
                            factory = (ConfigFactory<?, ?>) arguments[0];
                            return null;
                        case "removeConfig":
                            assertEquals(APP, arguments[0]);
                            assertEquals(PolicyConfig.class, arguments[1]);
                            written = null;
                            return null;
                        case "unregisterConfigFactory":
                            factory = null;
                            return null;
                        default:
                            throw new UnsupportedOperationException(method.toString());
                    }
                });
    }
}
