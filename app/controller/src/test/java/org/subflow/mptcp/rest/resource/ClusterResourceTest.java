// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.monitoring.ClusterState;
import org.subflow.mptcp.api.monitoring.ClusterState.Leader;
import org.subflow.mptcp.api.monitoring.ClusterStateService;

/** What a node tells of its cluster. */
class ClusterResourceTest {
    private static final List<String> OTHERS = List.of("10.0.0.2", "10.0.0.3");

    private ClusterState state;
    private final ClusterResource resource = new ClusterResource() {
        @Override
        public <T> T get(Class<T> service) {
            return service.cast((ClusterStateService) () -> state);
        }
    };

    @Test
    void aFollowerNamesTheLeaderAndTheAgeOfItsAnswers() throws IOException {
        state = new ClusterState("10.0.0.1", OTHERS, leader("10.0.0.2", 0, true), 120, true, List.of("of:1"));
        assertEquals("{\"node\":\"10.0.0.1\",\"nodes\":3,\"others\":[\"10.0.0.2\",\"10.0.0.3\"],"
                             + "\"leader\":\"10.0.0.2\",\"term\":0,\"ageMillis\":120,"
                             + "\"state\":\"follows\",\"message\":null,"
                             + "\"ready\":false,\"unwatched\":[\"of:1\"]}",
                     answer().toString());
    }

    @Test
    void withoutALeaderItSaysSo() throws IOException {
        state = new ClusterState("10.0.0.1", List.of(), Optional.empty(), -1, true, List.of());
        assertTrue(answer().path("leader").isNull());
        assertEquals("undecided", answer().path("state").asText());
        assertTrue(answer().path("message").asText().contains("next one"));
    }

    @Test
    void withoutStorageItSaysWhy() throws IOException {
        state = new ClusterState("10.0.0.1", OTHERS, Optional.empty(), 4000, false, List.of());
        assertTrue(answer().path("message").asText().contains("storage nodes do not answer"));
    }

    @Test
    void theLeaderDecides() throws IOException {
        state = new ClusterState("10.0.0.1", OTHERS, leader("10.0.0.1", 7, true), 0, true, List.of());
        assertEquals("decides", answer().path("state").asText());
        assertTrue(answer().path("ready").asBoolean());
    }

    @Test
    void untilTheLeaderHasBegunItIsNotReady() throws IOException {
        state = new ClusterState("10.0.0.1", OTHERS, leader("10.0.0.2", 0, false), 120, true, List.of());
        assertFalse(answer().path("ready").asBoolean());
    }

    private static Optional<Leader> leader(String node, long term, boolean hasBegun) {
        return Optional.of(new Leader(node, term, hasBegun));
    }

    private JsonNode answer() throws IOException {
        return new ObjectMapper().readTree(resource.cluster().getEntity().toString());
    }
}
