// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;

/** Writes the reference of the Karaf commands, {@code docs/reference/commands.md}, from their annotations. */
final class CommandReference {
    private static final Path SOURCES = Path.of("src/main/java/org/subflow/mptcp/cli");
    private static final String SUFFIX = "Command.java";

    private final StringBuilder text = new StringBuilder();

    private CommandReference() {
    }

    /** Returns the classes of all commands, sorted by the commands' names. */
    static List<Class<?>> commands() throws IOException, ClassNotFoundException {
        List<Class<?>> commands = new ArrayList<>();
        try (Stream<Path> files = Files.list(SOURCES)) {
            for (String file : files.map(path -> path.getFileName().toString()).collect(Collectors.toList())) {
                if (file.endsWith(SUFFIX)) {
                    commands.add(Class.forName(CommandReference.class.getPackageName() + "." + file.replace(".java", "")));
                }
            }
        }
        commands.removeIf(common -> !common.isAnnotationPresent(Command.class));
        commands.sort(Comparator.comparing(command -> command.getAnnotation(Command.class).name()));
        return commands;
    }

    /** Returns the fields with a command's own options, sorted by name, then those with its arguments in their order. */
    static List<Field> fields(Class<?> command) {
        List<Field> own = new ArrayList<>(List.of(command.getDeclaredFields()));
        if (command.getSuperclass() == NetworkCommand.class) {
            own.addAll(List.of(NetworkCommand.class.getDeclaredFields()));
        }
        List<Field> fields = new ArrayList<>();
        own.stream().filter(field -> field.isAnnotationPresent(Option.class))
                .sorted(Comparator.comparing(field -> field.getAnnotation(Option.class).name())).forEach(fields::add);
        own.stream().filter(field -> field.isAnnotationPresent(Argument.class))
                .sorted(Comparator.comparing(field -> field.getAnnotation(Argument.class).index())).forEach(fields::add);
        return fields;
    }

    /** Returns the document. */
    static String write() throws IOException, ClassNotFoundException {
        CommandReference reference = new CommandReference();
        reference.line("<!-- SPDX-License-Identifier: Apache-2.0 -->");
        reference.line("# Reference of the commands");
        reference.line("");
        reference.line("Written from the commands' annotations; `CommandReferenceTest` compares it with them, and says how to write it anew.");
        reference.line("[REST and commands](../rest-and-cli.md#karaf-commands) explains them. `-j` or `--json` prints JSON, `--help` what stands");
        reference.line("here.");
        for (Class<?> command : commands()) {
            reference.command(command);
        }
        return reference.text.toString();
    }

    private void command(Class<?> type) {
        Command command = type.getAnnotation(Command.class);
        line("");
        line("## " + command.name());
        line("");
        line(command.description() + ".");
        line("");
        line("```text");
        List<String> words = fields(type).stream().map(CommandReference::usage).collect(Collectors.toList());
        line(Stream.concat(Stream.of(command.name(), "[-j]"), words.stream()).collect(Collectors.joining(" ")));
        line("```");
        if (!words.isEmpty()) {
            line("");
            line("| option or argument | meaning | completed |");
            line("|---|---|---|");
            fields(type).forEach(this::row);
        }
        line("");
        line("```text");
        line(command.detailedDescription());
        line("```");
    }

    private static String usage(Field field) {
        Option option = field.getAnnotation(Option.class);
        if (option != null) {
            return "[" + option.name() + (field.getType() == boolean.class ? "" : " VALUE") + (option.multiValued() ? " …" : "") + "]";
        }
        Argument argument = field.getAnnotation(Argument.class);
        String name = argument.name().contains("|") ? argument.name() : argument.name().toUpperCase(Locale.ROOT);
        String words = name + (argument.multiValued() ? " …" : "");
        return argument.required() ? words : "[" + words + "]";
    }

    private void row(Field field) {
        Option option = field.getAnnotation(Option.class);
        Argument argument = field.getAnnotation(Argument.class);
        String names = option == null ? "`" + argument.name().toUpperCase(Locale.ROOT) + "`"
                : Stream.concat(Stream.of(option.name()), Arrays.stream(option.aliases())).map(name -> "`" + name + "`")
                        .collect(Collectors.joining(", "));
        String words = option == null ? argument.description() : option.description();
        line("| " + names.replace("|", "\\|") + " | " + words.replace("|", "\\|") + " | "
                     + (field.isAnnotationPresent(Completion.class) ? "yes" : "") + " |");
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}
