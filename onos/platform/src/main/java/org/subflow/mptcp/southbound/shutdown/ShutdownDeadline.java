// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.shutdown;

import java.time.Duration;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.Constants;
import org.osgi.framework.SynchronousBundleListener;

/**
 * Ends the process when the framework's own shutdown takes too long. Told to end while its components still start, ONOS
 * can lock itself up: the default drivers go, so the core disables the driver service, on the very thread that would have
 * to do it.
 */
public final class ShutdownDeadline implements BundleActivator {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** 128 + SIGTERM: what a process ended by that signal shows. */
    private static final int STATUS = 143;

    private final SynchronousBundleListener listener = this::changed;

    @Override
    public void start(BundleContext context) {
        context.addBundleListener(listener);
    }

    @Override
    public void stop(BundleContext context) {
        // A deadline once set runs on; without a shutdown there is none.
    }

    private void changed(BundleEvent event) {
        if (event.getType() == BundleEvent.STOPPING
                && event.getBundle().getBundleId() == Constants.SYSTEM_BUNDLE_ID) {
            Thread thread = new Thread(ShutdownDeadline::await, "shutdown-deadline");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void await() {
        try {
            Thread.sleep(PATIENCE.toMillis());
        } catch (InterruptedException e) {
            return;
        }
        Runtime.getRuntime().halt(STATUS);
    }
}
