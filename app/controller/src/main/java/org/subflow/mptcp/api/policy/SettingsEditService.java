// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.policy;

import java.util.Map;

/** Changes settings in ONOS's component configuration, after a check. Those in force follow a moment later. Thread-safe. */
public interface SettingsEditService {
    /**
     * Changes the settings that are named; the others stay as they are.
     *
     * @param values names of settings to values as users type them; not null
     * @return all settings as they will be
     * @throws IllegalArgumentException if there is no such setting, or if it does not take the value; the message names those that
     *                                  there are or that it takes, and nothing changes
     */
    Settings change(Map<String, String> values);
}
