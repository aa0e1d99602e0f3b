// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.IntentEvent;
import org.onosproject.net.intent.IntentState;
import org.onosproject.net.intent.Key;
import org.subflow.mptcp.intent.ListenedIntents;
import org.subflow.mptcp.intent.MptcpIntent;

/** An intent service that remembers what it is told, and installs nothing. */
public final class RecordingIntents extends ListenedIntents {
    public final Map<Key, MptcpIntent> submitted = new LinkedHashMap<>();
    public final Set<Key> withdrawn = new HashSet<>();
    /** What the store says of intents; INSTALLED unless a test says otherwise. */
    public final Map<Key, IntentState> states = new HashMap<>();
    /** The rules of intents; none unless a test says so. */
    public final Map<Key, Intent> compiled = new HashMap<>();

    @Override
    public void submit(Intent intent) {
        submitted.put(intent.key(), (MptcpIntent) intent);
        withdrawn.remove(intent.key());
    }

    @Override
    public void withdraw(Intent intent) {
        withdrawn.add(intent.key());
        IntentEvent.getEvent(IntentState.WITHDRAWN, intent).ifPresent(this::tell);
    }

    @Override
    public void purge(Intent intent) {
        submitted.remove(intent.key());
        withdrawn.remove(intent.key());
    }

    @Override
    public Intent getIntent(Key key) {
        return submitted.get(key);
    }

    @Override
    public Iterable<Intent> getIntents() {
        return List.copyOf(submitted.values());
    }

    @Override
    public IntentState getIntentState(Key key) {
        return states.getOrDefault(key, IntentState.INSTALLED);
    }

    @Override
    public List<Intent> getInstallableIntents(Key key) {
        return compiled.containsKey(key) ? List.of(compiled.get(key)) : List.of();
    }
}
