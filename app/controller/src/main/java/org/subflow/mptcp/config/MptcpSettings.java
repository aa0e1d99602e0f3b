// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.config;

import com.google.common.base.Strings;
import java.util.Dictionary;
import java.util.Set;
import org.onlab.util.Tools;
import org.onosproject.app.ApplicationService;
import org.onosproject.cfg.ComponentConfigService;
import org.onosproject.cfg.ComponentConfigStore;
import org.onosproject.cfg.ConfigProperty;
import org.onosproject.core.CoreService;
import org.osgi.service.component.ComponentContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.policy.Setting;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.store.Uninstallation;
import org.subflow.mptcp.wiring.ConnectionManager;

/**
 * The settings as ONOS component configuration ({@code cfg set org.subflow.mptcp.config.MptcpSettings NAME VALUE}).
 *
 * <p>If any value of a change is unusable, all settings stay as they are, and the log says why.
 */
@Component(immediate = true, service = SettingsService.class)
public final class MptcpSettings implements SettingsService {
    private static final Logger LOG = LoggerFactory.getLogger(MptcpSettings.class);

    @Reference
    volatile ComponentConfigService configuration;
    @Reference
    volatile ComponentConfigStore store;
    @Reference
    volatile CoreService core;
    @Reference
    volatile ApplicationService applications;

    private Uninstallation uninstallation;

    private volatile Settings settings = Settings.DEFAULTS;

    @Activate
    void activate(ComponentContext context) {
        uninstallation = Uninstallation.watch(applications, core.registerApplication(ConnectionManager.APP_NAME));
        configuration.registerProperties(getClass());
        take(context.getProperties());
        tell();
    }

    /**
     * What the user has set stays, unless the application is uninstalled. Then the values go after the properties: ONOS's own
     * way would have it look for the component that it has just forgotten, and warn that there is none.
     */
    @Deactivate
    void deactivate() {
        String component = getClass().getName();
        Set<ConfigProperty> properties = configuration.getProperties(component);
        configuration.unregisterProperties(getClass(), false);
        if (uninstallation.isUnderWay()) {
            properties.forEach(property -> store.unsetProperty(component, property.name()));
        }
    }

    /** ONOS also calls this, twice, when it has read at a start what is already in force. */
    @Modified
    void modified(ComponentContext context) {
        Settings before = settings;
        take(context.getProperties());
        if (!settings.equals(before)) {
            tell();
        }
    }

    private void take(Dictionary<?, ?> properties) {
        try {
            settings = read(properties);
        } catch (IllegalArgumentException e) {
            LOG.warn("These settings are not usable, so the old ones stay in force: {}", e.getMessage());
        }
    }

    private void tell() {
        LOG.info("Settings: {}", settings);
    }

    @Override
    public Settings settings() {
        return settings;
    }

    /**
     * Reads settings from component properties; absent properties have their defaults.
     *
     * @throws IllegalArgumentException if a value is unusable; the message names usable values
     */
    static Settings read(Dictionary<?, ?> properties) {
        Settings read = Settings.DEFAULTS;
        for (Setting<?> setting : Settings.ALL) {
            String value = Strings.nullToEmpty(Tools.get(properties, setting.name()));
            read = value.isBlank() ? read : read.read(setting, value);
        }
        return read;
    }
}
