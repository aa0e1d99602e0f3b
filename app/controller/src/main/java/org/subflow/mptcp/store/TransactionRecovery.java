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

/** Finishes {@link HalfDoneTransactions} while the application runs, on a thread of its own. */
@Component(immediate = true, service = {})
public class TransactionRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionRecovery.class);
    private static final long BETWEEN_LOOKS_SECONDS = 3;

    private final CountDownLatch ended = new CountDownLatch(1);

    /** Begins to look. */
    @Activate
    protected void activate(BundleContext bundle) {
        ServiceReference<?> manager = bundle.getServiceReference(AtomixTransactions.MANAGER);
        if (manager == null) {
            LOG.info("This ONOS has no {}: nobody finishes the transactions that a crash leaves half done",
                     AtomixTransactions.MANAGER);
            return;
        }
        Object service = bundle.getService(manager);
        Thread thread = groupedThreads("onos/mptcp", "recovery", LOG).newThread(() -> look(service));
        thread.setDaemon(true);
        thread.start();
    }

    private void look(Object manager) {
        try {
            HalfDoneTransactions transactions = new HalfDoneTransactions(AtomixTransactions.of(manager));
            do {
                lookOnce(transactions);
            } while (!ended.await(BETWEEN_LOOKS_SECONDS, TimeUnit.SECONDS));
        } catch (ReflectiveOperationException | LinkageError e) {
            LOG.info("Nobody finishes the transactions that a crash leaves half done: this ONOS has another Atomix ({})",
                     e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void lookOnce(HalfDoneTransactions transactions) throws ReflectiveOperationException {
        try {
            transactions.look();
        } catch (RuntimeException e) {
            // The store may not be ready, or not any more.
            LOG.debug("Cannot look at the transactions of ONOS's store", e);
        }
    }

    /** Ends it. */
    @Deactivate
    protected void deactivate() {
        ended.countDown();
    }
}
