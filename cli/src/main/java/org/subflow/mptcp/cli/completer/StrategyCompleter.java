// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli.completer;

import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.onosproject.cli.AbstractChoicesCompleter;
import org.subflow.mptcp.path.strategy.PathStrategies;

/** Completes the names of path strategies. */
@Service
public class StrategyCompleter extends AbstractChoicesCompleter {
    @Override
    protected List<String> choices() {
        return PathStrategies.names();
    }
}
