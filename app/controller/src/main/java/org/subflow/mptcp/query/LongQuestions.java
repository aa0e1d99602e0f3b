// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.query;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.loop.Clock;
import org.subflow.mptcp.loop.Loops;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.reoptimisation.Reoptimiser;

/** Questions whose answers take a search. Each is asked on the loop that may answer it, and waits for the answer. */
public final class LongQuestions {
    private static final long ANSWER_MILLIS = 4000;
    /** Of the control loop's time; connections may begin meanwhile. */
    private static final long EXAMINATION_NANOS = 300_000_000;

    private final Loops loops;
    private final SettingsService settings;
    private final WhatIf whatIf;
    private final Provisioner provisioner;
    private final Reoptimiser reoptimiser;
    private final Clock clock;

    public LongQuestions(Loops loops, SettingsService settings, WhatIf whatIf, Provisioner provisioner, Reoptimiser reoptimiser,
                         Clock clock) {
        this.clock = checkNotNull(clock, "clock");
        this.loops = checkNotNull(loops, "loops");
        this.settings = checkNotNull(settings, "settings");
        this.whatIf = checkNotNull(whatIf, "whatIf");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.reoptimiser = checkNotNull(reoptimiser, "reoptimiser");
    }

    Connection whatIf(Settings assumed, Subflow first) {
        return loops.questions.ask(() -> whatIf.connection(provisioner.live(), assumed, first), ANSWER_MILLIS);
    }

    List<Connection> backgroundPlan() {
        return loops.questions.ask(() -> whatIf.plan(provisioner.live(), settings.settings()), ANSWER_MILLIS);
    }

    List<Connection> reoptimise(Optional<ConnectionId> id) {
        return loops.decisions.ask(() -> reoptimiser.examine(
                id.map(List::of).orElseGet(() -> provisioner.live().stream().map(Connection::id).collect(Collectors.toList())),
                clock.millis(), EXAMINATION_NANOS), ANSWER_MILLIS);
    }
}
