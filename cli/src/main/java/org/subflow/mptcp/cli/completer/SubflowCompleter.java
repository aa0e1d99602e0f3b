// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli.completer;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.onosproject.cli.AbstractChoicesCompleter;

/** Completes the beginning of a subflow: the address of a host that is to send its SYN. */
@Service
public class SubflowCompleter extends AbstractChoicesCompleter {
    @Override
    protected List<String> choices() {
        return HostAddresses.all().stream().map(address -> address.contains(":") ? "[" + address + "]:" : address + ":")
                .collect(Collectors.toList());
    }
}
