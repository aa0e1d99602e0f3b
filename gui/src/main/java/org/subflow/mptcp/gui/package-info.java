// SPDX-License-Identifier: Apache-2.0
/**
 * The place of the web page at {@code /onos/mptcp} and of the overlay on ONOS's topology view.
 */
package org.subflow.mptcp.gui;
