// SPDX-License-Identifier: Apache-2.0
/**
 * What users configure: settings as ONOS component configuration, checked in one place before they take effect.
 */
package org.subflow.mptcp.config;
