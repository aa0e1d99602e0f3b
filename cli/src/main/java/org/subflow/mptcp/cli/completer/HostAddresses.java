// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli.completer;

import java.util.ArrayList;
import java.util.List;
import org.onosproject.cli.AbstractShellCommand;
import org.onosproject.net.host.HostService;

/** The addresses of the hosts that ONOS knows. Completers share them thus: Karaf takes one that extends another for that other. */
final class HostAddresses {
    private HostAddresses() {
    }

    /** Returns all of them. */
    static List<String> all() {
        List<String> addresses = new ArrayList<>();
        AbstractShellCommand.get(HostService.class).getHosts()
                .forEach(host -> host.ipAddresses().forEach(address -> addresses.add(address.toString())));
        return addresses;
    }
}
