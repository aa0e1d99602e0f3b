// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli.completer;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.onosproject.cli.AbstractChoicesCompleter;
import org.subflow.mptcp.api.policy.Setting;
import org.subflow.mptcp.api.policy.Settings;

/** Completes the name of a setting, and then a value that it takes, if there are a few. */
@Service
public class SettingCompleter extends AbstractChoicesCompleter {
    @Override
    protected List<String> choices() {
        String[] words = commandLine.getArguments();
        int at = commandLine.getCursorArgumentIndex();
        if (at > 0 && Settings.ALL.stream().anyMatch(setting -> setting.name().equals(words[at - 1]))) {
            return Settings.named(words[at - 1]).choices();
        }
        return Settings.ALL.stream().map(Setting::name).collect(Collectors.toList());
    }
}
