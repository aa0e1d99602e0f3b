// SPDX-License-Identifier: Apache-2.0
/** What hosts' agents report, and the answers that they wait for. */
package org.subflow.mptcp.rest.report;
