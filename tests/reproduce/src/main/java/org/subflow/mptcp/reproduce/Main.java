// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reproduce;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Writes the data of a paper's tables and figures as CSV files. The Python program beside this module makes the report, and
 * checks the users' options.
 */
public final class Main {
    private static final long SEED = 1;

    private Main() {
    }

    /**
     * Writes one paper's data.
     *
     * @param arguments the paper ({@code sheu}, {@code gomez}, {@code multiflow}, {@code smptcp} or
     *                  {@code emptcp}); an existing folder; the
     *                  number of random networks for each point of a figure, at most 1000 for {@code gomez}
     */
    public static void main(String[] arguments) throws IOException, RunnerException {
        write(arguments[0], Path.of(arguments[1]), Integer.parseInt(arguments[2]));
    }

    private static void write(String paper, Path folder, int draws) throws IOException, RunnerException {
        Files.createDirectories(folder);
        switch (paper) {
            case "sheu" -> {
                Sheu.Result result = Sheu.evaluate(draws, SEED);
                result.strategies().write(folder.resolve("sheu.csv"));
                result.gains().write(folder.resolve("sheu-gains.csv"));
                Sheu.underOtherTraffic(draws, SEED).strategies().write(folder.resolve("sheu-residuals.csv"));
                Sheu.example().write(folder.resolve("sheu-example.csv"));
            }
            case "gomez" -> {
                Gomez.shareWithTwoRoutes(draws).write(folder.resolve("gomez-two-routes.csv"));
                Gomez.routesAndHops(draws).write(folder.resolve("gomez-routes-and-hops.csv"));
            }
            case "multiflow" -> {
                Multiflow.pruning().write(folder.resolve("multiflow-pruning.csv"));
                Multiflow.asPublished().write(folder.resolve("multiflow-as-published.csv"));
                Multiflow.shares().write(folder.resolve("multiflow-shares.csv"));
                Multiflow.packetCost().write(folder.resolve("multiflow-packet-cost.csv"));
            }
            case "smptcp" -> {
                Smptcp.shares().write(folder.resolve("smptcp-shares.csv"));
                Smptcp.family().write(folder.resolve("smptcp-family.csv"));
                Smptcp.dinic().write(folder.resolve("smptcp-dinic.csv"));
            }
            case "emptcp" -> {
                Emptcp.paths().write(folder.resolve("emptcp-paths.csv"));
                Emptcp.triangle().write(folder.resolve("emptcp-triangle.csv"));
            }
            default -> throw new IllegalArgumentException("no paper " + List.of(paper));
        }
    }
}
