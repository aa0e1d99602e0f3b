// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import static com.google.common.base.Preconditions.checkNotNull;

import org.onosproject.cluster.ClusterService;
import org.onosproject.event.EventDeliveryService;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.service.StorageService;

/** ONOS's stores, and its services between nodes. */
final class ClusterServices {
    final StorageService storage;
    final ClusterCommunicationService communication;
    final ClusterService cluster;
    final EventDeliveryService eventDelivery;
    /** Whether there are several nodes, or storage nodes. */
    final boolean isCluster;

    ClusterServices(StorageService storage, ClusterCommunicationService communication, ClusterService cluster,
                    EventDeliveryService eventDelivery, boolean isCluster) {
        this.storage = checkNotNull(storage, "storage");
        this.communication = checkNotNull(communication, "communication");
        this.cluster = checkNotNull(cluster, "cluster");
        this.eventDelivery = checkNotNull(eventDelivery, "eventDelivery");
        this.isCluster = isCluster;
    }
}
