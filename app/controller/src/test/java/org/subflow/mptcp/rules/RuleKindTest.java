// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.packet.PacketPriority;

/** Which rule a packet meets first. */
class RuleKindTest {
    private static final int STOCK_FORWARDING = 10;
    private static final Path DOCUMENT = Path.of("../../docs/connections.md");
    /** A row of the table of priorities: a number, a rule, and whose it is. */
    private static final Pattern OURS = Pattern.compile("(?m)^\\| (\\d+) \\|[^|]*\\| ours \\|$");

    @Test
    void theRulesHaveTheirOrderAmongThoseOfOthers() {
        List<Integer> order = List.of(
                RuleKind.LAST_WATCH.priority(), PacketPriority.REACTIVE.priorityValue(), STOCK_FORWARDING,
                RuleKind.WATCH.priority(), RuleKind.SERVICE.priority(), RuleKind.PLAIN.priority(),
                Intent.DEFAULT_INTENT_PRIORITY, RuleKind.WAKE.priority(), RuleKind.SUBFLOW.priority(),
                RuleKind.PATH.priority(), PacketPriority.CONTROL.priorityValue());
        assertEquals(order.stream().sorted().distinct().collect(Collectors.toList()), order);
    }

    @Test
    void theDocumentShowsEachKindInItsPlace() throws IOException {
        List<Integer> documented = OURS.matcher(Files.readString(DOCUMENT)).results()
                .map((MatchResult row) -> Integer.valueOf(row.group(1))).collect(Collectors.toList());
        List<Integer> kinds = Arrays.stream(RuleKind.values()).map(RuleKind::priority).collect(Collectors.toList());
        assertEquals(kinds, documented, "the table 'Priorities of rules' in " + DOCUMENT);
    }
}
