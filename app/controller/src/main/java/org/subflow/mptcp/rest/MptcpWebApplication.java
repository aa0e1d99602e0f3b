// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import java.util.Set;
import org.onlab.rest.AbstractWebApplication;
import org.subflow.mptcp.rest.request.ErrorAnswers;
import org.subflow.mptcp.rest.request.ListFeature;
import org.subflow.mptcp.rest.request.SameOriginFilter;
import org.subflow.mptcp.rest.resource.AgentsResource;
import org.subflow.mptcp.rest.resource.BackgroundPlanResource;
import org.subflow.mptcp.rest.resource.BoundResource;
import org.subflow.mptcp.rest.resource.ClusterResource;
import org.subflow.mptcp.rest.resource.ConnectionsResource;
import org.subflow.mptcp.rest.resource.CountersResource;
import org.subflow.mptcp.rest.resource.EventsResource;
import org.subflow.mptcp.rest.resource.IndexResource;
import org.subflow.mptcp.rest.resource.LinksResource;
import org.subflow.mptcp.rest.resource.MetricsResource;
import org.subflow.mptcp.rest.resource.OverlayResource;
import org.subflow.mptcp.rest.resource.PoliciesResource;
import org.subflow.mptcp.rest.resource.ReoptimisationResource;
import org.subflow.mptcp.rest.resource.SettingsResource;
import org.subflow.mptcp.rest.resource.TopologyResource;
import org.subflow.mptcp.rest.resource.WhatIfResource;

/** The REST resources under {@code /onos/v1/mptcp}. */
public final class MptcpWebApplication extends AbstractWebApplication {
    @Override
    public Set<Class<?>> getClasses() {
        return getClasses(ConnectionsResource.class, LinksResource.class, CountersResource.class,
                          TopologyResource.class, WhatIfResource.class, SettingsResource.class,
                          OverlayResource.class, AgentsResource.class, BackgroundPlanResource.class,
                          ReoptimisationResource.class, BoundResource.class, MetricsResource.class, PoliciesResource.class,
                          ClusterResource.class, EventsResource.class, IndexResource.class, ListFeature.class,
                          SameOriginFilter.class, ErrorAnswers.class);
    }
}
