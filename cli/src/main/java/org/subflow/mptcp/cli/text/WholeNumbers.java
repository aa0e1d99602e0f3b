// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli.text;

/** Whole numbers as users type them. Karaf's own conversion tells the name of a Java type instead of what would be right. */
public final class WholeNumbers {
    private WholeNumbers() {
    }

    /**
     * Reads a number.
     *
     * @param option what it is the value of; not null
     * @param text   what the user has typed; not null
     * @param least  the least number
     * @param most   the greatest number
     * @return the number
     * @throws IllegalArgumentException if it is none, or out of range; the message says what would be right
     */
    public static int read(String option, String text, int least, int most) {
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // It is no number at all: the same answer.
        }
        throw new IllegalArgumentException(option + " takes a whole number from " + least + " to " + most + ", not '" + text + "'");
    }
}
