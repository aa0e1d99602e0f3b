// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.plan.InputException;
import org.subflow.mptcp.plan.Nearest;

/** A CSV file whose first line names its columns. Fields may stand in quotation marks. Lines after {@code #} are left out. */
final class Csv {
    private final String file;
    private final List<String> columns;
    private final List<String[]> rows = new ArrayList<>();
    private final List<Integer> lines = new ArrayList<>();

    /**
     * Reads a file.
     *
     * @param option the option that names it, for messages
     * @param file   its path
     * @throws InputException if it cannot be read, or a line has another number of fields than the first
     */
    Csv(String option, String file) {
        this.file = file;
        List<String> text = lines(option, file);
        List<String> head = null;
        for (int i = 0; i < text.size(); i++) {
            String line = i == 0 && text.get(i).startsWith("\uFEFF") ? text.get(i).substring(1) : text.get(i);
            if (line.trim().isEmpty() || line.startsWith("#")) {
                continue;
            }
            String[] fields = fields(line);
            if (head == null) {
                head = Arrays.asList(fields);
            } else {
                rows.add(fields);
                lines.add(i + 1);
                if (fields.length != head.size()) {
                    throw bad(rows.size() - 1, "has " + fields.length + " fields, but the first line names " + head.size());
                }
            }
        }
        columns = head == null ? List.of() : head;
    }

    private static List<String> lines(String option, String file) {
        try {
            return Files.readAllLines(Path.of(file));
        } catch (MalformedInputException e) {
            throw new InputException(option + " " + file + ": it is no text in UTF-8", e);
        } catch (IOException | InvalidPathException e) {
            throw new InputException(option + " " + file + ": cannot be read: there is no such file, or no right to it", e);
        }
    }

    private static String[] fields(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"' && quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                field.append(line.charAt(++i));
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                fields.add(field.toString().trim());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        fields.add(field.toString().trim());
        return fields.toArray(new String[0]);
    }

    boolean has(String... names) {
        return columns.containsAll(List.of(names));
    }

    int rows() {
        return rows.size();
    }

    String text(int row, String column) {
        return rows.get(row)[columns.indexOf(column)];
    }

    /** Returns a number of a range; the message names the line. */
    double number(int row, String column, double least, double most) {
        String text = text(row, column);
        double number;
        try {
            number = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            number = Double.NaN;
        }
        if (!(number >= least && number <= most)) {
            throw bad(row, String.format(Locale.ROOT, "%s is %s; it must be a number from %s to %s", column,
                    text.isEmpty() ? "missing" : text, plain(least), plain(most)));
        }
        return number;
    }

    /** Returns a whole number of a range; the message names the line. */
    int whole(int row, String column, int least, int most) {
        double number = number(row, column, least, most);
        if (number != Math.rint(number)) {
            throw bad(row, column + " is " + text(row, column) + "; it must be a whole number");
        }
        return (int) number;
    }

    private static String plain(double number) {
        return number == Math.rint(number) && number < 1e6 ? Long.toString((long) number) : Double.toString(number);
    }

    /** Returns the node that a field names. */
    int node(int row, String column, Topology topology) {
        try {
            return Nearest.node(topology, text(row, column));
        } catch (IllegalArgumentException e) {
            throw bad(row, column + ": " + e.getMessage());
        }
    }

    /** Returns the exception for a row. */
    InputException bad(int row, String what) {
        return new InputException(file + ", line " + lines.get(row) + ": " + what);
    }
}
