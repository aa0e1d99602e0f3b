// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.candidate.Join;
import org.subflow.mptcp.candidate.Opening;
import org.subflow.mptcp.wiring.Stage;

/** Subflows with five-tuples that some connection has already. */
class ReusedFiveTuplesTest {
    private final Stage stage = new Stage();

    private Connection three() {
        stage.open();
        stage.join(1);
        return stage.join(2);
    }

    @Test
    void aConnectionThatOpensWithAnothersFiveTupleTakesThatFromIt() {
        stage.open();
        FiveTuple reused = stage.join(1).subflows().get(1).tuple();
        ConnectionId next = ConnectionId.of("0000000b");
        assertTrue(stage.admission.opened(next, Opening.of(Stage.tuple("10.0.0.12", 2000), List.of(new Join(reused, Direction.UP, false))),
                                          1, Token.of(3), Token.of(4), 0));
        assertEquals(List.of(1, 2), List.of(stage.connection().subflows().size(), stage.store.get(next).get().subflows().size()));
    }

    @Test
    void aSubflowWithoutAPathThatJoinsAgainGetsOneAndTheOthersKeepTheirs() {
        Connection both = three();
        FiveTuple idle = both.subflows().get(1).tuple();
        stage.provisioner.apply(List.of(both.mapSubflows(subflow -> subflow.tuple().equals(idle)
                ? subflow.withoutRoute(SubflowState.IDLE) : subflow)), ConnectionEvent.Type.SUBFLOW_IDLE);
        assertTrue(stage.joins.joined(Stage.ID, new Join(idle, Direction.UP, false)));
        assertEquals(both.subflows().stream().map(Subflow::tuple).collect(Collectors.toList()),
                     stage.connection().subflows().stream().map(Subflow::tuple).collect(Collectors.toList()));
        assertEquals(3, stage.connection().subflows().stream().map(Stage::middle).distinct().count());
    }

    @Test
    void aSubflowThatIsKnownIsNotRememberedOnceMoreAndOneOfAnotherIsTakenFromIt() {
        stage.open();
        FiveTuple known = stage.join(1).subflows().get(1).tuple();
        stage.joins.remember(Stage.ID, new Join(known, Direction.UP, false));
        assertEquals(2, stage.connection().subflows().size());
        ConnectionId other = stage.openAnother("0000000b", 2000).id();
        stage.joins.remember(other, new Join(known, Direction.UP, false));
        assertEquals(1, stage.connection().subflows().size());
        assertEquals(SubflowState.IDLE, stage.store.get(other).get().subflow(known).get().state());
    }

    @Test
    void aPacketOfASubflowWithAPathMovesNothing() {
        Connection both = three();
        long revision = stage.intents.submitted.values().iterator().next().revision;
        assertTrue(stage.resumptions.woken(Stage.ID, both.subflows().get(1).tuple()));
        assertEquals(both, stage.connection());
        assertEquals(revision, stage.intents.submitted.values().iterator().next().revision);
    }
}
