// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.policy;

/** Gives the settings in force. Thread-safe. */
public interface SettingsService {
    /** Returns the settings in force; never null. */
    Settings settings();

    /** Returns the value in force of one of them; never null. */
    default <T> T get(Setting<T> setting) {
        return settings().get(setting);
    }
}
