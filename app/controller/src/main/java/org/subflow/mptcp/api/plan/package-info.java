// SPDX-License-Identifier: Apache-2.0
/**
 * Questions that take a search: where a connection would go, better paths for those that there are, and how close the network
 * comes to the best of any routing.
 */
package org.subflow.mptcp.api.plan;
