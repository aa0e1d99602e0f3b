// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.policy;

import com.google.common.collect.Range;
import com.google.common.primitives.Ints;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One setting: its name, its default, the values that it takes, and what it is for. Whatever reads, checks or shows settings goes
 * by this. Immutable.
 *
 * @param <T> what a value is: an Integer, or a text or constant out of a few
 */
public final class Setting<T> {
    private final String name;
    private final T standard;
    private final List<String> choices;
    private final String takes;
    private final String meaning;
    private final Function<String, Optional<T>> values;

    private Setting(String name, T standard, List<String> choices, String takes, String meaning,
                    Function<String, Optional<T>> values) {
        this.name = name;
        this.standard = standard;
        this.choices = choices;
        this.takes = takes;
        this.meaning = meaning;
        this.values = values;
    }

    /** Makes a setting that takes whole numbers. */
    static Setting<Integer> number(String name, int standard, int least, int most, String meaning) {
        Range<Integer> range = Range.closed(least, most);
        return new Setting<>(name, standard, List.of(), "a whole number from " + least + " to " + most, meaning,
                             text -> Optional.ofNullable(Ints.tryParse(text)).filter(range));
    }

    /** Makes a setting that takes one of these, each as it writes itself. */
    static <T> Setting<T> choice(String name, T standard, List<T> values, String meaning) {
        List<String> choices = values.stream().map(Object::toString).collect(Collectors.toUnmodifiableList());
        int last = choices.size() - 1;
        String takes = "'" + String.join("', '", choices.subList(0, last)) + "' or '" + choices.get(last) + "'";
        return new Setting<>(name, standard, choices, takes, meaning,
                             text -> values.stream().filter(each -> each.toString().equals(text)).findFirst());
    }

    /** Returns the name, as users type it; it ends in the unit, if there is one. */
    public String name() {
        return name;
    }

    /** Returns the default. */
    public T standard() {
        return standard;
    }

    /** Returns the values that it takes, as users type them, if they are a few; else empty. */
    public List<String> choices() {
        return choices;
    }

    /** Returns what the usable values are, as a part of a sentence. */
    public String takes() {
        return takes;
    }

    /** Returns what the setting is for, in a sentence. */
    public String meaning() {
        return meaning;
    }

    /** Returns whether values are whole numbers. */
    public boolean isNumber() {
        return standard instanceof Integer;
    }

    /**
     * Reads a value as users type it.
     *
     * @param text the value; not null
     * @return the value
     * @throws IllegalArgumentException if it is not usable; the message names those that are
     */
    public T parse(String text) {
        return values.apply(text.trim()).orElseThrow(
                () -> new IllegalArgumentException(text + ": it takes " + takes));
    }

    /** Returns the name. */
    @Override
    public String toString() {
        return name;
    }
}
