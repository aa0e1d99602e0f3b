// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import static com.google.common.base.Preconditions.checkNotNull;

import org.onosproject.core.ApplicationId;
import org.osgi.framework.BundleContext;
import org.subflow.mptcp.api.monitoring.RuleTimesService;
import org.subflow.mptcp.api.policy.PolicyService;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.loop.Clock;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.segment.FlaggedSegments;
import org.subflow.mptcp.topology.NetworkView;

/** What the application is and has on this node, whether or not it decides there. */
final class Application {
    final ApplicationId id;
    final BundleContext bundle;
    final Clock clock;
    /** ONOS's network with full capacities. */
    final NetworkView network;
    final SettingsService settings;
    final PolicyService policies;
    final DetectCounters counters;
    final FlaggedSegments segments;
    /** Hears of waits for rules. */
    final RuleTimesService.Listener waits;

    Application(ApplicationId id, BundleContext bundle, Clock clock, NetworkView network, SettingsService settings,
                PolicyService policies, DetectCounters counters, FlaggedSegments segments,
                RuleTimesService.Listener waits) {
        this.id = checkNotNull(id, "id");
        this.bundle = checkNotNull(bundle, "bundle");
        this.clock = checkNotNull(clock, "clock");
        this.network = checkNotNull(network, "network");
        this.settings = checkNotNull(settings, "settings");
        this.policies = checkNotNull(policies, "policies");
        this.counters = checkNotNull(counters, "counters");
        this.segments = checkNotNull(segments, "segments");
        this.waits = checkNotNull(waits, "waits");
    }
}
