// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/reference/commands.md} is that of the commands. To write it anew after a change:
 *
 * <pre>mvn test -pl cli -am -Dtest=CommandReferenceTest -Dsurefire.failIfNoSpecifiedTests=false -Dmptcp.golden=write</pre>
 */
class CommandReferenceTest {
    private static final Path FILE = Path.of("../docs/reference/commands.md");

    @Test
    void theDocumentIsThatOfTheCommands() throws Exception {
        String now = CommandReference.write();
        if ("write".equals(System.getProperty("mptcp.golden"))) {
            Files.createDirectories(FILE.getParent());
            Files.writeString(FILE, now);
        }
        assertEquals(Files.readString(FILE), now, FILE + " is not that of the commands; the comment of this test says how to write it");
    }
}
