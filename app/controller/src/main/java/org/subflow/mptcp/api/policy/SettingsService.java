// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.policy;

/** Gives the settings in force. Thread-safe. */
public interface SettingsService {
    /** Returns the settings in force; never null. */
    Settings settings();
}
