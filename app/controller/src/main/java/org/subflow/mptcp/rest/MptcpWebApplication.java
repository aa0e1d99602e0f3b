// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import java.util.Set;
import org.onlab.rest.AbstractWebApplication;

/** The REST resources under {@code /onos/v1/mptcp}. */
public final class MptcpWebApplication extends AbstractWebApplication {
    @Override
    public Set<Class<?>> getClasses() {
        return getClasses(ConnectionsResource.class, LinksResource.class, CountersResource.class,
                          TopologyResource.class, WhatIfResource.class, SettingsResource.class,
                          OverlayResource.class, AgentsResource.class, BackgroundPlanResource.class,
                          ReoptimisationResource.class, BoundResource.class, MetricsResource.class, PoliciesResource.class,
                          ClusterResource.class, ListFeature.class);
    }
}
