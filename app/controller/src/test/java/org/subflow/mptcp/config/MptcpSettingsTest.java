// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.policy.AgentSubflows;
import org.subflow.mptcp.api.policy.PathLabels;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.path.PathStrategies;
import org.subflow.mptcp.placement.JoinPolicy;

class MptcpSettingsTest {
    @Test
    void whatIsNotSetHasItsDefault() {
        assertEquals(Settings.builder().build(), MptcpSettings.read(new Hashtable<>()));
    }

    /** ONOS offers what the definition lists, and nothing else. */
    @Test
    void theDefinitionListsEveryPropertyWithItsDefault() throws Exception {
        List<String> constants = new ArrayList<>();
        for (Field field : OsgiPropertyConstants.class.getDeclaredFields()) {
            if (!field.getName().endsWith("_DEFAULT") && field.getType() == String.class) {
                Field otherwise = OsgiPropertyConstants.class.getDeclaredField(field.getName() + "_DEFAULT");
                constants.add(field.get(null) + "|" + otherwise.get(null));
            }
        }
        List<String> defined = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                MptcpSettings.class.getResourceAsStream("MptcpSettings.cfgdef"), StandardCharsets.UTF_8))) {
            lines.lines().filter(line -> !line.startsWith("#")).map(line -> line.split("\\|"))
                    .forEach(parts -> defined.add(parts[0] + "|" + parts[2]));
        }
        assertEquals(constants, defined);
    }

    @Test
    void everyStrategyCanBeChosen() {
        PathStrategies.names().forEach(name -> assertEquals(name, read("strategy", name).strategy()));
    }

    @Test
    void valuesAreTrimmedAndRead() {
        assertEquals(5, read("idleSeconds", " 5 ").idleSeconds());
        assertEquals(JoinPolicy.BLOCK, read("joinPolicy", "block").joinPolicy());
        assertEquals(AgentSubflows.NEEDED, read("agentSubflows", "needed").agentSubflows());
        assertEquals(5, read("announceSeconds", "5").announceSeconds());
        assertEquals(PathLabels.ON, read("pathLabels", " on").pathLabels());
        assertEquals(Optional.of("srlg"), read("disjoint", "srlg").disjoint());
        assertEquals(Optional.empty(), read("disjoint", "auto").disjoint());
        assertEquals(40, read("maxDelayMillis", "40").maxDelayMillis());
        assertEquals(86_400_000, read("maxDelaySpreadMillis", "86400000").maxDelaySpreadMillis());
    }

    @Test
    void whatIsNotUsableIsNamed() {
        assertRefused("strategy", "fastest", "fastest");
        assertRefused("agentSubflows", "some", "all, needed, off");
        assertRefused("joinPolicy", "perhaps", "'share', 'backup' or 'block'");
        assertRefused("idleSeconds", "soon", "whole number");
        assertRefused("idleSeconds", "0", "1 to 86400");
        assertRefused("subflows", "65", "1 to 64");
        assertRefused("mostSubflows", "0", "1 to 64");
        assertRefused("reoptimisePercent", "much", "whole number");
        assertRefused("backgroundPlan", "129", "0 to 128");
        assertRefused("announceSeconds", "61", "0 to 60");
        assertRefused("pathLabels", "true", "auto, on, off");
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

    @Test
    void whatOnosShowsOfThePropertiesIsWhatTheyAre() throws IOException {
        List<String> lines;
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                MptcpSettings.class.getResourceAsStream("MptcpSettings.cfgdef"),
                StandardCharsets.UTF_8))) {
            lines = reader.lines().filter(line -> !line.startsWith("#")).collect(Collectors.toList());
        }
        Hashtable<String, String> defaults = new Hashtable<>();
        lines.forEach(line -> defaults.put(line.split("\\|")[0], line.split("\\|")[2]));

        assertEquals(Settings.builder().build(), MptcpSettings.read(defaults));
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
