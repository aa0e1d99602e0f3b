// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.openjdk.jmh.runner.RunnerException;

/** {@code ./lab bench [NAME…] [--full] [--json FILE]}: runs benchmarks, each beside its peer, and prints a table. */
public final class Main {
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    private Main() {
    }

    /** Runs the benchmarks named, or all. */
    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments)));
    }

    /**
     * Runs benchmarks.
     *
     * @param arguments names, and at most once {@code --full} and {@code --json FILE}
     * @return the exit status: 0; 1 if a benchmark failed, after the others have run; 2 for wrong usage, with one line on
     *         standard error
     */
    static int run(List<String> arguments) {
        List<BenchmarkPair> pairs;
        List<Growth> series;
        Path json;
        try {
            List<String> names = new ArrayList<>(arguments);
            boolean full = names.remove("--full");
            json = takeJson(names);
            if (names.contains(NetworkWide.NAME)) {
                return networkWide(names, json);
            }
            if (names.contains(WhatIfTimes.NAME)) {
                return alone(WhatIfTimes.NAME, names, json, WhatIfTimes.whole()::run);
            }
            if (names.contains(Scale.NAME)) {
                return alone(Scale.NAME, names, json, Scale.whole()::run);
            }
            boolean all = names.isEmpty();
            series = Growth.taken(names, full);
            pairs = names.isEmpty() && !all ? List.of() : BenchmarkPair.named(names);
            pairs = full ? pairs.stream().map(BenchmarkPair::full).collect(Collectors.toList()) : pairs;
        } catch (IllegalArgumentException e) {
            System.err.println("lab: ./lab bench: " + e.getMessage());
            return USAGE;
        }
        try {
            List<String> failed = new ArrayList<>();
            List<Map<String, Object>> entries = new ArrayList<>(measure(pairs, failed));
            for (Growth growth : series) {
                entries.add(growth.json(growth.run(System.out)));
            }
            write(entries, json);
            return failed.isEmpty() ? 0 : FAILED;
        } catch (RunnerException | IOException e) {
            System.err.println("lab: ./lab bench: " + e.getMessage());
            return FAILED;
        }
    }

    private static int networkWide(List<String> names, Path json) {
        if (names.size() > 1) {
            throw new IllegalArgumentException(NetworkWide.NAME + " measures no times beside others: name it alone");
        }
        try {
            List<NetworkWide.Row> rows = NetworkWide.whole().run(System.out);
            if (json != null) {
                NetworkWide.write(rows, json);
            }
            return 0;
        } catch (IOException e) {
            System.err.println("lab: ./lab bench: " + e.getMessage());
            return FAILED;
        }
    }

    /** Runs a benchmark that is measured without others, and without a peer in the same run. */
    private static int alone(String name, List<String> names, Path json,
                             Function<PrintStream, List<Map<String, Object>>> benchmark) {
        if (names.size() > 1) {
            throw new IllegalArgumentException(name + " has no peer in the same run: name it alone");
        }
        try {
            write(benchmark.apply(System.out), json);
            return 0;
        } catch (IOException e) {
            System.err.println("lab: ./lab bench: " + e.getMessage());
            return FAILED;
        }
    }

    private static void write(List<Map<String, Object>> entries, Path json) throws IOException {
        if (json != null) {
            new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(json.toFile(), entries);
        }
    }

    private static Path takeJson(List<String> arguments) {
        int at = arguments.indexOf("--json");
        if (at >= 0) {
            if (at + 1 == arguments.size()) {
                throw new IllegalArgumentException("--json needs the name of a file");
            }
            arguments.remove(at);
            Path file = Path.of(arguments.remove(at));
            if (!Files.isWritable(file.toAbsolutePath().getParent()) || Files.isDirectory(file)) {
                throw new IllegalArgumentException("--json " + file
                        + ": no such folder, not writable, or itself a folder; name a file");
            }
            return file;
        }
        arguments.stream().filter(argument -> argument.startsWith("-")).findFirst().ifPresent(option -> {
            throw new IllegalArgumentException("unknown option " + option + "; usage: ./lab bench [NAME…] [--full] [--json FILE]");
        });
        return null;
    }

    /** Measures all; the names of those that fail go to a list. */
    private static List<Map<String, Object>> measure(List<BenchmarkPair> pairs, List<String> failed) {
        long begun = System.nanoTime();
        List<Measurement> measurements = new ArrayList<>();
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        String machine = String.format(Locale.ROOT, "Java %s, %s, %d cores, load average %.1f before",
                Runtime.version().feature(), system.getArch(), system.getAvailableProcessors(), system.getSystemLoadAverage());
        for (BenchmarkPair pair : pairs) {
            progress(begun, pair.name() + " (" + (measurements.size() + failed.size() + 1) + " of " + pairs.size() + ")");
            try {
                measurements.add(Measurement.take(pair));
            } catch (RunnerException e) {
                // Minutes of the others are not lost for one.
                System.err.println("lab: ./lab bench: " + pair.name() + ": " + e.getMessage());
                failed.add(pair.name());
            }
        }
        progress(begun, "done");
        System.out.println(machine + "; ± is the 95 % confidence interval of the mean of n iterations");
        if (!measurements.isEmpty()) {
            print(measurements);
        }
        return measurements.stream().map(Measurement::json).collect(Collectors.toList());
    }

    private static void progress(long begun, String what) {
        System.err.printf(Locale.ROOT, "[%4.0f s] %s%n", (System.nanoTime() - begun) / 1e9, what);
    }

    private static void print(List<Measurement> measurements) {
        System.out.printf("%-34s %26s %28s %9s %5s %5s   %s%n", "benchmark", "ours µs/op", "peer µs/op", "peer÷ours", "forks",
                "seeds", "peer");
        for (Measurement one : measurements) {
            BenchmarkPair pair = one.pair();
            System.out.printf(Locale.ROOT, "%-34s %26s %28s %9.1f %5d %5d   %s%n", pair.name(), one.ours(), one.peer(),
                    one.ratio(), pair.effort().machines(), pair.effort().seeds(), pair.peer());
        }
    }
}
