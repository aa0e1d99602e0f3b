// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.app.ApplicationServiceAdapter;
import org.onosproject.app.ApplicationState;
import org.onosproject.cfg.ComponentConfigAdapter;
import org.onosproject.cfg.ComponentConfigEvent;
import org.onosproject.cfg.ComponentConfigStore;
import org.onosproject.cfg.ComponentConfigStoreDelegate;
import org.onosproject.cfg.ConfigProperty;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreServiceAdapter;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.store.AbstractStore;
import org.osgi.service.component.ComponentContext;

/** What becomes of the values that the user has set when the application goes. */
class SettingsUninstallationTest {
    private static final ConfigProperty STRATEGY =
            ConfigProperty.defineProperty("strategy", ConfigProperty.Type.STRING, "widest-disjoint", "");

    private final List<String> done = new ArrayList<>();
    private final MptcpSettings settings = new MptcpSettings();
    private ApplicationState state = ApplicationState.ACTIVE;
    private Runnable hook;

    @BeforeEach
    void activate() {
        settings.core = new CoreServiceAdapter() {
            @Override
            public ApplicationId registerApplication(String name) {
                return new DefaultApplicationId(1, name);
            }
        };
        settings.applications = new ApplicationServiceAdapter() {
            @Override
            public ApplicationState getState(ApplicationId application) {
                return state;
            }

            @Override
            public void registerDeactivateHook(ApplicationId application, Runnable called) {
                hook = called;
            }
        };
        settings.configuration = new ComponentConfigAdapter() {
            @Override
            public Set<ConfigProperty> getProperties(String component) {
                return Set.of(STRATEGY);
            }

            @Override
            public void unregisterProperties(Class<?> component, boolean clear) {
                done.add((clear ? "unregistered and cleared " : "unregistered ") + component.getSimpleName());
            }
        };
        settings.store = new RecordingStore();
        // Of the context only the properties are read: none are set.
        settings.activate((ComponentContext) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] {ComponentContext.class}, (context, method, arguments) -> new Hashtable<>()));
    }

    @Test
    void deactivatedItLeavesThem() {
        state = ApplicationState.INSTALLED;
        hook.run();
        settings.deactivate();
        assertEquals(List.of("unregistered MptcpSettings"), done);
    }

    /** ONOS would look for the component that is to be cleared, and warn that it has just forgotten it. */
    @Test
    void uninstalledItClearsThemOnceOnosHasForgottenTheComponent() {
        state = null;
        hook.run();
        settings.deactivate();
        assertEquals(List.of("unregistered MptcpSettings", "unset strategy"), done);
    }

    private final class RecordingStore extends AbstractStore<ComponentConfigEvent, ComponentConfigStoreDelegate>
            implements ComponentConfigStore {
        @Override
        public void setProperty(String component, String name, String value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setProperty(String component, String name, String value, boolean override) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void unsetProperty(String component, String name) {
            assertEquals(MptcpSettings.class.getName(), component);
            done.add("unset " + name);
        }
    }
}
