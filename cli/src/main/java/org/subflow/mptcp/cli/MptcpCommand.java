// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.karaf.shell.support.CommandException;
import org.onlab.osgi.ServiceNotFoundException;
import org.onosproject.cli.AbstractShellCommand;

/**
 * A command that fails with one line. Karaf prints the line of a {@link CommandException} without a trace and logs nothing; a
 * command over ssh, as with {@code onos localhost COMMAND}, ends with status 1.
 */
abstract class MptcpCommand extends AbstractShellCommand {
    @Override
    protected final void doExecute() throws CommandException {
        try {
            run();
        } catch (IllegalArgumentException | IllegalStateException | ServiceNotFoundException e) {
            String line = String.valueOf(e.getMessage()).replaceAll("\\p{Cntrl}+", " ");
            throw new CommandException(line, line, e);
        }
    }

    /**
     * Runs the command.
     *
     * @throws IllegalArgumentException if the user asks for what cannot be; the message is for the user
     * @throws IllegalStateException    if it cannot be done now; the message is for the user
     */
    protected abstract void run();

    /**
     * Prints a list as the user wants it: as JSON, or as lines below a head.
     *
     * @param items what to list; not null
     * @param json  writes one of them as JSON; not null
     * @param head  prints the head; not null
     * @param line  prints one of them as a line, or as several; not null
     */
    final <T> void list(Collection<T> items, Function<T, JsonNode> json, Runnable head, Consumer<T> line) {
        if (outputJson()) {
            print("%s", mapper().createArrayNode().addAll(items.stream().map(json).collect(Collectors.toList())));
        } else {
            head.run();
            items.forEach(line);
        }
    }
}
