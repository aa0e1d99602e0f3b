// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.IntentData;
import org.onosproject.net.intent.IntentState;
import org.onosproject.net.intent.IntentStore;
import org.onosproject.net.intent.IntentStoreDelegate;
import org.onosproject.net.intent.Key;

/** Keeps the last request for each key, unless it is older than the one before: by ONOS's own comparison. */
public final class VersionedIntentStore implements IntentStore {
    private final Map<Key, IntentData> current = new LinkedHashMap<>();
    /** What other nodes have asked for, and ONOS has not taken yet. */
    final Map<Key, IntentData> pending = new HashMap<>();

    @Override
    public void addPending(IntentData data) {
        write(data);
    }

    @Override
    public void write(IntentData data) {
        if (IntentData.isUpdateAcceptable(current.get(data.key()), data)) {
            current.put(data.key(), data);
        }
    }

    @Override
    public void batchWrite(Iterable<IntentData> updates) {
        updates.forEach(this::write);
    }

    @Override
    public IntentData getIntentData(Key key) {
        return current.get(key);
    }

    @Override
    public Iterable<IntentData> getIntentData(boolean localOnly, long olderThan) {
        return List.copyOf(current.values());
    }

    @Override
    public long getIntentCount() {
        return current.size();
    }

    @Override
    public Iterable<Intent> getIntents() {
        return current.values().stream().map(IntentData::intent).collect(Collectors.toList());
    }

    @Override
    public Intent getIntent(Key key) {
        IntentData data = current.get(key);
        return data == null ? null : data.intent();
    }

    @Override
    public IntentState getIntentState(Key key) {
        IntentData data = current.get(key);
        return data == null ? null : data.state();
    }

    @Override
    public List<Intent> getInstallableIntents(Key key) {
        return List.of();
    }

    @Override
    public boolean isMaster(Key key) {
        return true;
    }

    @Override
    public Iterable<Intent> getPending() {
        return List.of();
    }

    @Override
    public Iterable<IntentData> getPendingData() {
        return List.of();
    }

    @Override
    public IntentData getPendingData(Key key) {
        return pending.get(key);
    }

    @Override
    public Iterable<IntentData> getPendingData(boolean localOnly, long olderThan) {
        return List.of();
    }

    @Override
    public void setDelegate(IntentStoreDelegate delegate) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void unsetDelegate(IntentStoreDelegate delegate) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean hasDelegate() {
        return false;
    }
}
