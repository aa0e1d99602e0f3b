// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.query;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.subflow.mptcp.admission.AwaitedConnections;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.plan.WhatIfAnswer;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.loop.Clock;
import org.subflow.mptcp.loop.Loops;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.reoptimisation.Reoptimiser;
import org.subflow.mptcp.wire.Question;
import org.subflow.mptcp.wire.Reply;

/** Answers questions on the loops that may, and waits for the answers. Thread-safe. */
public final class Searches {
    private static final long ANSWER_MILLIS = 4000;
    /** Of the control loop's time; connections may begin meanwhile. */
    private static final long EXAMINATION_NANOS = 300_000_000;

    private final Loops loops;
    private final SettingsService settings;
    private final WhatIf whatIf;
    private final Provisioner provisioner;
    private final Reoptimiser reoptimiser;
    private final AwaitedConnections awaited;
    private final Clock clock;

    public Searches(Loops loops, SettingsService settings, WhatIf whatIf, Provisioner provisioner, Reoptimiser reoptimiser,
                    AwaitedConnections awaited, Clock clock) {
        this.loops = checkNotNull(loops, "loops");
        this.settings = checkNotNull(settings, "settings");
        this.whatIf = checkNotNull(whatIf, "whatIf");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.reoptimiser = checkNotNull(reoptimiser, "reoptimiser");
        this.awaited = checkNotNull(awaited, "awaited");
        this.clock = checkNotNull(clock, "clock");
    }

    /** Answers a question; throws what fails. */
    Reply answer(Question asked) {
        switch (asked.kind) {
            case WHAT_IF:
                return Reply.forecast(whatIf(asked.strategies, settings.settings().with(Settings.SUBFLOWS, asked.number),
                                             asked.first));
            case ADD:
                return Reply.of(List.of(loops.decisions.ask(() -> awaited.add(asked.tuples, asked.number), ANSWER_MILLIS)));
            case REMOVE:
                return Reply.of(loops.decisions.ask(() -> awaited.remove(asked.id), ANSWER_MILLIS));
            case REOPTIMISE:
                return Reply.of(loops.decisions.ask(() -> reoptimise(Optional.ofNullable(asked.id)), ANSWER_MILLIS));
            default:
                return Reply.of(loops.questions.ask(() -> whatIf.plan(provisioner.live(), settings.settings()), ANSWER_MILLIS));
        }
    }

    private List<WhatIfAnswer> whatIf(List<String> strategies, Settings inForce, Subflow first) {
        long begin = clock.nanos();
        WhatIf.Moment now = loops.questions.ask(() -> whatIf.now(provisioner.live()), ANSWER_MILLIS);
        return strategies.stream().map(strategy -> {
            long asked = clock.nanos();
            long left = ANSWER_MILLIS - TimeUnit.NANOSECONDS.toMillis(asked - begin);
            if (left <= 0) {
                return WhatIfAnswer.failed("the strategies before took too long; ask for fewer");
            }
            try {
                Settings assumed = inForce.with(Settings.STRATEGY, strategy);
                Connection answer = loops.questions.ask(() -> now.connection(assumed, first), left);
                return WhatIfAnswer.of(answer, TimeUnit.NANOSECONDS.toMicros(clock.nanos() - asked));
            } catch (IllegalArgumentException | IllegalStateException e) {
                return WhatIfAnswer.failed(String.valueOf(e.getMessage()));
            }
        }).collect(Collectors.toList());
    }

    private List<Connection> reoptimise(Optional<ConnectionId> id) {
        return reoptimiser.examine(
                id.map(List::of).orElseGet(() -> provisioner.live().stream().map(Connection::id).collect(Collectors.toList())),
                clock.millis(), EXAMINATION_NANOS);
    }
}
