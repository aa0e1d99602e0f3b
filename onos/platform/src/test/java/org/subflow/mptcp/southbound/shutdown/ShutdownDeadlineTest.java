// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.shutdown;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.BundleListener;
import org.osgi.framework.Constants;

/** When the deadline begins to run, and how it ends the process. */
class ShutdownDeadlineTest {
    private static final int TIMEOUT_SECONDS = 30;
    private static final long SOME_BUNDLE = 7;

    private final BlockingQueue<Integer> halted = new LinkedBlockingQueue<>();
    private final BlockingQueue<BundleListener> listeners = new LinkedBlockingQueue<>();
    private final ShutdownDeadline deadline = new ShutdownDeadline(Duration.ofMillis(1), halted::add);

    @Test
    void aFrameworkThatStopsHasSoMuchTimeAndNoMore() throws Exception {
        deadline.start(context());
        tell(BundleEvent.STOPPING, Constants.SYSTEM_BUNDLE_ID);
        assertEquals(143, halted.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS), "as a process that SIGTERM has ended");
    }

    @Test
    void otherBundlesAndEventsSetNoDeadline() throws Exception {
        deadline.start(context());
        tell(BundleEvent.STOPPING, SOME_BUNDLE);
        tell(BundleEvent.STOPPED, Constants.SYSTEM_BUNDLE_ID);
        tell(BundleEvent.STARTED, Constants.SYSTEM_BUNDLE_ID);
        // One that does set a deadline: had the others, there would be several.
        tell(BundleEvent.STOPPING, Constants.SYSTEM_BUNDLE_ID);
        assertEquals(143, halted.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS));
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("shutdown-deadline")) {
                thread.join(TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS));
            }
        }
        assertTrue(halted.isEmpty());
    }

    private void tell(int event, long bundle) {
        listeners.forEach(listener -> listener.bundleChanged(new BundleEvent(event, bundle(bundle))));
    }

    private BundleContext context() {
        return stand(BundleContext.class, "addBundleListener", arguments -> {
            listeners.add((BundleListener) arguments[0]);
            return null;
        });
    }

    private static Bundle bundle(long id) {
        return stand(Bundle.class, "getBundleId", arguments -> id);
    }

    /** Returns an object that has one method of a type and refuses all others. */
    private static <T> T stand(Class<T> type, String name, Function<Object[], Object> method) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, called, arguments) -> {
            if (called.getName().equals(name)) {
                return method.apply(arguments);
            }
            throw new UnsupportedOperationException(called.toString());
        }));
    }
}
