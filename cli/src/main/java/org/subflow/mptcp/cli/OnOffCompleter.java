// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.onosproject.cli.AbstractChoicesCompleter;

/** Completes {@code on} and {@code off}. */
@Service
public class OnOffCompleter extends AbstractChoicesCompleter {
    static final String ON = "on";
    static final String OFF = "off";

    @Override
    protected List<String> choices() {
        return List.of(ON, OFF);
    }
}
