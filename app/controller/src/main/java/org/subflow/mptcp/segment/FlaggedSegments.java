// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Hashtable;
import java.util.Map;
import org.onosproject.net.packet.PacketContext;
import org.onosproject.net.packet.PacketProcessor;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/**
 * Offers this node's packet processors to a southbound that matches TCP flags; see {@link FlagCopies}. Those who take segments
 * on this node follow one another; the services stay. So the switches never stop sending copies in between. Thread-safe.
 */
public final class FlaggedSegments {
    private final BundleContext bundle;
    private volatile PacketProcessor copies;
    private volatile PacketProcessor divertedSyns;
    private ServiceRegistration<PacketProcessor> copied;
    private ServiceRegistration<PacketProcessor> diverted;
    private boolean isClosed;

    /**
     * Makes it; it offers nothing before {@link #give}.
     *
     * @param bundle the application's; not null
     */
    public FlaggedSegments(BundleContext bundle) {
        this.bundle = checkNotNull(bundle, "bundle");
    }

    /**
     * Gives all segments from now on to these processors.
     *
     * @param toCopies takes copies of segments with SYN, FIN or RST; not null
     * @param toSyns   takes SYNs that wait in the controller, once {@link #divert} wants them; not null
     */
    public synchronized void give(PacketProcessor toCopies, PacketProcessor toSyns) {
        copies = checkNotNull(toCopies, "toCopies");
        divertedSyns = checkNotNull(toSyns, "toSyns");
        if (copied == null && !isClosed) {
            copied = register(FlagCopies.COPIES, this::copied);
        }
    }

    /** Lets SYNs wait in the controller, or does so no more. */
    public synchronized void divert(boolean wanted) {
        if (wanted && diverted == null && copied != null) {
            diverted = register(FlagCopies.DIVERTED_SYNS, this::diverted);
        } else if (!wanted && diverted != null) {
            diverted.unregister();
            diverted = null;
        }
    }

    /** Withdraws both for good. */
    public synchronized void close() {
        divert(false);
        isClosed = true;
        if (copied != null) {
            copied.unregister();
            copied = null;
        }
    }

    private void copied(PacketContext context) {
        copies.process(context);
    }

    private void diverted(PacketContext context) {
        divertedSyns.process(context);
    }

    private ServiceRegistration<PacketProcessor> register(String segments, PacketProcessor processor) {
        return bundle.registerService(PacketProcessor.class, processor,
                                      new Hashtable<>(Map.of(FlagCopies.PROPERTY, segments)));
    }
}
