// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.codec.CodecContext;
import org.onosproject.codec.JsonCodec;
import org.subflow.mptcp.api.AwaitedService;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.monitoring.NameService;
import org.subflow.mptcp.rest.KnownAwaited;
import org.subflow.mptcp.rest.KnownConnections;
import org.subflow.mptcp.rest.view.ConnectionCodec;
import org.subflow.mptcp.topology.NetworkView;
import org.subflow.mptcp.wiring.Stage;

/** What REST and commands tell of subflows is in keeping with their connection and the network. */
class ToldStatesTest {
    private final Stage stage = new Stage();

    @BeforeEach
    void open() {
        stage.open();
        stage.join(1);
        stage.installed();
        assertEquals(List.of("active", "active"), told());
    }

    @Test
    void anIdleConnectionHasNoActiveSubflows() {
        stage.provisioner.makeIdle(List.of(stage.connection()));
        assertEquals(List.of("idle", "idle"), told());

        stage.resumptions.woken(Stage.ID, stage.connection().first().tuple());
        assertEquals(List.of("active", "active"), told(), "on the paths that it remembers");
    }

    @Test
    void noSubflowIsActiveOnALinkThatIsDown() {
        stage.cut(1, Stage.number(Stage.middle(stage.connection().first())));
        assertEquals(List.of("down", "active"), told());

        stage.changes.networkChanged(stage.millis);
        assertEquals(List.of("active", "active"), told());
        stage.switchesDown.add(5);
        assertEquals(List.of("down", "down"), told());
        assertEquals(ConnectionState.PENDING, stage.connection().state(), "before anybody has reacted");
    }

    private List<String> told() {
        JsonNode subflows = new ConnectionCodec().encode(stage.connection(), new Context()).path("subflows");
        return StreamSupport.stream(subflows.spliterator(), false).map(one -> one.path("state").asText())
                .collect(Collectors.toList());
    }

    private final class Context implements CodecContext {
        @Override
        public ObjectMapper mapper() {
            return new ObjectMapper();
        }

        @Override
        public <T> JsonCodec<T> codec(Class<T> type) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> T getService(Class<T> type) {
            return type.cast(type == NetworkView.class ? stage : type == NameService.class ? NameService.UNSTATED
                                     : type == AwaitedService.class ? new KnownAwaited() : new KnownConnections());
        }
    }
}
