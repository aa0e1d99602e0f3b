// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host.report;

import com.google.common.collect.ImmutableSet;
import java.util.Set;
import org.subflow.mptcp.api.FiveTuple;

/** A connection as one of its hosts has last reported it. Immutable. */
public final class HostView {
    private final long millis;
    private final ImmutableSet<FiveTuple> present;
    private final double delivery;
    private final boolean isNetworkLimited;
    private final boolean isAddable;

    public HostView(long millis, Set<FiveTuple> present, double delivery, boolean isNetworkLimited, boolean isAddable) {
        this.millis = millis;
        this.present = ImmutableSet.copyOf(present);
        this.delivery = delivery;
        this.isNetworkLimited = isNetworkLimited;
        this.isAddable = isAddable;
    }

    /** Returns when it was reported, milliseconds of the clock without steps. */
    public long millis() {
        return millis;
    }

    /** Returns the subflows that the host has, with the host as the source. */
    public Set<FiveTuple> present() {
        return present;
    }

    /** Returns the rate at which the other host acknowledges what this one sends, bit/s on the wire. */
    public double delivery() {
        return delivery;
    }

    /** Returns whether the network limits what it sends. */
    public boolean isNetworkLimited() {
        return isNetworkLimited;
    }

    /** Returns whether the host can open further subflows. */
    public boolean isAddable() {
        return isAddable;
    }
}
