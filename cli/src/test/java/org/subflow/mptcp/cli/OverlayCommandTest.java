// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.karaf.shell.support.CommandException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.osgi.framework.FrameworkUtil;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.OverlayService;
import org.subflow.mptcp.overlay.OverlayChoices;

/** {@code mptcp-overlay}, for the user named and for the default one. */
class OverlayCommandTest extends CommandScenario {
    private final OverlayChoices choices = new OverlayChoices();

    @BeforeEach
    void offer() {
        FrameworkUtil.offer(OverlayService.class, choices);
    }

    @Test
    void allActiveConnectionsAreShownToTheDefaultUser() throws Exception {
        assertEquals(List.of("Shown to user onos on ONOS's topology view"), shell.run("onos:mptcp-overlay on"));
        assertEquals(Optional.of(Set.of()), choices.shown("onos"));
    }

    @Test
    void someConnectionsAreShownToAnotherUser() throws Exception {
        shell.run("onos:mptcp-overlay -u guest on aaaa0001 bbbb0002");
        assertEquals(Optional.of(Set.of(ConnectionId.of("aaaa0001"), ConnectionId.of("bbbb0002"))),
                     choices.shown("guest"));
        assertEquals(Optional.empty(), choices.shown("onos"));
    }

    @Test
    void nothingIsShownAnyMore() throws Exception {
        shell.run("onos:mptcp-overlay on");
        assertEquals(List.of("No longer shown to user onos"), shell.run("onos:mptcp-overlay off"));
        assertEquals(Optional.empty(), choices.shown("onos"));
    }

    @Test
    void asJsonItSaysWhatIsShownNow() throws Exception {
        assertEquals("{\"user\":\"onos\",\"shown\":true,\"connections\":[\"aaaa0001\",\"bbbb0002\"]}",
                     shell.json("onos:mptcp-overlay -j on bbbb0002 aaaa0001").toString());
        assertEquals("{\"user\":\"onos\",\"shown\":false,\"connections\":[]}", shell.json("onos:mptcp-overlay -j off").toString());
    }

    @Test
    void anythingElseIsAnError() throws Exception {
        assertEquals("It takes on or off, not 'maybe'", shell.error("onos:mptcp-overlay maybe"));
        assertEquals(Optional.empty(), choices.shown("onos"));
    }

    @Test
    void withoutOnOrOffItSaysWhatIsMissing() {
        Exception missing = assertThrows(CommandException.class, () -> shell.run("onos:mptcp-overlay"));
        assertTrue(missing.getMessage().contains("on|off"), missing.getMessage());
    }

    @Test
    void whatCannotBeANameChangesNothing() {
        assertTrue(shell.error("onos:mptcp-overlay on -- -bad-").contains("is not a connection id"));
        assertEquals(Optional.empty(), choices.shown("onos"));
    }
}
