// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.plan.InputException;
import org.subflow.mptcp.plan.simulate.engine.Arrival;
import org.subflow.mptcp.plan.simulate.engine.RunResult;

/**
 * The folder of {@code --out}. A run that is finished has a file there, and is not done again. Runs of other settings may not be
 * mixed with these, so the folder knows its settings. A file appears when it is complete.
 */
final class OutputFolder {
    private static final String SETTINGS = "settings.txt";
    private final Path folder;

    /**
     * Opens a folder, and makes it if there is none.
     *
     * @param name     its path
     * @param settings all on which a run depends but its key, as text
     * @throws InputException if it cannot be written, or has runs of other settings
     */
    OutputFolder(String name, String settings) {
        try {
            folder = Path.of(name);
            Files.createDirectories(folder.resolve("runs"));
            Path file = folder.resolve(SETTINGS);
            if (!Files.exists(file)) {
                write(file, settings);
            } else if (!Files.readString(file).equals(settings)) {
                throw new InputException("--out " + name + ": it has runs of other settings or files: see " + SETTINGS
                        + " there, or give another folder");
            }
        } catch (IOException | InvalidPathException e) {
            throw new InputException("--out " + name + ": it cannot be written: " + e.getMessage(), e);
        }
    }

    /** Writes a file at once, in place of one that is there. */
    static void write(Path file, String text) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.writeString(part, text, StandardCharsets.UTF_8);
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    private Path run(RunKey key) {
        return folder.resolve("runs").resolve(key + ".csv");
    }

    /** Returns the figures of a finished run; null if it is to be done. */
    Summary finished(RunKey key) {
        Path file = run(key);
        return Files.exists(file) ? read(file.toString()) : null;
    }

    private static Summary read(String file) {
        Csv csv = new Csv("--out", file);
        if (!csv.has("part", "number", "figure", "value")) {
            throw new InputException(file + ": it is no finished run: delete it, and it will be done again");
        }
        Summary summary = new Summary();
        for (int row = 0; row < csv.rows(); row++) {
            String part = csv.text(row, "part");
            double value = csv.text(row, "value").isEmpty() ? Double.NaN
                    : csv.number(row, "value", Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
            Map<String, Double> figures = part.equals("run") ? summary.figures
                    : entry(part.equals("size") ? summary.sizes : summary.snapshots, (int) csv.number(row, "number", 0, 1e6));
            figures.put(csv.text(row, "figure"), value);
        }
        return summary;
    }

    private static Map<String, Double> entry(List<Map<String, Double>> list, int number) {
        while (list.size() <= number) {
            list.add(new LinkedHashMap<>());
        }
        return list.get(number);
    }

    /** Returns how long each connection of a finished run took, by its number, in seconds; not a number for one that has not ended. */
    double[] completions(RunKey key) {
        Csv csv = new Csv("--out", connections(key).toString());
        double[] seconds = new double[csv.rows()];
        Arrays.setAll(seconds, row -> csv.text(row, "completionSeconds").isEmpty() ? Double.NaN
                : csv.number(row, "completionSeconds", 0, Double.POSITIVE_INFINITY));
        return seconds;
    }

    private Path connections(RunKey key) {
        return folder.resolve("runs").resolve(key + "-connections.csv");
    }

    /** Writes a finished run: its connections, then its figures, which make it count as finished. */
    void write(RunKey key, Summary summary, Topology topology, List<Arrival> arrivals, RunResult result) throws IOException {
        StringBuilder text = new StringBuilder("number,at,source,target,bytes,paths,completionSeconds\n");
        for (Arrival arrival : arrivals) {
            double time = Summary.rounded(result.completion[arrival.number]);
            text.append(arrival.number).append(',').append(Summary.rounded(arrival.at)).append(',')
                    .append(quoted(topology.name(arrival.source))).append(',').append(quoted(topology.name(arrival.target)))
                    .append(',').append(Summary.rounded(arrival.bytes)).append(',')
                    .append(Math.max(0, result.paths[arrival.number])).append(',').append(Double.isNaN(time) ? "" : time).append('\n');
        }
        write(connections(key), text.toString());
        write(run(key), Report.csv(key, summary));
    }

    private static String quoted(String name) {
        return name.matches("[^\",\\s]*") ? name : '"' + name.replace("\"", "\"\"") + '"';
    }

    /** Writes the report of all runs. */
    void write(Report report) throws IOException {
        write(folder.resolve("simulation.csv"), report.csv());
        write(folder.resolve("simulation.json"), report.json(null));
    }
}
