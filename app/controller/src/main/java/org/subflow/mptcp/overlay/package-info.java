// SPDX-License-Identifier: Apache-2.0
/**
 * Who wants to see which connections on ONOS's own topology view. What draws them there is in another bundle, because it
 * needs ONOS's GUI; this part does not.
 */
package org.subflow.mptcp.overlay;
