// SPDX-License-Identifier: Apache-2.0
/**
 * What users configure: settings as ONOS component configuration, policies as ONOS network configuration; each checked in
 * one place before it takes effect.
 */
package org.subflow.mptcp.config;
