// SPDX-License-Identifier: Apache-2.0
/** The hosts with agents, and what they have reported last. */
package org.subflow.mptcp.api.agent;
