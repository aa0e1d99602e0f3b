// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.onosproject.net.intent.IntentEvent;
import org.onosproject.net.intent.IntentListener;
import org.onosproject.net.intent.IntentServiceAdapter;

/** An intent service of a test, with those who listen to it. */
public class ListenedIntents extends IntentServiceAdapter {
    /** Who listens, the first one first. */
    protected final List<IntentListener> listeners = new CopyOnWriteArrayList<>();

    @Override
    public void addListener(IntentListener listener) {
        listeners.add(listener);
    }

    @Override
    public void removeListener(IntentListener listener) {
        listeners.remove(listener);
    }

    /** Tells an event to those for whom it is relevant. */
    protected void tell(IntentEvent event) {
        listeners.stream().filter(one -> one.isRelevant(event)).forEach(one -> one.event(event));
    }
}
