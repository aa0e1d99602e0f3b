// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.felix.gogo.runtime.threadio.ThreadIOImpl;
import org.apache.karaf.shell.api.console.Command;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.impl.action.command.ManagerImpl;
import org.apache.karaf.shell.impl.console.SessionFactoryImpl;
import org.apache.karaf.shell.support.ShellUtil;
import org.apache.karaf.shell.support.parsing.CommandLineImpl;
import org.onosproject.codec.CodecService;
import org.onosproject.codec.JsonCodec;
import org.onosproject.security.AuditService;
import org.osgi.framework.FrameworkUtil;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.agent.AgentStatus;
import org.subflow.mptcp.api.monitoring.LifeEvent;
import org.subflow.mptcp.api.plan.ShareLimits;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.cli.completer.AddressCompleter;
import org.subflow.mptcp.cli.completer.AwaitedIdCompleter;
import org.subflow.mptcp.cli.completer.ConnectionIdCompleter;
import org.subflow.mptcp.cli.completer.HostCompleter;
import org.subflow.mptcp.cli.completer.OnOffCompleter;
import org.subflow.mptcp.cli.completer.PolicyNameCompleter;
import org.subflow.mptcp.cli.completer.SettingCompleter;
import org.subflow.mptcp.cli.completer.StrategyCompleter;
import org.subflow.mptcp.cli.completer.SubflowCompleter;
import org.subflow.mptcp.rest.view.AgentStatusCodec;
import org.subflow.mptcp.rest.view.ConnectionCodec;
import org.subflow.mptcp.rest.view.LifeEventCodec;
import org.subflow.mptcp.rest.view.LinkUsageCodec;
import org.subflow.mptcp.rest.view.PolicyCodec;
import org.subflow.mptcp.rest.view.ShareLimitsCodec;

/** Karaf's own shell with our commands in it, as a user types them. */
final class Shell implements AutoCloseable {
    private final ThreadIOImpl streams = new ThreadIOImpl();
    private final SessionFactoryImpl sessions = new SessionFactoryImpl(streams);
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Session session;

    Shell() {
        streams.start();
        ManagerImpl manager = new ManagerImpl(sessions.getRegistry(), sessions.getRegistry());
        List.of(ConnectionIdCompleter.class, AwaitedIdCompleter.class, SubflowCompleter.class, ConnectionAddCommand.class,
                ConnectionRemoveCommand.class, ConnectionsCommand.class, SubflowsCommand.class, WhyCommand.class, LinksCommand.class,
                CountersCommand.class, OverlayCommand.class, AgentsCommand.class, ReoptimizeCommand.class,
                HostCompleter.class, StrategyCompleter.class, OnOffCompleter.class, PathsCommand.class, PoliciesCommand.class,
                StrategiesCommand.class, AllocatorsCommand.class, EventsCommand.class, PolicyAddCommand.class,
                PolicyRemoveCommand.class, PolicyNameCompleter.class, SettingsCommand.class, SettingCompleter.class,
                AddressCompleter.class).forEach(manager::register);
        session = sessions.create(new ByteArrayInputStream(new byte[0]), stream(out), stream(err));
        offerAudit();
        FrameworkUtil.offer(CodecService.class, new Codecs());
    }

    /** Offers the service that ONOS itself asks for before each command. */
    static void offerAudit() {
        FrameworkUtil.offer(AuditService.class, new NoAudit());
    }

    /** Runs a command line; returns the lines that it prints, which go all to standard output. */
    List<String> run(String line) throws Exception {
        out.reset();
        err.reset();
        session.execute(line);
        assertEquals("", text(err));
        return List.of(text(out).split("\n"));
    }

    /** Runs a command line that fails, as over ssh; returns what it prints, and asserts that its status is not 0. */
    String error(String line) {
        out.reset();
        err.reset();
        // As ShellCommand of Karaf's ssh does, whose exit status is then 1.
        Exception failure = assertThrows(Exception.class, () -> session.execute(line));
        ShellUtil.logException(session, failure);
        assertEquals("", text(err));
        return text(out);
    }

    /** Returns the commands. */
    List<Command> commands() {
        return sessions.getRegistry().getCommands();
    }

    /** Returns what the running command has printed so far. */
    String soFar() {
        return text(out);
    }

    /** Runs a command line that prints JSON. */
    JsonNode json(String line) throws Exception {
        return new ObjectMapper().readTree(String.join("\n", run(line)));
    }

    /** Returns what the last word of a command line can become, of which this much is typed. */
    List<String> completed(String line) {
        String[] words = line.split(" ", -1);
        int last = words.length - 1;
        List<String> candidates = new ArrayList<>();
        sessions.getRegistry().getCommand("onos", words[0]).getCompleter(false).complete(
                session, new CommandLineImpl(words, last, words[last].length(), line.length(), line), candidates);
        return candidates.stream().map(String::strip).collect(Collectors.toList());
    }

    @Override
    public void close() {
        session.close();
        sessions.stop();
        streams.stop();
        FrameworkUtil.withdrawAll();
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8).stripTrailing();
    }

    private static final class NoAudit implements AuditService {
        @Override
        public boolean isAuditing() {
            return false;
        }

        @Override
        public void logUserAction(String user, String action) {
            throw new UnsupportedOperationException();
        }
    }

    private static final class Codecs implements CodecService {
        private final Map<Class<?>, JsonCodec<?>> codecs = Map.of(
                Connection.class, new ConnectionCodec(), LinkUsage.class, new LinkUsageCodec(),
                AgentStatus.class, new AgentStatusCodec(), Policy.class, new PolicyCodec(),
                LifeEvent.class, new LifeEventCodec(), ShareLimits.class, new ShareLimitsCodec());

        @Override
        public Set<Class<?>> getCodecs() {
            return codecs.keySet();
        }

        @Override
        @SuppressWarnings("unchecked") // each class has a codec of its own
        public <T> JsonCodec<T> getCodec(Class<T> entityClass) {
            return (JsonCodec<T>) codecs.get(entityClass);
        }

        @Override
        public <T> void registerCodec(Class<T> entityClass, JsonCodec<T> codec) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void unregisterCodec(Class<?> entityClass) {
            throw new UnsupportedOperationException();
        }
    }
}
