// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import com.google.common.base.Throwables;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.onosproject.net.resource.ResourceService;

/**
 * ONOS's resource service for a node that has just begun to decide. The first answer after the loss of the storage nodes may be
 * lost, and ONOS waits 15 s for it. For half a minute, questions whose answers are late are given up, with an
 * IllegalStateException; whoever asked asks again. Later ONOS may take its time. Stateless.
 */
public final class ResourcesWithDeadline {
    static final long BEGINNING_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** What a transaction takes on a busy machine, milliseconds; a hundredth of that elsewhere. */
    public static final long MOST_MILLIS = 3000;

    private ResourcesWithDeadline() {
    }

    /**
     * Returns the service with a deadline; the half minute begins.
     *
     * @param resources ONOS's; not null
     * @param nanos     a monotonic clock, nanoseconds; not null
     * @param millis    after so many milliseconds an answer is late
     */
    public static ResourceService of(ResourceService resources, LongSupplier nanos, long millis) {
        AnswerDeadline deadline = new AnswerDeadline(millis);
        long begunNanos = nanos.getAsLong();
        return (ResourceService) Proxy.newProxyInstance(
                ResourceService.class.getClassLoader(), new Class<?>[] {ResourceService.class}, (proxy, method, arguments) ->
                nanos.getAsLong() - begunNanos < BEGINNING_NANOS ? deadline.ask(() -> call(resources, method, arguments))
                        : call(resources, method, arguments));
    }

    private static Object call(ResourceService resources, Method method, Object[] arguments) {
        try {
            return method.invoke(resources, arguments);
        } catch (InvocationTargetException e) {
            Throwables.throwIfUnchecked(e.getCause());
            throw new IllegalStateException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("ONOS's resource service is public", e);
        }
    }
}
