// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli.completer;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.onosproject.cli.AbstractChoicesCompleter;
import org.onosproject.cli.AbstractShellCommand;
import org.subflow.mptcp.api.MptcpService;

/** Completes the names of connections. */
@Service
public class ConnectionIdCompleter extends AbstractChoicesCompleter {
    @Override
    protected List<String> choices() {
        return AbstractShellCommand.get(MptcpService.class).connections().stream()
                .map(connection -> connection.id().value())
                .collect(Collectors.toList());
    }
}
