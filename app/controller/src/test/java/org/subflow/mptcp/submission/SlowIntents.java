// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.onosproject.net.intent.FlowRuleIntent;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.IntentEvent;
import org.onosproject.net.intent.IntentState;
import org.onosproject.net.intent.Key;
import org.subflow.mptcp.intent.ListenedIntents;
import org.subflow.mptcp.intent.MptcpIntent;
import org.subflow.mptcp.intent.MptcpIntentCompiler;

/** ONOS's intent store: requests take effect when the test says so. */
final class SlowIntents extends ListenedIntents {
    final Map<Key, Intent> intents = new LinkedHashMap<>();
    private final Map<Key, IntentState> states = new HashMap<>();
    private final Map<Key, Intent> submitted = new LinkedHashMap<>();
    private final Map<Key, Intent> taken = new LinkedHashMap<>();
    private final Map<Key, Intent> leaving = new LinkedHashMap<>();
    final List<String> withdrawn = new ArrayList<>();
    private final MptcpIntentCompiler compiler = new MptcpIntentCompiler();
    /** Whether intents go once they are to be withdrawn. */
    boolean withdrawsAtOnce;

    /** Returns the keys of the intents that wait for their installation. */
    List<String> waiting() {
        return submitted.keySet().stream().map(Key::toString).collect(Collectors.toList());
    }

    /** ONOS takes what waits, and works on it; returns the keys. */
    List<String> takeWaiting() {
        List<String> keys = waiting();
        taken.putAll(submitted);
        submitted.clear();
        return keys;
    }

    /** Brings what it has taken into a state. */
    void tellTaken(IntentState state) {
        List<Intent> all = List.copyOf(taken.values());
        taken.clear();
        all.forEach(intent -> settle(intent, state));
    }

    /** Installs what waits. */
    void installAll() {
        settleAll(IntentState.INSTALLED);
    }

    /** Brings what waits into a state. */
    void settleAll(IntentState state) {
        settle(key -> true, state);
    }

    /** Brings those of these keys that wait into a state. */
    void settle(Predicate<Key> wanted, IntentState state) {
        Map<Key, Intent> now = new LinkedHashMap<>(submitted);
        now.keySet().removeIf(key -> !wanted.test(key));
        submitted.keySet().removeAll(now.keySet());
        now.forEach((key, intent) -> settle(intent, state));
    }

    /** Withdraws what is to be withdrawn. */
    void withdrawAll() {
        withdraw(key -> true);
    }

    /** Withdraws those of these keys that are to be withdrawn. */
    void withdraw(Predicate<Key> wanted) {
        List<Intent> now = leaving.values().stream().filter(intent -> wanted.test(intent.key())).collect(Collectors.toList());
        now.forEach(intent -> {
            leaving.remove(intent.key());
            settle(intent, IntentState.WITHDRAWN);
        });
    }

    private void settle(Intent intent, IntentState state) {
        intents.put(intent.key(), intent);
        states.put(intent.key(), state);
        IntentEvent.getEvent(state, intent).ifPresent(this::tell);
    }

    @Override
    public void submit(Intent intent) {
        submitted.put(intent.key(), intent);
    }

    @Override
    public void withdraw(Intent intent) {
        withdrawn.add(intent.key().toString());
        if (withdrawsAtOnce) {
            settle(intent, IntentState.WITHDRAWN);
        } else {
            leaving.put(intent.key(), intent);
        }
    }

    @Override
    public void purge(Intent intent) {
        intents.remove(intent.key());
        states.remove(intent.key());
        leaving.remove(intent.key());
    }

    @Override
    public Intent getIntent(Key key) {
        return intents.get(key);
    }

    @Override
    public Iterable<Intent> getIntents() {
        return List.copyOf(intents.values());
    }

    @Override
    public IntentState getIntentState(Key key) {
        return states.get(key);
    }

    @Override
    public List<Intent> getInstallableIntents(Key key) {
        Intent intent = intents.get(key);
        if (intent instanceof MptcpIntent) {
            return compiler.compile((MptcpIntent) intent, null);
        }
        return intent instanceof FlowRuleIntent ? List.of(intent) : List.of();
    }
}
