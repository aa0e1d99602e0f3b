// SPDX-License-Identifier: Apache-2.0
/**
 * Configuration by users: settings as ONOS component configuration, policies as ONOS network configuration. Each is checked
 * in one place before it takes effect.
 */
package org.subflow.mptcp.config;
