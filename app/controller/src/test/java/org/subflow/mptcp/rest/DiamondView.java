// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import java.util.Optional;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.NetworkView;
import org.subflow.mptcp.topology.PortCounter;

/** The network of {@link Nets#diamond()}, idle and up. */
public class DiamondView implements NetworkView {
    @Override
    public NetworkSnapshot snapshot() {
        return Nets.diamond();
    }

    @Override
    public double measured(Link link) {
        return 0;
    }

    @Override
    public Optional<PortCounter> counter(Link link) {
        return Optional.empty();
    }

    @Override
    public boolean isUp(ConnectPoint port) {
        return true;
    }

    @Override
    public void addListener(Listener listener) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void removeListener(Listener listener) {
        throw new UnsupportedOperationException();
    }
}
