// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.console.Command;
import org.junit.jupiter.api.Test;

/** What holds for all commands. */
class EveryCommandTest extends CommandScenario {
    private Set<String> names() {
        return shell.commands().stream().map(Command::getName).filter(name -> name.startsWith("mptcp-")).collect(Collectors.toSet());
    }

    @Test
    void theShellOfTheTestsHasAllOfThem() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/main/java/org/subflow/mptcp/cli"))) {
            // MptcpCommand and NetworkCommand are what they have in common.
            assertEquals(files.filter(file -> file.toString().endsWith("Command.java")).count() - 2, names().size());
        }
    }

    @Test
    void itsHelpHasExamplesAndTheOptionForJson() throws Exception {
        for (String name : names()) {
            String help = String.join("\n", shell.run("onos:" + name + " --help"));
            assertTrue(help.contains("Examples:"), help);
            assertTrue(help.contains("-j, --json"), help);
        }
    }

    /** All but a name that does not exist yet, and options with numbers or the name of a user of ONOS's GUI. */
    @Test
    void whateverThereIsToChooseFromIsCompleted() throws Exception {
        Set<String> free = Set.of("mptcp-policy-add name", "mptcp-policy-add --ports", "mptcp-policy-add --subflows", "mptcp-policy-add --mostSubflows",
                                  "mptcp-policy-add --weight", "mptcp-policy-add --capMbps", "mptcp-policy-add --minMbps",
                                  "mptcp-policy-add --manageAfterMillis", "mptcp-policy-add --manageAfterBytes",
                                  "mptcp-policy-add --maxDelayMillis", "mptcp-policy-add --maxDelaySpreadMillis",
                                  "mptcp-connection-add -t", "mptcp-events -n", "mptcp-overlay -u", "mptcp-paths -k");
        Set<String> without = new TreeSet<>();
        for (Class<?> command : CommandReference.commands()) {
            for (Field field : CommandReference.fields(command)) {
                Option option = field.getAnnotation(Option.class);
                boolean isFlag = option != null && field.getType() == boolean.class;
                if (!isFlag && !field.isAnnotationPresent(Completion.class)) {
                    without.add(command.getAnnotation(org.apache.karaf.shell.api.action.Command.class).name() + " "
                                        + (option == null ? field.getAnnotation(Argument.class).name() : option.name()));
                }
            }
        }
        assertEquals(new TreeSet<>(free), without);
    }

    @Test
    void tablesFit120Columns() throws Exception {
        mptcp.tellOfLinks(2.5, "g1");
        for (String line : List.of("connections -a", "connections aaaa0001", "subflows", "links")) {
            for (String printed : shell.run("onos:mptcp-" + line)) {
                assertTrue(printed.length() <= 120, printed);
            }
        }
    }

    @Test
    void anUnknownOptionFailsWithoutATrace() {
        for (String name : names()) {
            String error = shell.error("onos:" + name + " --no-such-option");
            assertFalse(error.contains("\tat ") || error.contains("Exception"), error);
            assertTrue(error.contains("--no-such-option"), error);
        }
    }

    @Test
    void withoutTheApplicationItFailsWithOneLine() {
        org.osgi.framework.FrameworkUtil.withdrawAll();
        Shell.offerAudit();
        for (String line : List.of("connections", "links", "counters", "agents", "subflows", "events", "policies", "strategies",
                                   "allocators", "settings", "reoptimize --dry-run", "overlay on", "paths 10.0.0.1 10.0.0.2",
                                   "connection-add 10.0.0.1:1,10.0.0.2:2", "connection-remove x", "policy-add a", "policy-remove a")) {
            String error = shell.error("onos:mptcp-" + line);
            assertTrue(error.matches("Service \\S+ not found"), error);
        }
    }
}
