// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Hashtable;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.policy.AgentSubflows;
import org.subflow.mptcp.api.policy.PathLabels;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.placement.JoinPolicy;

/**
 * The definition that ONOS shows, and the table of the documents, are those of the settings. To write both anew after a change:
 *
 * <pre>mvn test -pl app/core,app/controller -Dtest=MptcpSettingsTest -Dsurefire.failIfNoSpecifiedTests=false -Dmptcp.golden=write</pre>
 */
class MptcpSettingsTest {
    private static final Path DEFINITION = Path.of("src/main/resources/org/subflow/mptcp/config/MptcpSettings.cfgdef");
    private static final Path DOCUMENT = Path.of("../../docs/settings.md");
    private static final String HEADER = "| setting | default | it takes | meaning |\n|---|---|---|---|\n";

    @Test
    void whatIsNotSetHasItsDefault() {
        assertEquals(Settings.DEFAULTS, MptcpSettings.read(new Hashtable<>()));
    }

    /** ONOS offers what the definition lists, and nothing else. */
    @Test
    void theDefinitionIsThatOfTheSettings() throws IOException {
        String now = "#Component configuration of onos-mptcp: name|type|default|description\n" + Settings.ALL.stream()
                .map(setting -> String.format("%s|%s|%s|%s; it takes %s\n", setting, setting.isNumber() ? "INTEGER" : "STRING",
                                              setting.standard(), setting.meaning(), setting.takes()))
                .collect(Collectors.joining());
        check(DEFINITION, Files.readString(DEFINITION), now);
    }

    @Test
    void theTableIsThatOfTheSettings() throws IOException {
        String document = Files.readString(DOCUMENT);
        String rows = Settings.ALL.stream()
                .map(setting -> String.format("| `%s` | %s | %s | %s |\n", setting,
                                              setting.isNumber() ? setting.standard() : "`" + setting.standard() + "`",
                                              setting.takes().replace('\'', '`'), setting.meaning()))
                .collect(Collectors.joining());
        int from = document.indexOf(HEADER) + HEADER.length();
        check(DOCUMENT, document, document.substring(0, from) + rows + document.substring(document.indexOf("\n\n", from) + 1));
    }

    private static void check(Path file, String before, String now) throws IOException {
        if ("write".equals(System.getProperty("mptcp.golden"))) {
            Files.writeString(file, now);
        } else {
            assertEquals(now, before, file + " is not that of the settings; the comment of this test says how to write it anew");
        }
    }

    @Test
    void everyStrategyCanBeChosen() {
        PathStrategies.names().forEach(name -> assertEquals(name, read("strategy", name).get(Settings.STRATEGY)));
    }

    @Test
    void valuesAreTrimmedAndRead() {
        assertEquals(5, read("idleSeconds", " 5 ").get(Settings.IDLE_SECONDS));
        assertEquals(JoinPolicy.BLOCK, read("joinPolicy", "block").get(Settings.JOIN_POLICY));
        assertEquals(AgentSubflows.NEEDED, read("agentSubflows", "needed").get(Settings.AGENT_SUBFLOWS));
        assertEquals(5, read("announceSeconds", "5").get(Settings.ANNOUNCE_SECONDS));
        assertEquals(PathLabels.ON, read("pathLabels", " on").get(Settings.PATH_LABELS));
        assertEquals("srlg", read("disjoint", "srlg").get(Settings.DISJOINT));
        assertEquals(Settings.AUTO, read("disjoint", "auto").get(Settings.DISJOINT));
        assertEquals(40, read("maxDelayMillis", "40").get(Settings.MAX_DELAY_MILLIS));
        assertEquals(86_400_000, read("maxDelaySpreadMillis", "86400000").get(Settings.MAX_DELAY_SPREAD_MILLIS));
    }

    @Test
    void whatIsNotUsableIsNamed() {
        assertRefused("strategy", "fastest", "fastest");
        assertRefused("agentSubflows", "some", "'all', 'needed' or 'off'");
        assertRefused("joinPolicy", "perhaps", "'share', 'backup' or 'block'");
        assertRefused("idleSeconds", "soon", "whole number");
        assertRefused("idleSeconds", "0", "1 to 86400");
        assertRefused("subflows", "65", "1 to 64");
        assertRefused("mostSubflows", "0", "1 to 64");
        assertRefused("reoptimisePercent", "much", "whole number");
        assertRefused("backgroundPlan", "129", "0 to 128");
        assertRefused("announceSeconds", "61", "0 to 60");
        assertRefused("pathLabels", "true", "'auto', 'on' or 'off'");
        assertRefused("disjoint", "zone", "'auto', 'link', 'node' or 'srlg'");
        assertRefused("maxDelayMillis", "-1", "0 to 86400000");
        assertRefused("maxDelayMillis", "NaN", "whole number");
        assertRefused("maxDelaySpreadMillis", "86400001", "0 to 86400000");
        assertRefused("plainIdleSeconds", "65536", "65535");
        assertRefused("manageAfterMillis", "-1", "0 to 3600000");
        assertRefused("manageAfterBytes", "some", "whole number");
        assertRefused("mostConnections", "0", "1 to 100000");
        assertRefused("mostConnectionsPerHost", "100001", "1 to 100000");
    }

    private static Settings read(String name, String value) {
        Hashtable<String, String> properties = new Hashtable<>();
        properties.put(name, value);
        return MptcpSettings.read(properties);
    }

    private static void assertRefused(String name, String value, String hint) {
        String message = assertThrows(IllegalArgumentException.class, () -> read(name, value)).getMessage();
        assertTrue(message.contains(hint), message);
    }
}
