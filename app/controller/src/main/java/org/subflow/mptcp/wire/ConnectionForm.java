// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wire;

import static com.google.common.base.Preconditions.checkArgument;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.HostId;
import org.onosproject.net.Link;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.Terms;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.Rates;

/**
 * The form of connections. Enumerated values are stored by name, and links by their ports, type and whether they are expected;
 * their annotations are not kept. A record with a strategy that this release does not have cannot be read. Stateless.
 */
public final class ConnectionForm implements FormOfConnections<Connection> {
    private static final int FROM_CLIENT = 1;
    /** Earlier drafts did not store hosts. */
    private static final int HAS_HOSTS = 2;
    private static final int BACKUP = 4;
    /** Of the first subflow: there are no others to its address and port. */
    private static final int DENIES_JOINS = 8;
    private static final ProviderId PROVIDER = new ProviderId("mptcp", "org.subflow.mptcp.store");

    @Override
    public byte number() {
        return 3;
    }

    @Override
    public void write(Connection connection, RecordWriter to) {
        to.number8(connection.version());
        write(connection.clientToken().orElse(null), to);
        write(connection.serverToken().orElse(null), to);
        Terms terms = connection.terms();
        to.text(terms.policy().orElse("")).text(terms.strategy()).number32(terms.subflows())
                .text(terms.joinPolicy().name()).real(terms.weight()).real(terms.cap())
                .text(terms.disjoint().orElse(""))
                .number32(terms.maxDelayMillis()).number32(terms.maxDelaySpreadMillis())
                .number32(terms.mostSubflows());
        to.number64(connection.createdMillis()).text(connection.state().name()).number16(connection.subflows().size());
        connection.subflows().forEach(subflow -> write(
                subflow, subflow == connection.first() && connection.deniesJoins(), to));
    }

    private static void write(Token token, RecordWriter to) {
        to.number8(token == null ? 0 : 1);
        if (token != null) {
            to.number32(token.value());
        }
    }

    private static void write(Subflow subflow, boolean deniesJoins, RecordWriter to) {
        FiveTuple tuple = subflow.tuple();
        to.address(tuple.source()).number16(tuple.sourcePort()).address(tuple.destination()).number16(tuple.destinationPort())
                .number8((subflow.fromClient() ? FROM_CLIENT : 0) | (tuple.hasHosts() ? HAS_HOSTS : 0)
                                 | (subflow.isBackup() ? BACKUP : 0) | (deniesJoins ? DENIES_JOINS : 0));
        if (tuple.hasHosts()) {
            to.text(tuple.sourceHost().toString()).text(tuple.destinationHost().toString());
        }
        to.number8(subflow.isJoin() ? 1 : 0).text(subflow.state().name())
                .port(subflow.ingress()).port(subflow.egress());
        write(subflow.path(), to);
        write(subflow.reversePath(), to);
        to.real(subflow.bottleneck()).real(subflow.expected().up()).real(subflow.expected().down());
    }

    private static void write(List<Link> path, RecordWriter to) {
        to.number16(path.size());
        path.forEach(link -> to.port(link.src()).port(link.dst()).text(link.type().name()).number8(link.isExpected() ? 1 : 0));
    }

    @Override
    public Connection read(ConnectionId id, ByteBuffer from) {
        return read(id, from, number());
    }

    /** Reads form 1, in which terms have no conditions of paths, and form 2, in which they have no limit of subflows. */
    @Override
    public Connection readOlder(byte number, ConnectionId id, ByteBuffer from) {
        checkArgument(number == 1 || number == 2, "form %s is not known", number);
        return read(id, from, number);
    }

    private static Connection read(ConnectionId id, ByteBuffer from, int form) {
        int version = from.get();
        Token clientToken = token(from);
        Token serverToken = token(from);
        Terms terms = checked(Terms.of(RecordWriter.text(from), RecordWriter.text(from), from.getInt(),
                                       JoinPolicy.valueOf(RecordWriter.text(from)), from.getDouble(), from.getDouble()));
        if (form > 1) {
            String disjoint = RecordWriter.text(from);
            terms = terms.withPaths(disjoint.isEmpty() ? null : disjoint, from.getInt(), from.getInt());
        }
        if (form > 2) {
            terms = terms.withMostSubflows(from.getInt());
        }
        long createdMillis = from.getLong();
        ConnectionState state = ConnectionState.valueOf(RecordWriter.text(from));
        List<Subflow> subflows = new ArrayList<>();
        boolean[] deniesJoins = {false};
        for (int left = Short.toUnsignedInt(from.getShort()); left > 0; left--) {
            subflows.add(subflow(from, deniesJoins));
        }
        checkArgument(!subflows.isEmpty(), "a connection without subflows");
        return Connection.opened(id, version, clientToken, serverToken, terms, createdMillis, subflows.get(0))
                .withSubflows(subflows)
                .withDeniedJoins(deniesJoins[0])
                .withState(state);
    }

    /** Returns the same terms if this release has their strategy. */
    private static Terms checked(Terms terms) {
        PathStrategies.named(terms.strategy());
        return terms;
    }

    private static Token token(ByteBuffer from) {
        return RecordWriter.flag(from) ? Token.of(from.getInt()) : null;
    }

    private static Subflow subflow(ByteBuffer from, boolean[] deniesJoins) {
        IpAddress source = RecordWriter.address(from);
        int sourcePort = Short.toUnsignedInt(from.getShort());
        FiveTuple tuple = FiveTuple.of(source, sourcePort, RecordWriter.address(from), Short.toUnsignedInt(from.getShort()));
        byte flags = from.get();
        if ((flags & HAS_HOSTS) != 0) {
            tuple = tuple.between(HostId.hostId(RecordWriter.text(from)), HostId.hostId(RecordWriter.text(from)));
        }
        deniesJoins[0] |= (flags & DENIES_JOINS) != 0;
        boolean isFromClient = (flags & FROM_CLIENT) != 0;
        boolean isJoin = RecordWriter.flag(from);
        SubflowState state = SubflowState.valueOf(RecordWriter.text(from));
        ConnectPoint ingress = RecordWriter.port(from);
        Subflow subflow = Subflow.unrouted(tuple, isFromClient, isJoin, ingress, RecordWriter.port(from));
        List<Link> path = links(from);
        List<Link> reversePath = links(from);
        double bottleneck = from.getDouble();
        Rates expected = Rates.of(from.getDouble(), from.getDouble());
        boolean isRouted = state == SubflowState.ACTIVE || state == SubflowState.BACKUP;
        return (isRouted ? subflow.withRoute(state, path, reversePath, bottleneck) : subflow.withoutRoute(state))
                .withExpected(expected)
                .withBackup((flags & BACKUP) != 0);
    }

    private static List<Link> links(ByteBuffer from) {
        List<Link> links = new ArrayList<>();
        for (int left = Short.toUnsignedInt(from.getShort()); left > 0; left--) {
            links.add(DefaultLink.builder()
                              .providerId(PROVIDER)
                              .src(RecordWriter.port(from))
                              .dst(RecordWriter.port(from))
                              .type(Link.Type.valueOf(RecordWriter.text(from)))
                              .isExpected(RecordWriter.flag(from))
                              .build());
        }
        return links;
    }
}
