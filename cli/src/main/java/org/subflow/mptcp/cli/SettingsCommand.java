// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import java.util.List;
import java.util.Map;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.subflow.mptcp.api.policy.Setting;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsEditService;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.cli.completer.SettingCompleter;

/** Lists the settings in force, or changes one in ONOS's component configuration after a check. */
@Service
@Command(scope = "onos", name = "mptcp-settings", description = "Lists the settings, tells of one, or changes one",
        detailedDescription = "'cfg set org.subflow.mptcp.config.MptcpSettings NAME VALUE' changes one, too, but takes any value: "
                + "one that is not usable is in the log only.\nExamples:\n"
                + "  mptcp-settings\n  mptcp-settings joinPolicy\n  mptcp-settings joinPolicy backup\n  mptcp-settings -j")
public class SettingsCommand extends MptcpCommand {
    private static final String FORMAT = "%-24s %-16s %-16s %s";

    @Argument(index = 0, name = "name", description = "Name of a setting; all if left out")
    @Completion(SettingCompleter.class)
    private String name = null;

    @Argument(index = 1, name = "value", description = "Its new value")
    @Completion(SettingCompleter.class)
    private String value = null;

    @Override
    protected void run() {
        Settings settings = value == null ? get(SettingsService.class).settings()
                : get(SettingsEditService.class).change(Map.of(name, value));
        list(name == null ? Settings.ALL : List.<Setting<?>>of(Settings.named(name)),
             setting -> mapper().createObjectNode().put("name", setting.name()).put("value", settings.get(setting).toString())
                     .put("default", setting.standard().toString()).put("takes", setting.takes()).put("meaning", setting.meaning()),
             () -> print(FORMAT, "NAME", "VALUE", "DEFAULT", "IT TAKES"),
             setting -> print(FORMAT, setting, settings.get(setting), setting.standard(), setting.takes()));
        if (!outputJson() && name != null) {
            print("%s.", Settings.named(name).meaning());
        }
    }
}
