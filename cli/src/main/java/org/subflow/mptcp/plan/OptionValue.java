// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The value of one option of a command line: after {@code =}, or the next word. All methods throw {@link InputException}. */
public final class OptionValue {
    private final String command;
    private final String option;
    private final String attached;
    private final Iterator<String> rest;

    private OptionValue(String command, String option, String attached, Iterator<String> rest) {
        this.command = command;
        this.option = option;
        this.attached = attached;
        this.rest = rest;
    }

    /**
     * Reads a command line.
     *
     * @param command   the sub-command of {@code ./lab} whose help explains it; not null
     * @param arguments what follows the sub-command; not null
     * @param options   the options there are, by their names with hyphens: each takes its value; not null
     */
    public static void read(String command, String[] arguments, Map<String, Consumer<OptionValue>> options) {
        Iterator<String> rest = List.of(arguments).iterator();
        while (rest.hasNext()) {
            String word = rest.next();
            int equals = word.startsWith("--") ? word.indexOf('=') : -1;
            String option = equals < 0 ? word : word.substring(0, equals);
            if (!options.containsKey(option)) {
                throw new InputException("unknown option " + option + Nearest.told(option, options.keySet()) + "; see ./lab " + command
                                         + " --help");
            }
            options.get(option).accept(new OptionValue(command, option, equals < 0 ? null : word.substring(equals + 1), rest));
        }
    }

    /** Checks that there is no value; returns true. */
    public boolean absent() {
        if (attached != null) {
            throw new InputException(option + " takes no value, but was given '" + attached + "'");
        }
        return true;
    }

    /** Returns the value, which is not empty. */
    public String text() {
        if (attached == null && !rest.hasNext()) {
            throw new InputException(option + " needs a value; see ./lab " + command + " --help");
        }
        String text = attached == null ? rest.next() : attached;
        if (text.isEmpty()) {
            throw new InputException(option + " needs a value that is not empty");
        }
        return text;
    }

    /** Returns a whole number from {@code least} to {@code most}. */
    public long whole(long least, long most) {
        String text = text();
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The exception below serves both this and a number out of range.
        }
        throw new InputException(String.format(Locale.ROOT, "%s %s: it takes a whole number from %d to %d", option, text, least,
                most));
    }

    /** Returns a number that is 0 or more, and finite also as a million of its units. */
    public double amount(String unit) {
        String text = text();
        double amount;
        try {
            amount = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            amount = Double.NaN;
        }
        if (!(amount >= 0) || Double.isInfinite(amount * 1e6)) {
            throw new InputException(option + " " + text + ": it takes a number of " + unit + ", 0 or more");
        }
        return amount;
    }

    /** Returns what a parser makes of it. An {@link IllegalArgumentException} of the parser says what is wrong. */
    public <T> T parsed(Function<String, T> parser) {
        return named(parser, List.of());
    }

    /** Returns what is known by one of these names. */
    public <T> T named(Function<String, T> parser, List<String> known) {
        return one(parser, text(), known);
    }

    /** Returns what is known by each of some names with commas between them; {@code all} stands for all names. */
    public List<String> names(List<String> known, Function<String, ?> parser) {
        String text = text();
        List<String> names = List.of(text.equals("all") ? known.toArray(new String[0]) : text.split(",", -1));
        names.forEach(name -> one(parser, name, known));
        return names.stream().distinct().collect(Collectors.toUnmodifiableList());
    }

    private <T> T one(Function<String, T> parser, String text, List<String> known) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new InputException(option + ": " + e.getMessage() + Nearest.told(text, known), e);
        }
    }
}
