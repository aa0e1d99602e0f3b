// SPDX-License-Identifier: Apache-2.0
/**
 * Connections on ONOS's own topology view (GUI2 of 2.5 to 2.7).
 *
 * <p>Foreign client code cannot be loaded there, but every browser session has a message handler of ours on the server
 * ({@link org.subflow.mptcp.gui.overlay.OverlayHandler}), which pushes highlights in the view's own message. The component
 * that registers it waits for ONOS's GUI; without one it is never there, and nothing else is missing.
 */
package org.subflow.mptcp.gui.overlay;
