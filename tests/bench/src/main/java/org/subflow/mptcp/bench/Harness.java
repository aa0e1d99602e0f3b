// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs JMH on one thread, in a Java machine of its own with a bounded heap. It prints nothing unless something fails. */
public final class Harness {
    private static final int WARM_UP = 2;
    private static final String FIRST_SEED = "firstSeed";

    private Harness() {
    }

    /**
     * Measures methods of a JMH class, some iterations of about a second each.
     *
     * @param type       the class
     * @param parameters values of its parameters by name
     * @param machines   number of Java machines for each method, one after the other
     * @param iterations number of measured iterations in each, after two to warm up
     * @return time and memory of each method, by its name
     * @throws RunnerException if a method or the set-up throws; JMH's log is then on standard error
     */
    public static Map<String, Score> measure(Class<?> type, Map<String, String> parameters, int machines, int iterations)
            throws RunnerException {
        return run(measured(type, parameters, "", WARM_UP, iterations).forks(machines));
    }

    /** Measures the methods of a JMH class whose names begin so, as the effort says. */
    static Map<String, Score> measure(Class<?> type, Map<String, String> parameters, Effort effort, String beginning)
            throws RunnerException {
        if (!effort.isDivided()) {
            return run(measured(type, parameters, beginning, WARM_UP, effort.iterations()).forks(effort.machines()));
        }
        // Each machine has seeds of its own, and the class warms itself up.
        return run(measured(type, parameters, beginning, 1, effort.iterations()).forks(1)
                .param(FIRST_SEED, effort.firstSeeds()));
    }

    private static ChainedOptionsBuilder measured(Class<?> type, Map<String, String> parameters, String beginning,
                                                  int warmUps, int iterations) {
        return including(type, parameters, beginning)
                .jvmArgs("-Xms1g", "-Xmx1g", "-XX:+UseParallelGC")
                .warmupIterations(warmUps).warmupTime(TimeValue.seconds(1))
                .measurementIterations(iterations).measurementTime(TimeValue.milliseconds(600));
    }

    /**
     * Runs the methods of a JMH class once, in this Java machine. The times mean nothing, but the set-up checks the answers.
     *
     * @param type       the class
     * @param parameters values of its parameters by name
     * @return time and memory of each method, by its name
     * @throws RunnerException if a method or the set-up throws; JMH's log is then on standard error
     */
    public static Map<String, Score> runOnce(Class<?> type, Map<String, String> parameters) throws RunnerException {
        return run(including(type, parameters, "")
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1).measurementTime(TimeValue.milliseconds(1)));
    }

    private static ChainedOptionsBuilder including(Class<?> type, Map<String, String> parameters, String beginning) {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + Pattern.quote(type.getName() + "." + beginning))
                .addProfiler(GCProfiler.class)
                .threads(1)
                .shouldFailOnError(true);
        parameters.forEach(options::param);
        return options;
    }

    private static Map<String, Score> run(ChainedOptionsBuilder options) throws RunnerException {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        OutputFormat format = OutputFormatFactory.createFormatInstance(
                new PrintStream(log, true, StandardCharsets.UTF_8), VerboseMode.NORMAL);
        try {
            Map<String, List<RunResult>> results = new HashMap<>();
            for (RunResult result : new Runner(options.build(), format).run()) {
                String benchmark = result.getParams().getBenchmark();
                results.computeIfAbsent(benchmark.substring(benchmark.lastIndexOf('.') + 1), name -> new ArrayList<>())
                        .add(result);
            }
            Map<String, Score> scores = new HashMap<>();
            results.forEach((name, all) -> scores.put(name, Score.of(all)));
            return scores;
        } catch (RunnerException e) {
            System.err.write(log.toByteArray(), 0, log.size());
            throw e;
        }
    }
}
