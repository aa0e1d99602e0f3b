// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.routing;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.function.LongSupplier;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.NetworkView;

/**
 * Follows the attachment points of subflows' hosts, as hosts move and vanish.
 *
 * <p>If ONOS forgets a host, the host keeps its attachment point while its port is up. ONOS may forget a present host, for
 * example after its switch has lost the controller for a moment.
 *
 * <p>If ONOS reports a host at another port while its old port is up, the host is asked there. A gateway's address may move so
 * (VRRP, RFC 9568). But ONOS believes anybody who sends with another host's MAC address, and takes the hosts behind a new link
 * for hosts at the link's port. A host that is still there answers, and ONOS reports it there again. The host has moved if ONOS
 * has not done so after {@link #ANSWER_MILLIS}. Used by the control loop only.
 */
public final class SubflowEndpoints {
    /** How long a host has time to answer at its old port. */
    public static final long ANSWER_MILLIS = 250;
    /** Of hosts that are asked at once. Those that are forgotten are asked anew. */
    private static final int MOST_ASKED = 4096;

    private final Attachments attachments;
    private final NetworkView network;
    private final Asker asker;
    private final Runnable lookAgain;
    private final LongSupplier clockMillis;
    private final Cache<HostId, Asked> asked = CacheBuilder.newBuilder().maximumSize(MOST_ASKED).build();

    /** Asks a host whether it is at a port. */
    @FunctionalInterface
    public interface Asker {
        /**
         * Asks without waiting for the answer.
         *
         * @param tuple  a five-tuple from the host; not null
         * @param source the host; not null
         * @param port   where to ask; not null
         */
        void ask(FiveTuple tuple, Host source, ConnectPoint port);
    }

    private static final class Asked {
        private final HostLocation reported;
        private final long millis;

        private Asked(HostLocation reported, long millis) {
            this.reported = reported;
            this.millis = millis;
        }

        /** Returns whether ONOS has reported the host there ever since. */
        private boolean isAbout(HostLocation location) {
            return location.equals(reported) && location.time() == reported.time();
        }
    }

    /**
     * Makes the endpoints.
     *
     * @param network     knows which ports are up, and which lead to switches; not null
     * @param lookAgain   has all subflows looked at once more, after {@link #ANSWER_MILLIS}; not null
     * @param clockMillis milliseconds of a clock without steps; not null
     */
    public SubflowEndpoints(Attachments attachments, NetworkView network, Asker asker, Runnable lookAgain,
                            LongSupplier clockMillis) {
        this.attachments = checkNotNull(attachments, "attachments");
        this.network = checkNotNull(network, "network");
        this.asker = checkNotNull(asker, "asker");
        this.lookAgain = checkNotNull(lookAgain, "lookAgain");
        this.clockMillis = checkNotNull(clockMillis, "clockMillis");
    }

    /** Returns whether packets of a subflow still enter and leave the network at its attachment points. */
    public boolean hold(Subflow subflow) {
        return areUp(subflow)
                && now(subflow.tuple(), subflow.ingress()).equals(subflow.ingress())
                && now(subflow.tuple().reversed(), subflow.egress()).equals(subflow.egress());
    }

    /** Returns whether the ports at both ends of a subflow are up. */
    public boolean areUp(Subflow subflow) {
        return network.isUp(subflow.ingress()) && network.isUp(subflow.egress());
    }

    /** Returns a subflow without a path, at the present attachment points of its hosts as far as these are known. */
    public Subflow renewed(Subflow subflow) {
        return subflow.withEnds(now(subflow.tuple(), subflow.ingress()), now(subflow.tuple().reversed(), subflow.egress()));
    }

    /** Returns where a five-tuple's source is, which was last at a port. */
    private ConnectPoint now(FiveTuple from, ConnectPoint last) {
        Host host = attachments.host(from).orElse(null);
        if (host == null) {
            return last;
        }
        ConnectPoint reported = attachments.port(from, last).orElse(last);
        // Of a host that is at both ports, the frames say which it is.
        boolean isUndisputed = !network.isUp(last) || host.locations().stream().anyMatch(last::equals);
        return reported.equals(last) || network.snapshot().isBetweenSwitches(reported)
                || !isUndisputed && !isSilent(from, host, last) ? last : reported;
    }

    /** Returns whether a host that is reported elsewhere has not answered at its old port; asks it first. */
    private boolean isSilent(FiveTuple from, Host host, ConnectPoint last) {
        long now = clockMillis.getAsLong();
        Asked question = asked.getIfPresent(host.id());
        if (question == null || !question.isAbout(host.location())) {
            question = new Asked(host.location(), now);
            asked.put(host.id(), question);
            asker.ask(from, host, last);
        }
        boolean isSilent = now - question.millis >= ANSWER_MILLIS;
        if (!isSilent) {
            lookAgain.run();
        }
        return isSilent;
    }
}
