// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.config;

import java.util.Map;
import org.onosproject.cfg.ComponentConfigService;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.subflow.mptcp.api.policy.Setting;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsEditService;
import org.subflow.mptcp.api.policy.SettingsService;

/** Writes checked settings to ONOS's component configuration, which takes any value itself. */
@Component(immediate = true, service = SettingsEditService.class)
public final class SettingsEditor implements SettingsEditService {
    private final ComponentConfigService configuration;
    private final SettingsService settings;

    /**
     * Makes an editor.
     *
     * @param configuration ONOS's component configuration; not null
     * @param settings      the settings in force; not null
     */
    @Activate
    public SettingsEditor(@Reference ComponentConfigService configuration, @Reference SettingsService settings) {
        this.configuration = configuration;
        this.settings = settings;
    }

    @Override
    public synchronized Settings change(Map<String, String> values) {
        Settings changed = settings.settings();
        for (Map.Entry<String, String> value : values.entrySet()) {
            changed = changed.read(Settings.named(value.getKey()), value.getValue());
        }
        for (String name : values.keySet()) {
            Setting<?> setting = Settings.named(name);
            configuration.setProperty(MptcpSettings.class.getName(), name, changed.get(setting).toString());
        }
        return changed;
    }
}
