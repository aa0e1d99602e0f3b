// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.farm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Commands to a farm, one a line, each answered by a line of JSON; a wrong one by {@code {"error": …}}.
 *
 * <pre>
 *   state                            what there is, and counters since the start
 *   hosts                            lets all hosts say where they are
 *   short COUNT PER_SECOND MILLIS    opens connections that end after so long; answers when all have
 *   open COUNT PER_SECOND            opens connections that stay; answers when all have been opened
 *   close PER_SECOND                 ends all; answers when that is done
 *   setups                           times from SYN to rules since the last such command
 *   fail MILLIS                      takes the busiest link down; answers when all is quiet again, or after so long
 *   restore                          takes it up
 *   hang NUMBER                      lets a switch answer nothing any more
 * </pre>
 */
final class Console {
    private final Farm farm;
    private final Traffic traffic;
    private final Loop loop;
    private final PrintStream out;
    private Repair failure;

    Console(Farm farm, Traffic traffic, Loop loop, PrintStream out) {
        this.farm = farm;
        this.traffic = traffic;
        this.loop = loop;
        this.out = out;
    }

    /** Takes commands until there are no more. */
    void read(BufferedReader in) throws IOException {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            List<String> words = List.of(line.trim().split(" +"));
            loop.execute(() -> run(words));
        }
    }

    /** Does a command; for the loop's thread. */
    void run(List<String> words) {
        try {
            String command = words.get(0);
            switch (command) {
                case "state" -> answer(state());
                case "hosts" -> {
                    farm.announceHosts();
                    answer(Map.of());
                }
                case "short" -> traffic.open(count(words), number(words, 2), number(words, 3), () -> answer(Map.of()));
                case "open" -> traffic.open(count(words), number(words, 2), 0, () -> answer(Map.of()));
                case "close" -> traffic.closeAll(number(words, 1), () -> answer(Map.of()));
                case "setups" -> answer(Quantiles.of(traffic.takeSetUps()));
                case "fail" -> fail(number(words, 1));
                case "restore" -> restore();
                case "hang" -> {
                    farm.node((int) number(words, 1)).hang();
                    answer(Map.of());
                }
                default -> throw new IllegalArgumentException("unknown command " + command);
            }
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            answer(Map.of("error", String.valueOf(e.getMessage())));
        }
    }

    private void fail(double mostMillis) {
        boolean begun = Repair.begin(farm, loop, traffic, mostMillis, repair -> {
            failure = repair;
            answer(repair.figures());
        });
        if (!begun) {
            throw new IllegalArgumentException("no subflow has rules over a link");
        }
    }

    private void restore() {
        if (failure == null) {
            throw new IllegalArgumentException("no link is down");
        }
        failure.restore();
        failure = null;
        answer(Map.of());
    }

    private Map<String, Object> state() {
        Map<String, Object> state = new LinkedHashMap<>();
        state.put("switches", farm.switches().size());
        state.put("mastered", farm.switches().stream().filter(FarmSwitch::isMastered).count());
        state.put("copying", farm.fabric().hosts().stream()
                .filter(host -> farm.node(host.at().node()).table().copies(host.at().port()) != null).count());
        state.put("links", farm.fabric().links());
        state.put("hosts", farm.fabric().hosts().size());
        state.put("alive", traffic.alive().size());
        state.put("subflows", traffic.alive().stream().mapToInt(connection -> connection.subflows.size()).sum());
        state.put("ruled", traffic.ruled());
        state.put("opened", traffic.opened());
        state.put("closed", traffic.closed());
        state.put("asked", traffic.asked());
        state.put("copied", traffic.copied());
        state.put("unseen", traffic.unseen());
        state.put("rules", farm.switches().stream().mapToInt(sw -> sw.table().rules().size()).sum());
        state.put("flowMods", farm.switches().stream().mapToLong(FarmSwitch::flowMods).sum());
        state.put("packets", farm.switches().stream().mapToLong(FarmSwitch::packets).sum());
        state.put("droppedPackets", farm.switches().stream().mapToLong(FarmSwitch::droppedPackets).sum());
        state.put("worstLagMillis", loop.takeWorstLagMillis());
        state.put("lost", farm.lost());
        return state;
    }

    private static int count(List<String> words) {
        return (int) number(words, 1);
    }

    private static double number(List<String> words, int at) {
        double number = Double.parseDouble(words.get(at));
        if (!(number > 0 && number < Integer.MAX_VALUE)) {
            throw new IllegalArgumentException(words.get(at) + " is not a number above 0");
        }
        return number;
    }

    private void answer(Map<String, ?> values) {
        out.println(values.entrySet().stream().map(entry -> text(entry.getKey()) + ": " + value(entry.getValue()))
                .collect(Collectors.joining(", ", "{", "}")));
        out.flush();
    }

    private static String value(Object value) {
        return value == null || value instanceof Number ? String.valueOf(value) : text(String.valueOf(value));
    }

    private static String text(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", " ") + '"';
    }
}
