// SPDX-License-Identifier: Apache-2.0
/**
 * The connections that each user has chosen to see on ONOS's own topology view. Another bundle draws them, because only
 * that one needs ONOS's GUI.
 */
package org.subflow.mptcp.overlay;
