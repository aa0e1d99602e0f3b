// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import static com.google.common.base.Preconditions.checkNotNull;

import org.subflow.mptcp.candidate.UnseenEnds;
import org.subflow.mptcp.lifecycle.NetworkChanges;
import org.subflow.mptcp.routing.SubflowEndpoints;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.NetworkView;

/** The network as the parts that decide see it. */
final class NetworkAccess {
    /** ONOS's network with full capacities. */
    final NetworkView view;
    final Attachments attachments;
    /** The application's rules. */
    final OwnRules rules;
    /** Asks hosts at their old ports. */
    final SubflowEndpoints.Asker hostAsker;
    /** Has {@link NetworkChanges#hostsChanged} run once more, after {@link SubflowEndpoints#ANSWER_MILLIS}. */
    final Runnable followHosts;
    /** Where the ends of connections may go unseen. */
    final UnseenEnds unseenEnds;

    NetworkAccess(NetworkView view, Attachments attachments, OwnRules rules,
                  SubflowEndpoints.Asker hostAsker, Runnable followHosts, UnseenEnds unseenEnds) {
        this.view = checkNotNull(view, "view");
        this.attachments = checkNotNull(attachments, "attachments");
        this.rules = checkNotNull(rules, "rules");
        this.hostAsker = checkNotNull(hostAsker, "hostAsker");
        this.followHosts = checkNotNull(followHosts, "followHosts");
        this.unseenEnds = checkNotNull(unseenEnds, "unseenEnds");
    }
}
