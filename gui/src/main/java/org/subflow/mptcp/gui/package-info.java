// SPDX-License-Identifier: Apache-2.0
/**
 * The web page at {@code /onos/mptcp}: static files built from {@code gui/page}, served by the web container with
 * {@link org.subflow.mptcp.gui.PageHeaders strict headers} behind ONOS's login.
 *
 * <p>The page asks REST under {@code /onos/v1/mptcp} for everything and is of no use to, and unknown by, any other
 * package.
 */
package org.subflow.mptcp.gui;
