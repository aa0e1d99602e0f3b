// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli.completer;

import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.onosproject.cli.AbstractChoicesCompleter;

/** Completes {@code on} and {@code off}. */
@Service
public class OnOffCompleter extends AbstractChoicesCompleter {
    public static final String ON = "on";
    public static final String OFF = "off";

    @Override
    protected List<String> choices() {
        return List.of(ON, OFF);
    }
}
