// SPDX-License-Identifier: Apache-2.0
/**
 * What agents report, and what is concluded of it for a few seconds: demands, rates, subflows that nobody here knows.
 */
package org.subflow.mptcp.host.report;
