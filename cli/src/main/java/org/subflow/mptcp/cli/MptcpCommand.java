// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

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
}
