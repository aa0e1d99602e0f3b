// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import org.onosproject.net.intent.Key;
import org.onosproject.net.resource.ResourceConsumer;
import org.onosproject.net.resource.ResourceConsumerId;

/**
 * The consumer of a connection's reservations. Its class tells whose they are: ONOS keeps of a consumer only the name of its
 * class and a number. So an application that starts again finds all of its own. Immutable.
 */
final class ReservationHolder implements ResourceConsumer {
    private final long number;

    /** Makes the consumer of the connection whose intent has this key. */
    ReservationHolder(Key key) {
        this.number = key.hash();
    }

    /** Returns whether a consumer is a connection, of this run of the application or of an earlier one. */
    static boolean isOurs(ResourceConsumerId consumer) {
        return consumer.isClassOf(ReservationHolder.class);
    }

    @Override
    public ResourceConsumerId consumerId() {
        return ResourceConsumerId.of(number, ReservationHolder.class);
    }
}
