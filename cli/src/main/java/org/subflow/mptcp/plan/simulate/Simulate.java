// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.PlacementTerms;
import org.subflow.mptcp.plan.Answer;
import org.subflow.mptcp.plan.InputException;
import org.subflow.mptcp.plan.TopologySource;
import org.subflow.mptcp.plan.file.TopologyFile;
import org.subflow.mptcp.plan.simulate.engine.Arrival;
import org.subflow.mptcp.plan.simulate.engine.LinkChange;
import org.subflow.mptcp.plan.simulate.engine.Parameters;
import org.subflow.mptcp.plan.simulate.engine.RunResult;
import org.subflow.mptcp.plan.simulate.engine.Simulation;

/** {@code ./lab simulate}: status 0 and the report on standard output, or 2 and one line on standard error. */
public final class Simulate {
    private static final long HOOK_MILLIS = 60_000;

    private Simulate() {
    }

    /**
     * Simulates and ends the virtual machine with the status. After a signal to end, it writes what was simulated until then.
     *
     * @param arguments what follows {@code ./lab simulate}
     */
    public static void main(String[] arguments) {
        AtomicBoolean stop = new AtomicBoolean();
        Thread here = Thread.currentThread();
        Thread hook = new Thread(() -> {
            stop.set(true);
            try {
                here.join(HOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Runtime.getRuntime().addShutdownHook(hook);
        int status = run(arguments, Answer.standardOutput(), Answer.standardError(), stop);
        // While the virtual machine ends by a signal, its status is the signal's.
        if (!stop.get()) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
                System.exit(status);
            } catch (IllegalStateException e) {
                // A signal has come just now.
            }
        }
    }

    /**
     * Simulates.
     *
     * @param arguments what follows {@code ./lab simulate}
     * @param out       gets the report, or nothing
     * @param err       gets progress, and one line if something is wrong
     * @param stop      set by another thread to end early
     * @return the exit status
     */
    static int run(String[] arguments, PrintStream out, PrintStream err, AtomicBoolean stop) {
        return ((Answer) () -> answer(SimulateOptions.parse(arguments), err, stop)).print("simulate", out, err);
    }

    private static String answer(SimulateOptions options, PrintStream err, AtomicBoolean stop) throws IOException {
        if (options.help) {
            return Help.text();
        }
        Path json = options.json == null ? null : writable(options.json);
        TopologyFile file = new TopologySource(options.capacityMbps, options.seed).find(options.topology);
        Topology topology = file.topology;
        topology.notes().forEach(note -> err.println("lab: simulate: " + note));
        boolean[] isHost = Hosts.of(options, topology);
        options.parameters.isHost = isHost;
        Traffic traffic = Traffic.of(options, topology, file.demands, isHost);
        List<LinkChange> changes = Failures.read(options.failures, topology);
        Settings settings = new Settings(options, topology, traffic.size());
        OutputFolder folder = options.out == null ? null : new OutputFolder(options.out, settings.fingerprint(options));
        Report report = new Report(settings.about());
        List<RunKey> keys = RunKey.of(options);
        Progress progress = new Progress(err, System::nanoTime, stop, keys.size(), traffic.size());
        ConnectionTable connections = null;
        for (RunKey key : keys) {
            Summary done = folder == null ? null : folder.finished(key);
            if (done != null) {
                progress.skip();
                if (report.isEmpty()) {
                    connections = new ConnectionTable(topology, traffic.arrivals(key.seed), traffic.order(), folder.completions(key));
                }
                report.add(key, done);
            } else if (!stop.get()) {
                long begin = System.nanoTime();
                List<Arrival> arrivals = traffic.arrivals(key.seed);
                RunResult result = simulated(options, key, topology, arrivals, changes, progress);
                Summary summary = new Summary(topology.graph(), arrivals, result, options.parameters);
                if (report.isEmpty()) {
                    connections = new ConnectionTable(topology, arrivals, traffic.order(), result.completion);
                }
                report.add(key, summary);
                tell(summary, key, err);
                if (folder != null && !result.interrupted) {
                    folder.write(key, summary, topology, arrivals, result);
                }
                progress.ended(key, System.nanoTime() - begin);
            }
        }
        if (folder != null && !report.isEmpty()) {
            folder.write(report);
        }
        if (json != null && !report.isEmpty()) {
            OutputFolder.write(json, report.json(connections));
        }
        return report.isEmpty() ? "" : report.as(options.format);
    }

    /** Returns the path of a file that can be made; it is looked at before anything is computed. */
    private static Path writable(String file) {
        try {
            Path path = Path.of(file).toAbsolutePath();
            if (path.getParent() != null && Files.isWritable(path.getParent()) && !Files.isDirectory(path)) {
                return path;
            }
        } catch (InvalidPathException e) {
            throw new InputException("--json " + file + ": it cannot be written: " + e.getMessage(), e);
        }
        throw new InputException("--json " + file + ": its folder does not exist or is not writable, or it is a folder");
    }

    private static RunResult simulated(SimulateOptions options, RunKey key, Topology topology, List<Arrival> arrivals,
                                       List<LinkChange> changes, Progress progress) {
        Parameters parameters = options.parameters;
        parameters.terms = PlacementTerms.of(key.strategy, options.k, JoinPolicy.SHARE)
                .withOptions(paths -> paths.seed(key.seed));
        parameters.allocator = key.allocator;
        parameters.agents = key.model.equals(SimulateOptions.MODELS.get(0));
        try {
            return new Simulation(topology.graph(), arrivals, changes, parameters).run(ended -> progress.goesOn(key, ended));
        } catch (IllegalArgumentException e) {
            throw new InputException(e.getMessage(), e);
        }
    }

    private static void tell(Summary summary, RunKey key, PrintStream err) {
        if (summary.figures.get("blocked") > 0) {
            err.println("lab: simulate: " + key + ": " + summary.figures.get("blocked").intValue()
                    + " connections were blocked: no path with capacity joined their ends");
        }
        if (summary.figures.get("unfinished") > 0 && !summary.isInterrupted()) {
            err.println("lab: simulate: " + key + ": " + summary.figures.get("unfinished").intValue()
                    + " connections have not ended: their paths were lost, and no other joined their ends");
        }
    }
}
