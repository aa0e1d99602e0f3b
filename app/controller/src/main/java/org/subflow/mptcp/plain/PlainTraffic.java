// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plain;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.function.UnaryOperator;
import org.onosproject.net.ConnectPoint;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.NetworkView;

/** Forwards plain TCP on the network as it is, and on other ways when links or hosts change. Thread-safe. */
public final class PlainTraffic {
    private final PlainTcpForwarder forwarder;
    private final NetworkView network;
    private final Attachments attachments;
    private final SettingsService settings;
    private final Runnable replacement;

    /**
     * Makes it; it installs nothing by itself.
     *
     * @param soon makes a trigger of the task that replaces rules, which looks at all rules of the application. If it fires several
     *             times while the task waits, the task runs once; not null
     */
    public PlainTraffic(PlainTcpForwarder forwarder, NetworkView network, Attachments attachments, SettingsService settings,
                        UnaryOperator<Runnable> soon) {
        this.forwarder = checkNotNull(forwarder, "forwarder");
        this.network = checkNotNull(network, "network");
        this.attachments = checkNotNull(attachments, "attachments");
        this.settings = checkNotNull(settings, "settings");
        this.replacement = soon.apply(this::replaceBroken);
    }

    /** Installs the rules of a connection in both directions, between the ports of its source and its destination. */
    public void forward(FiveTuple tuple, ConnectPoint source, ConnectPoint destination) {
        NetworkSnapshot now = network.snapshot();
        forwarder.forward(now, tuple, source, destination, idleSeconds(), () -> followChanges(now));
    }

    /** Installs the rules of one direction of a connection, from where its packets come in. */
    public void forwardFrom(ConnectPoint port, FiveTuple tuple) {
        attachments.port(tuple.reversed()).ifPresent(destination -> forwarder.forwardOneWay(
                network.snapshot(), tuple, port, destination, idleSeconds()));
    }

    /** Lets all packets of a busy service go between these ports for a while. */
    public void forwardService(FiveTuple initiators, ConnectPoint source, ConnectPoint destination) {
        forwarder.forwardService(network.snapshot(), new ServiceMatch(initiators, attachments::isOwn), source, destination,
                                 BusyServices.UNSEEN_SECONDS);
    }

    /** Has the rules replaced that no longer lead to their host; to be called when links or hosts change. */
    public void replaceBrokenRules() {
        replacement.run();
    }

    private void replaceBroken() {
        NetworkSnapshot now = network.snapshot();
        forwarder.replaceBroken(now, attachments::port, idleSeconds(), () -> followChanges(now));
    }

    /** Looks after rules that were made for a network which may have changed until the switches had them. */
    private void followChanges(NetworkSnapshot before) {
        if (network.snapshot() != before) {
            replaceBrokenRules();
        }
    }

    private int idleSeconds() {
        return settings.get(Settings.PLAIN_IDLE_SECONDS);
    }
}
