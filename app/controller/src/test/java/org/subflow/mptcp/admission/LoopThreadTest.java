// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.candidate.Join;
import org.subflow.mptcp.candidate.Opening;
import org.subflow.mptcp.loop.ControlLoop;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.wiring.Stage;

/** What the control loop alone may do is refused to other threads, also where it would change nothing. */
class LoopThreadTest {
    private static final FiveTuple NOBODYS = Stage.tuple("10.0.0.11", 4000);
    private static final FiveTuple OF_NO_HOST = Stage.tuple("10.0.0.99", 4000);
    private static final Join JOIN = new Join(NOBODYS, Direction.UP, false);
    private static final ConnectionId UNKNOWN = ConnectionId.of("ffffffff");

    private final ControlLoop loop = new ControlLoop(Thread::new, 10, System::nanoTime);
    private final Stage stage = loop.ask(() -> {
        Stage made = new Stage(LoopGuard.of(loop));
        made.guard = LoopGuard.of(loop);
        made.start();
        return made;
    }, 10_000);

    @AfterEach
    void stop() {
        loop.stop();
    }

    @Test
    void anotherThreadIsRefused() {
        Priorities priorities = new Priorities(stage.store, stage.provisioner);
        List<Executable> all = List.of(
                () -> stage.admission.opened(UNKNOWN, Opening.of(OF_NO_HOST, List.of()), 1, null, null, 0),
                () -> stage.admission.awaited(UNKNOWN, Opening.of(OF_NO_HOST, List.of()), 0),
                () -> stage.awaited.add(List.of(), 1),
                () -> stage.awaited.remove(UNKNOWN),
                () -> stage.awaited.begun(UNKNOWN),
                () -> stage.awaited.tick(0),
                () -> stage.joins.joined(UNKNOWN, JOIN),
                () -> stage.joins.remember(UNKNOWN, JOIN),
                () -> stage.joins.mayJoin(UNKNOWN, JOIN),
                () -> stage.resumptions.woken(UNKNOWN, NOBODYS),
                () -> stage.endings.ended(NOBODYS, true, 0),
                () -> stage.endings.begins(NOBODYS),
                () -> priorities.change(UNKNOWN, Map.of()));
        for (int index = 0; index < all.size(); index++) {
            IllegalStateException refusal = assertThrows(IllegalStateException.class, all.get(index), "number " + index);
            assertTrue(refusal.getMessage().contains("control loop alone"), refusal.getMessage());
        }
    }
}
