// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import static com.google.common.base.Preconditions.checkNotNull;

import org.subflow.mptcp.rules.OwnRules;

/** The services of ONOS and of the application. */
final class Services {
    final NetworkServices network;
    final IntentServices intents;
    final ClusterServices cluster;
    final Application application;
    /** The application's rules. */
    final OwnRules rules;

    Services(NetworkServices network, IntentServices intents, ClusterServices cluster, Application application) {
        this.network = checkNotNull(network, "network");
        this.intents = checkNotNull(intents, "intents");
        this.cluster = checkNotNull(cluster, "cluster");
        this.application = checkNotNull(application, "application");
        this.rules = new OwnRules(network.flowRules, network.devices, application.id);
    }
}
