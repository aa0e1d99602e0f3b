// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.history;

import com.google.common.collect.ImmutableList;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionListener;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.monitoring.EndedConnection;
import org.subflow.mptcp.api.monitoring.HistoryService;
import org.subflow.mptcp.api.monitoring.LifeEvent;
import org.subflow.mptcp.api.monitoring.LifeEvent.Kind;
import org.subflow.mptcp.api.monitoring.NameService;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.loop.SteadyClock;

/**
 * Keeps the last events of connections, for a while also those of closed ones. Thread-safe.
 *
 * <p>Beyond a limit in all, it forgets the events of the connection without news for the longest time.
 */
@Component(immediate = true, service = HistoryService.class)
public final class ConnectionHistory implements HistoryService {
    /** Limit of events per connection; the oldest go first, except the opening. */
    static final int MOST_PER_CONNECTION = 100;
    /** Limit of events of all connections together. */
    static final int MOST_IN_ALL = 20_000;
    /** Limit of connections that have ended; the oldest ends go first. */
    static final int MOST_ENDED = 1000;
    private static final long MILLIS_PER_SECOND = 1000;
    /** Time within which several changes of a connection's share become one event. */
    private static final long SHARE_MILLIS = 2000;
    /** With which subflows leave links. */
    private static final Set<ConnectionEvent.Type> LEAVES = EnumSet.of(ConnectionEvent.Type.REROUTED, ConnectionEvent.Type.DOWN);

    @Reference
    private volatile MptcpService mptcp;

    @Reference
    private volatile NetworkFailures failures;

    @Reference
    private volatile NameService names = NameService.UNSTATED;

    @Reference
    private volatile SettingsService settings = () -> Settings.DEFAULTS;

    /** Who compares a connection with what it was. */
    private BiConsumer<Connection, Connection> changed = (before, after) -> { };
    private final LongSupplier clock;
    private final ConnectionListener listener = this::hear;
    private final List<Consumer<LifeEvent>> followers = new CopyOnWriteArrayList<>();
    /** By connection; the one without news for the longest time comes first. */
    private final LinkedHashMap<ConnectionId, Life> lives = new LinkedHashMap<>(16, 0.75f, true);
    /** Oldest end first. */
    private final Deque<EndedConnection> ended = new ArrayDeque<>();
    private int kept;

    /** Makes a history with the system's clock. */
    public ConnectionHistory() {
        this(SteadyClock.SYSTEM::epochMillis);
    }

    ConnectionHistory(LongSupplier clock) {
        this.clock = clock;
    }

    @Activate
    void activate() {
        mptcp.connections().forEach(connection -> life(connection.id()).last = connection);
        changed = failures::changed;
        mptcp.addListener(listener);
    }

    @Deactivate
    void deactivate() {
        mptcp.removeListener(listener);
    }

    @Override
    public synchronized List<LifeEvent> events(ConnectionId connection) {
        Life life = lives.get(connection);
        return life == null ? ImmutableList.of() : ImmutableList.copyOf(life.events);
    }

    @Override
    public synchronized List<LifeEvent> newest(int most) {
        List<LifeEvent> all = lives.values().stream().flatMap(life -> life.events.stream())
                .sorted(Comparator.comparingLong(LifeEvent::millis))
                .collect(Collectors.toList());
        return ImmutableList.copyOf(all.subList(Math.max(0, all.size() - most), all.size()));
    }

    @Override
    public synchronized List<EndedConnection> ended() {
        long first = clock.getAsLong() - settings.settings().get(Settings.RETENTION_SECONDS) * MILLIS_PER_SECOND;
        while (!ended.isEmpty() && (ended.getFirst().endedMillis() < first || ended.size() > MOST_ENDED)) {
            ended.removeFirst();
        }
        return ended.stream().filter(one -> !isAlive(one.connection().id())).collect(Collectors.toUnmodifiableList());
    }

    /** Whether a connection is there, perhaps again. */
    private boolean isAlive(ConnectionId id) {
        Life life = lives.get(id);
        return life != null && life.last != null;
    }

    @Override
    public void follow(Consumer<LifeEvent> follower) {
        followers.add(follower);
    }

    @Override
    public void unfollow(Consumer<LifeEvent> follower) {
        followers.remove(follower);
    }

    /** Adds the changes of a connection's event, and notifies the followers. */
    void hear(ConnectionEvent event) {
        List<LifeEvent> changes;
        Connection before;
        synchronized (this) {
            Life life = life(event.subject().id());
            before = life.last;
            changes = life.hear(clock.getAsLong(), event);
            if (event.type() == ConnectionEvent.Type.CLOSED && event.cause().filter(Cause.FORGOTTEN::equals).isEmpty()) {
                ended.addLast(new EndedConnection(before == null ? event.subject() : before, clock.getAsLong()));
                ended();
            }
            forgetQuiet();
        }
        if (before != null && LEAVES.contains(event.type())) {
            changed.accept(before, event.subject());
        }
        changes.forEach(one -> followers.forEach(follower -> follower.accept(one)));
    }

    private Life life(ConnectionId id) {
        return lives.computeIfAbsent(id, unused -> new Life());
    }

    private void forgetQuiet() {
        Iterator<Map.Entry<ConnectionId, Life>> quiet = lives.entrySet().iterator();
        while (kept > MOST_IN_ALL && lives.size() > 1 && quiet.hasNext()) {
            Life life = quiet.next().getValue();
            kept -= life.events.size();
            life.events.clear();
            if (life.last == null) {
                quiet.remove();
            }
        }
    }

    private final class Life {
        private final Deque<LifeEvent> events = new ArrayDeque<>();
        private Connection last;
        private boolean isOpened;

        /** Time of the last reported change of the share, and the connection before it; null without a recent change. */
        private long shareMillis;
        private Connection beforeShare;

        private List<LifeEvent> hear(long millis, ConnectionEvent event) {
            boolean isSameShare = beforeShare != null && millis - shareMillis < SHARE_MILLIS;
            Connection sharesBefore = isSameShare ? beforeShare : last;
            List<LifeEvent> changes = Changes.of(millis, last, sharesBefore, isOpened, event, names);
            changes.forEach(each -> add(each, isSameShare));
            if (changes.stream().anyMatch(each -> each.kind() == Kind.SHARE)) {
                shareMillis = isSameShare ? shareMillis : millis;
                beforeShare = sharesBefore;
            }
            last = event.type() == ConnectionEvent.Type.CLOSED ? null : event.subject();
            if (last == null) {
                beforeShare = null;
            }
            return changes;
        }

        private void add(LifeEvent event, boolean isSameShare) {
            isOpened |= event.kind() == Kind.OPENED;
            if (event.kind() == Kind.SHARE && isSameShare
                    && events.removeIf(old -> old.kind() == Kind.SHARE && old.millis() >= shareMillis)) {
                kept--;
            }
            events.addLast(event);
            kept++;
            if (events.size() > MOST_PER_CONNECTION) {
                LifeEvent first = events.removeFirst();
                if (first.kind() == Kind.OPENED) {
                    events.removeFirst();
                    events.addFirst(first);
                }
                kept--;
            }
        }
    }
}
