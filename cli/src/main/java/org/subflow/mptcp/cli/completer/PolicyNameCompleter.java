// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli.completer;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.onosproject.cli.AbstractChoicesCompleter;
import org.onosproject.cli.AbstractShellCommand;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.api.policy.PolicyService;

/** Completes the names of policies. */
@Service
public class PolicyNameCompleter extends AbstractChoicesCompleter {
    @Override
    protected List<String> choices() {
        return AbstractShellCommand.get(PolicyService.class).policies().stream().map(Policy::name).collect(Collectors.toList());
    }
}
