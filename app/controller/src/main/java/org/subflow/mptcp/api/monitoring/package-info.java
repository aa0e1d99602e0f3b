// SPDX-License-Identifier: Apache-2.0
/**
 * For who watches the application: the state of the cluster, how long subflows wait for rules, and past events in words.
 */
package org.subflow.mptcp.api.monitoring;
