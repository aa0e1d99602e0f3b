// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.shutdown;

import java.time.Duration;
import java.util.function.IntConsumer;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.Constants;
import org.osgi.framework.SynchronousBundleListener;

/**
 * Ends the process when the framework's own shutdown takes too long.
 *
 * <p>ONOS can lock itself up when it is told to end while its components still start. The default drivers go, so the core
 * disables the driver service. It does that on the very thread that the service waits for.
 */
public final class ShutdownDeadline implements BundleActivator {

    private static final Duration TIME_ALLOWED = Duration.ofSeconds(20);

    /** 128 + SIGTERM: what a process ended by that signal shows. */
    private static final int STATUS = 143;

    private final SynchronousBundleListener listener = this::changed;
    private final Duration timeAllowed;
    private final IntConsumer halt;

    /** Makes the deadline that the framework starts. */
    public ShutdownDeadline() {
        this(TIME_ALLOWED, Runtime.getRuntime()::halt);
    }

    /**
     * Makes a deadline.
     *
     * @param timeAllowed how long the framework's own shutdown may take
     * @param halt ends the process with a status
     */
    ShutdownDeadline(Duration timeAllowed, IntConsumer halt) {
        this.timeAllowed = timeAllowed;
        this.halt = halt;
    }

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
            Thread thread = new Thread(this::await, "shutdown-deadline");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void await() {
        try {
            Thread.sleep(timeAllowed.toMillis());
        } catch (InterruptedException e) {
            return;
        }
        halt.accept(STATUS);
    }
}
