// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host.report;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Optional;
import org.subflow.mptcp.api.FiveTuple;

/** A subflow as one of its hosts sees it. Immutable. */
public final class ReportedSubflow {
    private final FiveTuple tuple;
    private final double delivery;
    private final boolean isNetworkLimited;
    private final Optional<Boolean> backup;

    /** Makes one of which its host does not say whether it is a backup; see the other constructor. */
    public ReportedSubflow(FiveTuple tuple, double delivery, boolean isNetworkLimited) {
        this(tuple, delivery, isNetworkLimited, Optional.empty());
    }

    /**
     * Makes a reported subflow.
     *
     * @param tuple            its five-tuple with the reporting host as the source; not null
     * @param delivery         the rate at which the other host acknowledges what this one sends, bit/s on the wire
     * @param isNetworkLimited whether the network limits what it sends
     * @param backup           whether the hosts use it only when no other works; empty if that is not said; not null
     */
    public ReportedSubflow(FiveTuple tuple, double delivery, boolean isNetworkLimited, Optional<Boolean> backup) {
        this.tuple = checkNotNull(tuple, "tuple");
        this.delivery = delivery;
        this.isNetworkLimited = isNetworkLimited;
        this.backup = checkNotNull(backup, "backup");
    }

    /** Returns the five-tuple with the reporting host as the source. */
    public FiveTuple tuple() {
        return tuple;
    }

    /** Returns the rate at which the other host acknowledges what this one sends, bit/s on the wire. */
    public double delivery() {
        return delivery;
    }

    /** Returns whether its hosts use it only when no other works; empty if the reporting host does not say. */
    public Optional<Boolean> backup() {
        return backup;
    }

    /** Returns whether the network limits what it sends. */
    public boolean isNetworkLimited() {
        return isNetworkLimited;
    }
}
