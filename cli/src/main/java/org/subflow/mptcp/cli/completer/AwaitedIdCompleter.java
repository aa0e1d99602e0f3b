// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli.completer;

import static org.onosproject.cli.AbstractShellCommand.get;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.onosproject.cli.AbstractChoicesCompleter;
import org.subflow.mptcp.api.AwaitedService;
import org.subflow.mptcp.api.MptcpService;

/** Completes the names of connections that are awaited. */
@Service
public class AwaitedIdCompleter extends AbstractChoicesCompleter {
    @Override
    protected List<String> choices() {
        AwaitedService awaited = get(AwaitedService.class);
        return get(MptcpService.class).connections().stream()
                .filter(connection -> awaited.awaitedUntil(connection.id()).isPresent())
                .map(connection -> connection.id().value())
                .collect(Collectors.toList());
    }
}
