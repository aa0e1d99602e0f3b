// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.intent.FlowRuleIntent;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.IntentEvent;
import org.onosproject.net.intent.IntentInstallCoordinator;
import org.onosproject.net.intent.IntentInstallationContext;
import org.onosproject.net.intent.IntentOperationContext;
import org.onosproject.net.intent.IntentState;
import org.onosproject.net.intent.Key;
import org.subflow.mptcp.intent.ListenedIntents;
import org.subflow.mptcp.intent.MptcpIntent;
import org.subflow.mptcp.intent.MptcpIntentCompiler;
import org.subflow.mptcp.intent.SubflowPathInstaller;
import org.subflow.mptcp.intent.SubflowPathIntent;
import org.subflow.mptcp.rules.OwnRules;

/**
 * ONOS's intent service around the application's own compiler and installer. It takes the newest request of each key at some
 * time, and tells outcomes late, in any order, twice or never. It compiles what it has once more when it likes.
 */
final class FaultyIntents extends ListenedIntents {
    /** What ONOS's store has, by key. */
    final Map<Key, Kept> kept = new LinkedHashMap<>();
    private final Map<Key, Request> requests = new LinkedHashMap<>();
    private final Faults faults;
    private final OwnRules rules;
    private final MptcpIntentCompiler compiler;
    private final SubflowPathInstaller installer;
    private final Map<Object, Runnable[]> running = new LinkedHashMap<>();

    /** What becomes of an intent. */
    enum What {
        SUBMIT, WITHDRAW, PURGE
    }

    private static final class Request {
        private final What what;
        private final Intent intent;

        private Request(What what, Intent intent) {
            this.what = what;
            this.intent = intent;
        }
    }

    /** An intent with what it was compiled into. */
    static final class Kept {
        Intent intent;
        IntentState state = IntentState.INSTALL_REQ;
        List<Intent> installables = List.of();
        private What request = What.SUBMIT;
        /** How many changes have begun; the outcome of the newest one counts. */
        private int changes;
        private boolean isSettled;
    }

    FaultyIntents(Faults faults, OwnRules rules, MptcpIntentCompiler compiler, Stage network) {
        this.faults = faults;
        this.rules = rules;
        this.compiler = compiler;
        this.installer = new SubflowPathInstaller(rules, new Coordinator(), link -> network.links.contains(link));
    }

    private void request(What what, Intent intent) {
        boolean waits = requests.containsKey(intent.key());
        requests.put(intent.key(), new Request(what, intent));
        if (!waits) {
            faults.later(() -> take(intent.key()));
        }
    }

    private void take(Key key) {
        Kept known = kept.get(key);
        Request request = requests.remove(key);
        if (request.what == What.SUBMIT) {
            Kept now = kept.computeIfAbsent(key, unused -> new Kept());
            now.intent = request.intent;
            now.request = What.SUBMIT;
            compile(now);
        } else if (known == null) {
            return;
        } else if (request.what == What.WITHDRAW) {
            known.request = What.WITHDRAW;
            remove(known, IntentState.WITHDRAWN, IntentState.CORRUPT);
        } else if (known.state == IntentState.WITHDRAWN || known.state == IntentState.FAILED) {
            kept.remove(key);
        }
    }

    private void compile(Kept now) {
        List<Intent> installables = now.intent instanceof MptcpIntent ? compiler.compile((MptcpIntent) now.intent, null)
                : List.of(now.intent);
        now.state = IntentState.INSTALLING;
        change(now, installables, IntentState.INSTALLED, IntentState.CORRUPT);
    }

    /** Until it has removed the rules, ONOS's store goes on having them: what comes next is compared with them. */
    private void remove(Kept of, IntentState done, IntentState failed) {
        of.state = IntentState.WITHDRAWING;
        change(of, List.of(), done, failed);
    }

    private void change(Kept of, List<Intent> after, IntentState done, IntentState failed) {
        int number = ++of.changes;
        of.isSettled = false;
        List<Intent> before = of.installables;
        if (!after.isEmpty()) {
            of.installables = after;
        }
        Runnable success = () -> settle(of, number, after, done);
        Runnable failure = () -> settle(of, number, after, failed);
        if (of.intent instanceof MptcpIntent) {
            IntentOperationContext<SubflowPathIntent> context = new IntentOperationContext<>(
                    paths(before), paths(after), new IntentInstallationContext(null, null));
            running.put(context, new Runnable[] {success, failure});
            installer.apply(context);
        } else {
            FlowRuleOperations.Builder stages = FlowRuleOperations.builder();
            List<FlowRule> wanted = flowRules(after);
            flowRules(before).stream().filter(rule -> !wanted.contains(rule)).forEach(stages::remove);
            wanted.forEach(stages::add);
            rules.apply(stages, isDone -> (isDone ? success : failure).run());
        }
    }

    private static List<SubflowPathIntent> paths(List<Intent> installables) {
        return installables.stream().map(SubflowPathIntent.class::cast).collect(Collectors.toList());
    }

    private static List<FlowRule> flowRules(List<Intent> installables) {
        return installables.stream().flatMap(one -> ((FlowRuleIntent) one).flowRules().stream()).collect(Collectors.toList());
    }

    private void settle(Kept of, int number, List<Intent> installables, IntentState state) {
        if (of.isSettled || number != of.changes) {
            return;
        }
        of.isSettled = true;
        of.installables = installables;
        of.state = state;
        IntentEvent.getEvent(state, of.intent).ifPresent(event -> {
            for (int times = faults.hit(8) ? 0 : faults.hit(8) ? 2 : 1; times > 0; times--) {
                faults.later(() -> tell(event));
            }
        });
    }

    /** Who installs tells the outcome once. ONOS's interface has the raw type. */
    @SuppressWarnings("rawtypes")
    private final class Coordinator implements IntentInstallCoordinator {
        @Override
        public void intentInstallSuccess(IntentOperationContext context) {
            running.remove(context)[0].run();
        }

        @Override
        public void intentInstallFailed(IntentOperationContext context) {
            running.remove(context)[1].run();
        }
    }

    /** ONOS compiles an intent again, in place of a newer one that waits. */
    void compileAgain() {
        List<Kept> all = kept.values().stream().filter(one -> one.state == IntentState.INSTALLED).collect(Collectors.toList());
        if (!all.isEmpty()) {
            submit(all.get(faults.random.nextInt(all.size())).intent);
        }
    }

    /** ONOS tries once more what has failed half-way. */
    void cleanUp() {
        kept.values().stream().filter(one -> one.state == IntentState.CORRUPT && !requests.containsKey(one.intent.key()))
                .collect(Collectors.toList()).forEach(one -> request(one.request, one.intent));
    }

    /** The application that listened is gone. */
    void forgetListeners() {
        listeners.clear();
    }

    @Override
    public void submit(Intent intent) {
        request(What.SUBMIT, intent);
    }

    @Override
    public void withdraw(Intent intent) {
        request(What.WITHDRAW, intent);
    }

    @Override
    public void purge(Intent intent) {
        request(What.PURGE, intent);
    }

    @Override
    public Intent getIntent(Key key) {
        return kept.containsKey(key) ? kept.get(key).intent : null;
    }

    @Override
    public Iterable<Intent> getIntents() {
        return kept.values().stream().map(one -> one.intent).collect(Collectors.toList());
    }

    @Override
    public IntentState getIntentState(Key key) {
        return kept.containsKey(key) ? kept.get(key).state : null;
    }

    @Override
    public List<Intent> getInstallableIntents(Key key) {
        return kept.containsKey(key) ? kept.get(key).installables : null;
    }
}
