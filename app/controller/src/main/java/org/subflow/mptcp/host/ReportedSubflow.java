// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import static com.google.common.base.Preconditions.checkNotNull;

import org.subflow.mptcp.api.FiveTuple;

/** A subflow as one of its hosts sees it. Immutable. */
public final class ReportedSubflow {
    private final FiveTuple tuple;
    private final double delivery;
    private final boolean isNetworkLimited;

    /**
     * Makes a reported subflow.
     *
     * @param tuple            its five-tuple with the reporting host as the source; not null
     * @param delivery         the rate at which the other host acknowledges what this one sends, bit/s on the wire
     * @param isNetworkLimited whether the network limits what it sends
     */
    public ReportedSubflow(FiveTuple tuple, double delivery, boolean isNetworkLimited) {
        this.tuple = checkNotNull(tuple, "tuple");
        this.delivery = delivery;
        this.isNetworkLimited = isNetworkLimited;
    }

    /** Returns the five-tuple with the reporting host as the source. */
    public FiveTuple tuple() {
        return tuple;
    }

    /** Returns the rate at which the other host acknowledges what this one sends, bit/s on the wire. */
    public double delivery() {
        return delivery;
    }

    /** Returns whether the network limits what it sends. */
    public boolean isNetworkLimited() {
        return isNetworkLimited;
    }
}
