// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reproduce;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Writes the data of a paper's tables and figures as CSV files. The Python program beside this module makes the report, and
 * checks the users' options.
 */
public final class Main {
    private Main() {
    }

    /**
     * Writes the data of one part.
     *
     * @param arguments one of {@link Parts#names}; a folder; the number of random networks for each point of a figure, at most
     *                  1000 for {@code gomez}
     */
    public static void main(String[] arguments) throws Exception {
        write(arguments[0], Path.of(arguments[1]), Integer.parseInt(arguments[2]));
    }

    private static void write(String part, Path folder, int draws) throws Exception {
        Files.createDirectories(folder);
        for (Map.Entry<String, Table> table : Parts.named(part).compute(draws).entrySet()) {
            table.getValue().write(folder.resolve(table.getKey()));
        }
    }
}
