// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.StillView;

/** The network of {@link Nets#diamond()}, idle and up. */
public class DiamondView implements StillView {
    @Override
    public NetworkSnapshot snapshot() {
        return Nets.diamond();
    }
}
