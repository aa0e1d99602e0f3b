// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host.report;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Optional;
import org.subflow.mptcp.api.FiveTuple;

/** A subflow as one of its hosts sees it. Immutable. */
public final class ReportedSubflow {
    /** The five-tuple with the reporting host as the source. */
    public final FiveTuple tuple;
    /** The rate at which the other host acknowledges what this one sends, bit/s on the wire. */
    public final double delivery;
    /** Whether the network limits what it sends. */
    public final boolean isNetworkLimited;
    /** Whether its hosts use it only when no other works; empty if the reporting host does not say. */
    public final Optional<Boolean> backup;

    /** Makes one of which its host does not say whether it is a backup; see the other constructor. */
    public ReportedSubflow(FiveTuple tuple, double delivery, boolean isNetworkLimited) {
        this(tuple, delivery, isNetworkLimited, Optional.empty());
    }

    /** Makes a reported subflow; nothing may be null. */
    public ReportedSubflow(FiveTuple tuple, double delivery, boolean isNetworkLimited, Optional<Boolean> backup) {
        this.tuple = checkNotNull(tuple, "tuple");
        this.delivery = delivery;
        this.isNetworkLimited = isNetworkLimited;
        this.backup = checkNotNull(backup, "backup");
    }
}
