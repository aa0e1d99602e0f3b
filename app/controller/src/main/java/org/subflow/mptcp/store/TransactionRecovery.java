// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static org.onlab.util.Tools.groupedThreads;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finishes {@link HalfDoneTransactions} in the first minute after the application's start, on a thread of its own. */
@Component(immediate = true, service = {})
public class TransactionRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionRecovery.class);
    private static final long BETWEEN_LOOKS_SECONDS = 10;
    private static final int LOOKS = 6;

    private final CountDownLatch ended = new CountDownLatch(1);

    /** Begins to look. */
    @Activate
    protected void activate(BundleContext bundle) {
        ServiceReference<?> manager = bundle.getServiceReference(AtomixTransactions.MANAGER);
        if (manager == null) {
            LOG.debug("This ONOS has no {}", AtomixTransactions.MANAGER);
            return;
        }
        try {
            begin(new HalfDoneTransactions(AtomixTransactions.of(bundle.getService(manager))));
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.info("Cannot look at the transactions of ONOS's store: {}", e.toString());
        }
    }

    private void begin(HalfDoneTransactions transactions) {
        Thread thread = groupedThreads("onos/mptcp", "recovery", LOG).newThread(() -> look(transactions));
        thread.setDaemon(true);
        thread.start();
    }

    private void look(HalfDoneTransactions transactions) {
        try {
            for (int i = 0; i < LOOKS && !ended.await(i == 0 ? 0 : BETWEEN_LOOKS_SECONDS, TimeUnit.SECONDS); i++) {
                lookOnce(transactions);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void lookOnce(HalfDoneTransactions transactions) {
        try {
            transactions.look();
        } catch (RuntimeException e) {
            // The store may not be ready yet.
            LOG.info("Cannot look at the transactions of ONOS's store: {}", e.toString());
        }
    }

    /** Ends it. */
    @Deactivate
    protected void deactivate() {
        ended.countDown();
    }
}
