// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host.report;

import com.google.common.collect.ImmutableSet;
import java.util.Set;
import org.subflow.mptcp.api.FiveTuple;

/** A connection as one of its hosts has last reported it. Immutable. */
public final class HostView {
    /** When it was reported, milliseconds of the clock without steps. */
    public final long millis;
    /** The subflows that the host has, with the host as the source. */
    public final ImmutableSet<FiveTuple> present;
    /** The rate at which the other host acknowledges what this one sends, bit/s on the wire. */
    public final double delivery;
    /** Whether the network limits what it sends. */
    public final boolean isNetworkLimited;
    /** Whether the host can open further subflows. */
    public final boolean isAddable;

    public HostView(long millis, Set<FiveTuple> present, double delivery, boolean isNetworkLimited, boolean isAddable) {
        this.millis = millis;
        this.present = ImmutableSet.copyOf(present);
        this.delivery = delivery;
        this.isNetworkLimited = isNetworkLimited;
        this.isAddable = isAddable;
    }
}
