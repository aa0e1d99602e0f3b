// SPDX-License-Identifier: Apache-2.0
/** Completers: what Tab offers for hosts, connections, strategies and policies. */
package org.subflow.mptcp.cli.completer;
