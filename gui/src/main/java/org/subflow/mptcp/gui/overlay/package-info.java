// SPDX-License-Identifier: Apache-2.0
/**
 * Connections on ONOS's own topology view (GUI2 of 2.5 to 2.7).
 *
 * <p>Foreign client code cannot be loaded there, but every browser session has a message handler of ours on the server
 * ({@link org.subflow.mptcp.gui.overlay.OverlayHandler}), which pushes highlights in the view's own message. The component
 * that registers it waits for ONOS's GUI; without one it is never there, and nothing else is missing.
 *
 * <p>What the view does with such a message, read in its source: it ignores each of the lists devices, hosts and links that is
 * empty. A host keeps its badge until a message names the host without one. A link has the label and the CSS classes of the
 * last message that named it, and loses both five seconds later. The view keeps that last message, and draws it again whenever
 * it draws the link anew, as when hosts are hidden and shown. A link's name with a hyphen, as a port's name may have one, is
 * taken for an older form, and its link is not found.
 * A link with an end that the view does not know stops its drawing once hosts are hidden; a removed switch takes other links
 * with it. Both last until the view is entered anew, which tells it the whole network. A session's handlers, ours among them,
 * live through that; they end with the session.
 *
 * <p>The view tells no handler of ours what is selected. It sends {@code requestDetails}, which has one handler in ONOS: the
 * core's, or ours in its place for all devices, hosts and links. The core lets the current {@code UiTopoOverlay} change its
 * answer, but GUI2 never sends {@code topoSelectOverlay}, which makes an overlay the current one.
 *
 * <p>{@code tests/gui/test_gui2.py} checks it in the view itself, as far as its libraries are published.
 *
 * <table>
 * <caption>Classes</caption>
 * <tr><td>{@code ShownConnections}</td><td>chooses connections and subflows: the named ones, or the few largest</td></tr>
 * <tr><td>{@code SubflowHighlights}</td><td>puts subflows on links, from host to host</td></tr>
 * <tr><td>{@code LinkLook}, {@code HostRoles}</td><td>colour, dashes and label of a link; badge of a host</td></tr>
 * </table>
 */
package org.subflow.mptcp.gui.overlay;
