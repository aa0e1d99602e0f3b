// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.onosproject.cli.AbstractChoicesCompleter;
import org.onosproject.cli.AbstractShellCommand;
import org.onosproject.net.Host;
import org.onosproject.net.host.HostService;

/** Completes the addresses of hosts. */
@Service
public class AddressCompleter extends AbstractChoicesCompleter {
    @Override
    protected List<String> choices() {
        List<String> choices = new ArrayList<>();
        for (Host host : AbstractShellCommand.get(HostService.class).getHosts()) {
            host.ipAddresses().forEach(address -> choices.add(address.toString()));
        }
        return choices;
    }
}
