// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
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
        ArrayNode array = mapper().createArrayNode();
        if (!outputJson()) {
            print(FORMAT, "NAME", "VALUE", "DEFAULT", "IT TAKES");
        }
        for (Setting<?> setting : Settings.ALL) {
            if (name == null || setting == Settings.named(name)) {
                put(array, setting, settings.get(setting).toString());
            }
        }
        if (outputJson()) {
            print("%s", array);
        } else if (name != null) {
            print("%s.", Settings.named(name).meaning());
        }
    }

    private void put(ArrayNode array, Setting<?> setting, String held) {
        if (outputJson()) {
            array.addObject().put("name", setting.name()).put("value", held).put("default", setting.standard().toString())
                    .put("takes", setting.takes()).put("meaning", setting.meaning());
        } else {
            print(FORMAT, setting, held, setting.standard(), setting.takes());
        }
    }
}
