// SPDX-License-Identifier: Apache-2.0
/**
 * What applications see of ONOS's GUI: the service for extensions, and a session for each browser. The server side of GUI2 is
 * not published, so tests of extensions install this in the embedded ONOS. It is no part of it otherwise.
 *
 * <p>A session is a connection to {@link org.subflow.mptcp.southbound.gui.GuiSessions#PORT} of 127.0.0.1, with one message in
 * JSON a line where GUI2 has a websocket. The messages are GUI2's: {@code {"event": …, "payload": …}}. The first one names the
 * user as its token: {@code {"event": "authentication", "payload": {"token": "onos"}}}. Extensions' handlers do the rest;
 * there are none of the core's own.
 */
package org.subflow.mptcp.southbound.gui;
