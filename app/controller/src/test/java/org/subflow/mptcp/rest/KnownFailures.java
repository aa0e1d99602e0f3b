// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import java.util.ArrayList;
import java.util.List;
import org.subflow.mptcp.api.monitoring.FailedLink;
import org.subflow.mptcp.api.monitoring.FailedSwitch;
import org.subflow.mptcp.api.monitoring.FailureService;

/** Links and switches that have failed, as a test says. */
public final class KnownFailures implements FailureService {
    public final List<FailedLink> links = new ArrayList<>();
    public final List<FailedSwitch> switches = new ArrayList<>();

    @Override
    public List<FailedLink> links() {
        return List.copyOf(links);
    }

    @Override
    public List<FailedSwitch> switches() {
        return List.copyOf(switches);
    }
}
