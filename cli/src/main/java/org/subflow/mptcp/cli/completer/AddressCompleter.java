// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli.completer;

import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.onosproject.cli.AbstractChoicesCompleter;

/** Completes the addresses of hosts. */
@Service
public class AddressCompleter extends AbstractChoicesCompleter {
    @Override
    protected List<String> choices() {
        return HostAddresses.all();
    }
}
