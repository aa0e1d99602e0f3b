// SPDX-License-Identifier: Apache-2.0
/**
 * What the connections of a network get on the paths that they have, and what they could get: expected throughputs, ζ, prices of
 * links, and the best rates of any routing.
 */
package org.subflow.mptcp.placement.rate;
