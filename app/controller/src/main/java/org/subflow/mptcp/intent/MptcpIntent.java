// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static com.google.common.base.Preconditions.checkNotNull;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoCopyable;
import com.google.common.base.MoreObjects;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.ResourceGroup;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.Key;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.rules.RuleKind;

/**
 * The request that the subflows of one MPTCP connection take their chosen routes, in both directions.
 *
 * <p>The routes are chosen before the submission. An intent without routes stands for a connection whose hosts no path
 * joins. It fails to compile, so that it shows as FAILED until the connection is submitted again with routes. The intent names
 * no links as its resources, so that ONOS does not compile it again when one fails: {@link SubflowPathIntent} says why. Immutable.
 *
 * <p>Kryo can copy it without registration. ONOS's intent store copies a waiting request when its clean-up repeats it, and
 * does not know the intents of applications. Without a copy, no waiting request of any application would continue.
 */
public final class MptcpIntent extends Intent implements KryoCopyable<MptcpIntent> {
    private static final String KEY_PREFIX = "mptcp-";
    /**
     * Shared by all intents. Without a group, ONOS releases what is reserved under an intent's key when it has removed the
     * rules: on the thread that installs and removes rules, with a search through all reservations. That delays the rules of
     * all other connections and applications. The application releases what is reserved itself.
     */
    private static final ResourceGroup GROUP = ResourceGroup.of("org.subflow.mptcp".hashCode());

    /** The connection of the subflows. */
    public final ConnectionId connection;
    /** The number of this submission; a larger one is newer. */
    public final long revision;
    /** The subflows' routes, one at least. */
    public final ImmutableList<SubflowRoute> routes;

    /**
     * Makes an intent with the priority of {@link RuleKind#SUBFLOW}.
     *
     * @param appId      the application that submits it; not null
     * @param connection the connection of the subflows; not null
     * @param revision   a number that grows with every submission of the connection
     * @param routes     the subflows' routes, one at least
     */
    public MptcpIntent(ApplicationId appId, ConnectionId connection, long revision, List<SubflowRoute> routes) {
        super(appId, keyOf(appId, connection), ImmutableSet.of(), RuleKind.SUBFLOW.priority(), GROUP);
        this.connection = checkNotNull(connection, "connection");
        this.revision = revision;
        this.routes = ImmutableList.copyOf(routes);
    }

    /**
     * Returns the key under which a connection's intent is submitted and its bandwidth reserved.
     *
     * @param appId      the submitting application
     * @param connection the connection
     * @return the key
     */
    public static Key keyOf(ApplicationId appId, ConnectionId connection) {
        return Key.of(KEY_PREFIX + connection, appId);
    }

    /** Returns the connection of whose intent this is the key; empty if it is the key of something else. */
    public static Optional<ConnectionId> connection(Key key) {
        String text = key.toString();
        int at = text.indexOf(KEY_PREFIX);
        try {
            return at < 0 ? Optional.empty() : Optional.of(ConnectionId.of(text.substring(at + KEY_PREFIX.length())));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns the paths with labels that the subflows take, of both directions. */
    public Set<LabelledPath> paths() {
        Set<LabelledPath> paths = new LinkedHashSet<>();
        for (SubflowRoute route : routes) {
            route.forwardPath.ifPresent(paths::add);
            route.backwardPath.ifPresent(paths::add);
        }
        return paths;
    }

    /** Returns this request with exact rules in place of the labels that are not wanted; it has the same revision. */
    public MptcpIntent withLabels(Predicate<LabelledPath> wanted) {
        if (paths().stream().allMatch(wanted)) {
            return this;
        }
        return new MptcpIntent(appId(), connection, revision,
                  routes.stream().map(route -> route.withLabels(wanted)).collect(Collectors.toList()));
    }

    @Override
    public MptcpIntent copy(Kryo kryo) {
        return this;
    }

    @Override
    public String toString() {
        return MoreObjects.toStringHelper(this)
                .add("id", id())
                .add("key", key())
                .add("connection", connection)
                .add("revision", revision)
                .add("routes", routes)
                .toString();
    }
}
