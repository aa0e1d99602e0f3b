// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
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

/** Runs JMH: on one thread, in a machine of its own with a bounded heap, and silent unless something fails. */
final class Harness {
    private static final int WARM_UP = 2;
    private static final int ITERATIONS = 4;
    private static final int MACHINES = 2;

    private Harness() {
    }

    /** Measures ours and the peer of a benchmark. */
    static Measurement measure(BenchmarkPair pair) throws RunnerException {
        return Measurement.of(pair, run(including(pair)
                .forks(MACHINES)
                .jvmArgs("-Xms1g", "-Xmx1g", "-XX:+UseParallelGC")
                .warmupIterations(WARM_UP).warmupTime(TimeValue.seconds(1))
                .measurementIterations(ITERATIONS).measurementTime(TimeValue.seconds(1))));
    }

    /** Runs ours and the peer of a benchmark once, in this machine: the times say nothing, but the answers are compared. */
    static Measurement runOnce(BenchmarkPair pair) throws RunnerException {
        return Measurement.of(pair, run(including(pair)
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1).measurementTime(TimeValue.milliseconds(1))));
    }

    private static ChainedOptionsBuilder including(BenchmarkPair pair) {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(pair.type().getName().replace(".", "\\.") + "\\.(ours|peer)$")
                .addProfiler(GCProfiler.class)
                .threads(1)
                .shouldFailOnError(true);
        pair.parameters().forEach(options::param);
        return options;
    }

    private static Collection<RunResult> run(ChainedOptionsBuilder options) throws RunnerException {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        try {
            OutputFormat format = OutputFormatFactory.createFormatInstance(
                    new PrintStream(log, true, StandardCharsets.UTF_8), VerboseMode.NORMAL);
            return new Runner(options.build(), format).run();
        } catch (RunnerException e) {
            System.err.write(log.toByteArray(), 0, log.size());
            throw e;
        }
    }
}
