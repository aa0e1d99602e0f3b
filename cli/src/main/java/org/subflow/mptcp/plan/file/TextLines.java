// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.file;

import java.util.List;
import java.util.stream.Collectors;

/** The lines of a text file, one after the other, divided into words. For one thread. */
final class TextLines {
    private final String name;
    private final List<String> lines;
    private int next;

    TextLines(String name, String text) {
        this.name = name;
        this.lines = text.lines().collect(Collectors.toList());
    }

    /** Goes to the next line that is not blank, and returns its words; null at the end. */
    String[] words() {
        while (next < lines.size()) {
            String line = lines.get(next++).strip();
            if (!line.isEmpty()) {
                return line.split("\\s+");
            }
        }
        return null;
    }

    /** Goes to the next line that is not blank, and returns its words: as many as that at least. */
    String[] words(int least, String what) {
        String[] words = words();
        if (words == null || words.length < least) {
            throw bad("expected " + what);
        }
        return words;
    }

    /** Returns the number of the line that was read last, from 1. */
    int line() {
        return Math.max(1, next);
    }

    double number(String word, String what) {
        try {
            return Double.parseDouble(word);
        } catch (NumberFormatException e) {
            throw bad(what + " is '" + word + "', which is no number");
        }
    }

    IllegalArgumentException bad(String what) {
        return new IllegalArgumentException(name + ", line " + line() + ": " + what);
    }
}
