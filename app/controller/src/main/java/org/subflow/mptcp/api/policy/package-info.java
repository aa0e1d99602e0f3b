// SPDX-License-Identifier: Apache-2.0
/**
 * Policies and settings, which say how connections are treated. The first matching {@link
 * org.subflow.mptcp.api.policy.Policy} and the {@link org.subflow.mptcp.api.policy.Settings} in force give a connection its
 * {@link org.subflow.mptcp.api.Terms} when it begins.
 */
package org.subflow.mptcp.api.policy;
