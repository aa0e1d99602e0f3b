// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.monitoring;

/** Tells how long subflows wait for their rules, until ONOS confirms that the switches have them. Thread-safe. */
public interface RuleTimesService {
    /** What a subflow waits for. */
    enum Wait {
        /** Its first rules, from the moment at which it has earned them. */
        SETUP,
        /** The rules of another path, from ONOS's report of the change in the network that took the old one. */
        REROUTE
    }

    /** Hears of every wait that has ended. */
    @FunctionalInterface
    interface Listener {
        /**
         * Tells of one wait. It must return at once.
         *
         * @param wait  what for; not null
         * @param nanos how long, nanoseconds
         */
        void ended(Wait wait, long nanos);
    }

    /**
     * Returns how long subflows have waited since the application started.
     *
     * @param wait what for; not null
     * @return the waits that have ended; not null
     */
    DurationHistogram histogram(Wait wait);

    /**
     * Tells a listener of the waits that end from now on.
     *
     * @param listener who is told; not null
     */
    void addListener(Listener listener);

    /**
     * Tells a listener of no further wait.
     *
     * @param listener who was told; not null
     */
    void removeListener(Listener listener);
}
