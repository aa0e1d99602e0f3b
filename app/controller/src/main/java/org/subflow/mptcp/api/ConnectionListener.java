// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import org.onosproject.event.EventListener;

/** A listener to events of connections. Called on ONOS's event threads; must return soon. */
public interface ConnectionListener extends EventListener<ConnectionEvent> {
}
