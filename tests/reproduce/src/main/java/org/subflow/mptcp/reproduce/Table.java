// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reproduce;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Rows under named columns, written as comma-separated values. No value has a comma or a quotation mark. */
final class Table {
    private final List<String> columns;
    private final List<List<String>> rows = new ArrayList<>();

    Table(String... columns) {
        this.columns = List.of(columns);
    }

    /**
     * Adds a row.
     *
     * @param values as many as there are columns; numbers with a fraction get six digits
     */
    void row(Object... values) {
        if (values.length != columns.size()) {
            throw new IllegalArgumentException(values.length + " values for " + columns.size() + " columns");
        }
        rows.add(Arrays.stream(values).map(Table::text).collect(Collectors.toList()));
    }

    private static String text(Object value) {
        return value instanceof Double number ? String.format(Locale.ROOT, "%.6g", number) : value.toString();
    }

    /** Returns the rows' values in a column. */
    List<String> column(String name) {
        int index = columns.indexOf(name);
        return rows.stream().map(row -> row.get(index)).collect(Collectors.toList());
    }

    /** Writes the table to a file. */
    void write(Path file) throws IOException {
        Files.writeString(file, this + "\n");
    }

    /** Returns the lines of the file. */
    @Override
    public String toString() {
        List<String> lines = new ArrayList<>();
        lines.add(String.join(",", columns));
        rows.forEach(row -> lines.add(String.join(",", row)));
        return String.join("\n", lines);
    }
}
