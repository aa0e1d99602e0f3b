// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reservation;

import org.onosproject.net.intent.Key;
import org.onosproject.net.resource.ResourceConsumer;
import org.onosproject.net.resource.ResourceConsumerId;

/**
 * The consumer of reservations: a connection, or many together. Its class tells whose they are: ONOS keeps of a consumer only the name of its
 * class and a number. So an application that starts again finds all of its own. Immutable.
 */
final class ReservationHolder implements ResourceConsumer {
    /** The consumer of the one reservation per port that many connections share. */
    static final ReservationHolder COMMON = new ReservationHolder(0);

    private final long number;

    private ReservationHolder(long number) {
        this.number = number;
    }

    /** Makes the consumer of the connection whose intent has this key. */
    ReservationHolder(Key key) {
        this(key.hash());
    }

    /** Returns whether a consumer is one of ours, of this run of the application or of an earlier one. */
    static boolean isOurs(ResourceConsumerId consumer) {
        return consumer.isClassOf(ReservationHolder.class);
    }

    @Override
    public ResourceConsumerId consumerId() {
        return ResourceConsumerId.of(number, ReservationHolder.class);
    }
}
