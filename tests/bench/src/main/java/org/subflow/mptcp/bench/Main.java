// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.openjdk.jmh.runner.RunnerException;

/** {@code ./lab bench [NAME…] [--json FILE]}: runs benchmarks, each beside its peer, and prints a table. */
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
     * @param arguments names, and at most once {@code --json FILE}
     * @return the exit status: 0; 1 if a benchmark failed; 2 for wrong usage, with one line on standard error
     */
    static int run(List<String> arguments) {
        List<BenchmarkPair> pairs;
        Path json;
        try {
            List<String> names = new ArrayList<>(arguments);
            json = takeJson(names);
            if (names.contains(NetworkWide.NAME)) {
                return networkWide(names, json);
            }
            pairs = BenchmarkPair.named(names);
        } catch (IllegalArgumentException e) {
            System.err.println("lab: ./lab bench: " + e.getMessage());
            return USAGE;
        }
        try {
            List<Measurement> measurements = measure(pairs);
            print(measurements);
            if (json != null) {
                write(measurements, json);
            }
            return 0;
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
            throw new IllegalArgumentException("unknown option " + option + "; usage: ./lab bench [NAME…] [--json FILE]");
        });
        return null;
    }

    private static List<Measurement> measure(List<BenchmarkPair> pairs) throws RunnerException {
        long begun = System.nanoTime();
        List<Measurement> measurements = new ArrayList<>();
        for (BenchmarkPair pair : pairs) {
            progress(begun, pair.name() + " (" + (measurements.size() + 1) + " of " + pairs.size() + ")");
            measurements.add(Measurement.take(pair));
        }
        progress(begun, "done");
        return measurements;
    }

    private static void progress(long begun, String what) {
        System.err.printf(Locale.ROOT, "[%4.0f s] %s%n", (System.nanoTime() - begun) / 1e9, what);
    }

    private static void print(List<Measurement> measurements) {
        System.out.printf("%-34s %26s %28s %9s   %s%n", "benchmark", "ours µs/op (B/op)", "peer µs/op (B/op)", "peer÷ours",
                "peer");
        for (Measurement one : measurements) {
            System.out.printf(Locale.ROOT, "%-34s %26s %28s %9.1f   %s%n", one.pair().name(), cell(one.ours()),
                    cell(one.peer()), one.ratio(), one.pair().peer());
        }
    }

    private static String cell(Score score) {
        return String.format(Locale.ROOT, "%.4g ± %.2g (%.0f)", score.micros(), score.error(), score.bytes());
    }

    private static void write(List<Measurement> measurements, Path file) throws IOException {
        new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(file.toFile(),
                measurements.stream().map(Measurement::json).collect(Collectors.toList()));
    }
}
