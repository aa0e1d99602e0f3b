// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
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
        return measure(type, parameters, machines, iterations, "");
    }

    /** As {@link #measure(Class, Map, int, int)}, but only the methods whose names begin so. */
    static Map<String, Score> measure(Class<?> type, Map<String, String> parameters, int machines, int iterations,
                                      String beginning) throws RunnerException {
        return run(including(type, parameters, beginning)
                .forks(machines)
                .jvmArgs("-Xms1g", "-Xmx1g", "-XX:+UseParallelGC")
                .warmupIterations(WARM_UP).warmupTime(TimeValue.seconds(1))
                .measurementIterations(iterations).measurementTime(TimeValue.milliseconds(600)));
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
            Map<String, Score> scores = new HashMap<>();
            for (RunResult result : new Runner(options.build(), format).run()) {
                String benchmark = result.getParams().getBenchmark();
                scores.put(benchmark.substring(benchmark.lastIndexOf('.') + 1), Score.of(result));
            }
            return scores;
        } catch (RunnerException e) {
            System.err.write(log.toByteArray(), 0, log.size());
            throw e;
        }
    }
}
