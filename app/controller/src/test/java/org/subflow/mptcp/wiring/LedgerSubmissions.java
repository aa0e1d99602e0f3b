// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import java.util.function.BooleanSupplier;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.intent.IntentService;
import org.onosproject.net.resource.ResourceService;
import org.subflow.mptcp.api.policy.PathLabels;
import org.subflow.mptcp.reservation.Reservations;
import org.subflow.mptcp.rules.FakeFlowRules;
import org.subflow.mptcp.rules.KnownSwitches;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.submission.ConnectionIntents;

/** Submits to stand-ins for ONOS's services. */
final class LedgerSubmissions implements SubmissionFactory {
    private final IntentService intents;
    private final ResourceService ledger;
    private final BooleanSupplier mayDecide;
    /** What was made last. */
    Reservations reservations;

    LedgerSubmissions(IntentService intents, ResourceService ledger, BooleanSupplier mayDecide) {
        this.intents = intents;
        this.ledger = ledger;
        this.mayDecide = mayDecide;
    }

    @Override
    public ConnectionIntents intents(ConnectionIntents.Outcome decisions) {
        OwnRules own = new OwnRules(new FakeFlowRules(), new KnownSwitches(5), new DefaultApplicationId(7, "org.subflow.mptcp"));
        return new ConnectionIntents(intents, own, decisions, () -> PathLabels.OFF);
    }

    @Override
    public boolean mayDecide() {
        return mayDecide.getAsBoolean();
    }

    @Override
    public Reservations reservations() {
        reservations = new Reservations(ledger, () -> { });
        return reservations;
    }
}
