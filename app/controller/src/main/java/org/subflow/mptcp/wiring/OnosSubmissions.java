// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.function.Supplier;
import org.onosproject.net.resource.ResourceService;
import org.subflow.mptcp.api.policy.PathLabels;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.cluster.Mandate;
import org.subflow.mptcp.lifecycle.Outcomes;
import org.subflow.mptcp.loop.ControlLoop;
import org.subflow.mptcp.loop.Urgency;
import org.subflow.mptcp.reservation.Reservations;
import org.subflow.mptcp.submission.ConnectionIntents;

/** Submits to ONOS: on one node the application's intents, on several the rules that it has compiled itself. */
final class OnosSubmissions implements SubmissionFactory {
    private final Services onos;
    private final ResourceService resources;
    private final ControlLoop loop;
    private final Mandate mandate;

    /**
     * Makes it.
     *
     * @param resources ONOS's resources, or what answers soon if these do not
     * @param loop      gets outcomes
     */
    OnosSubmissions(Services onos, ResourceService resources, ControlLoop loop, Mandate mandate) {
        this.onos = checkNotNull(onos, "onos");
        this.resources = checkNotNull(resources, "resources");
        this.loop = checkNotNull(loop, "loop");
        this.mandate = checkNotNull(mandate, "mandate");
    }

    @Override
    public ConnectionIntents intents(ConnectionIntents.Outcome decisions) {
        Outcomes outcomes = new Outcomes(task -> loop.coalesced(Urgency.EVENT, task), decisions);
        Supplier<PathLabels> labels = () -> onos.application.settings.get(Settings.PATH_LABELS);
        IntentServices services = onos.intents;
        if (!onos.cluster.isCluster) {
            return new ConnectionIntents(services.intents, onos.rules, outcomes, labels);
        }
        return ConnectionIntents.inCluster(services.intents, services.store, onos.rules, outcomes, services.compiler,
                                           mandate::check, labels);
    }

    @Override
    public boolean mayDecide() {
        return mandate.isValid();
    }

    @Override
    public Reservations reservations() {
        return new Reservations(resources, mandate::check);
    }
}
