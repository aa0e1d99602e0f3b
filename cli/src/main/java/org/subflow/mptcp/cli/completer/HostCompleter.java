// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli.completer;

import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.onosproject.cli.AbstractChoicesCompleter;
import org.onosproject.cli.AbstractShellCommand;
import org.onosproject.net.host.HostService;

/** Completes the addresses and ids of hosts. */
@Service
public class HostCompleter extends AbstractChoicesCompleter {
    @Override
    public List<String> choices() {
        List<String> choices = new ArrayList<>();
        AbstractShellCommand.get(HostService.class).getHosts().forEach(host -> choices.add(host.id().toString()));
        choices.addAll(HostAddresses.all());
        return choices;
    }
}
