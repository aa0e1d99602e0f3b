// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.onosproject.net.resource.ResourceAllocation;
import org.onosproject.net.resource.ResourceService;

/** A resource service whose first answer is lost. */
class ResourcesWithDeadlineTest {
    private final CountDownLatch lost = new CountDownLatch(1);
    private long now;
    private final AtomicInteger asked = new AtomicInteger();
    private volatile Thread asker;

    @Test
    void aQuestionIsGivenUpAndTheSameOneIsAnsweredThen() {
        ResourceService resources = ResourcesWithDeadline.of(service(), () -> now, 100);
        assertThrows(IllegalStateException.class, () -> resources.release(List.<ResourceAllocation>of()));
        lost.countDown();
        assertEquals(true, resources.release(List.<ResourceAllocation>of()));
        assertEquals(2, asked.get());
    }

    @Test
    void laterOnosMayTakeItsTime() {
        ResourceService resources = ResourcesWithDeadline.of(service(), () -> now, ResourcesWithDeadline.MOST_MILLIS);
        lost.countDown();
        resources.release(List.<ResourceAllocation>of());
        assertNotSame(Thread.currentThread(), asker, "nobody could give up what it does itself");
        now = ResourcesWithDeadline.BEGINNING_NANOS;
        resources.release(List.<ResourceAllocation>of());
        assertSame(Thread.currentThread(), asker);
    }

    private ResourceService service() {
        return (ResourceService) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {ResourceService.class},
                                                        (proxy, method, arguments) -> {
                asked.incrementAndGet();
                asker = Thread.currentThread();
                lost.await();
                return true;
            });
    }
}
