// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/** Rows of text under one another: columns of numbers to the right, others to the left. */
public final class TextTable {
    private static final String GAP = "  ";

    private final List<String[]> rows = new ArrayList<>();
    private final boolean[] numbers;

    /** Makes a table; columns whose title starts with {@code #} are of numbers (the sign is not printed). */
    public TextTable(String... titles) {
        numbers = new boolean[titles.length];
        String[] head = new String[titles.length];
        for (int i = 0; i < titles.length; i++) {
            numbers[i] = titles[i].startsWith("#");
            head[i] = numbers[i] ? titles[i].substring(1) : titles[i];
        }
        rows.add(head);
    }

    /** Adds a row of as many cells as there are titles. */
    public void row(String... cells) {
        rows.add(cells);
    }

    /** Writes the rows, with the titles first. */
    public void write(Writer out) throws IOException {
        int[] widths = new int[numbers.length];
        for (String[] row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], length(row[i]));
            }
        }
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String space = " ".repeat(widths[i] - length(row[i]));
                line.append(i == 0 ? "" : GAP).append(numbers[i] ? space + row[i] : row[i] + space);
            }
            out.write(line.toString().stripTrailing() + "\n");
        }
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
