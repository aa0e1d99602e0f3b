// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reservation;

import org.onosproject.net.resource.ResourceConsumer;
import org.onosproject.net.resource.ResourceConsumerId;

/**
 * The consumer of reservations: all connections together. Its class tells whose they are: ONOS keeps of a consumer only the name of its
 * class and a number. So an application that starts again finds all of its own, also those of an earlier version, which had a number
 * for each connection.
 */
enum ReservationHolder implements ResourceConsumer {
    /** The only one. */
    ONE;

    /** Returns whether a consumer is ours, of this run of the application or of an earlier one. */
    static boolean isOurs(ResourceConsumerId consumer) {
        return consumer.isClassOf(ReservationHolder.class);
    }

    @Override
    public ResourceConsumerId consumerId() {
        return ResourceConsumerId.of(0L, ReservationHolder.class);
    }
}
