// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpPrefix;
import org.onosproject.cfg.ComponentConfigAdapter;
import org.osgi.framework.FrameworkUtil;
import org.subflow.mptcp.api.policy.KnownPolicies;
import org.subflow.mptcp.api.policy.Policies;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.api.policy.PolicyMatch;
import org.subflow.mptcp.api.policy.PolicyService;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsEditService;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.config.SettingsEditor;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.share.Allocators;

/** {@code mptcp-policies}, {@code mptcp-strategies} and {@code mptcp-allocators}. */
class ListsTest extends CommandScenario {
    private final List<Policy> policies = new ArrayList<>();

    @BeforeEach
    void offer() {
        FrameworkUtil.offer(SettingsService.class,
                            () -> Settings.DEFAULTS.with(Settings.STRATEGY, "shortest").with(Settings.ALLOCATOR, "proportional"));
        FrameworkUtil.offer(PolicyService.class, new KnownPolicies(() -> Policies.of(policies)));
    }

    @Test
    void policiesAreInTheOrderInWhichTheyHold() throws Exception {
        policies.add(Policy.named("video").weight(2).match(PolicyMatch.of(
                List.of(), List.of(), List.of(IpPrefix.valueOf("10.0.0.2/32")), List.of(Range.closed(443, 443), Range.closed(1, 9))))
                             .build());
        policies.add(Policy.named("rest").managed(false).build());
        assertEquals(List.of("NAME                 MATCH AND TERMS",
                             "video                servers=10.0.0.2/32 ports=443,1-9 weight=2.0",
                             "rest                 managed=false"), shell.run("onos:mptcp-policies"));
        assertEquals("[{\"name\":\"video\",\"servers\":[\"10.0.0.2/32\"],\"ports\":[443,\"1-9\"],\"weight\":2.0},"
                             + "{\"name\":\"rest\",\"managed\":false}]", shell.json("onos:mptcp-policies -j").toString());
    }

    @Test
    void withoutPoliciesItSaysSo() throws Exception {
        assertEquals(List.of("There is no policy: the settings hold for every connection."), shell.run("onos:mptcp-policies"));
        assertEquals("[]", shell.json("onos:mptcp-policies -j").toString());
    }

    @Test
    void theStrategyOfTheSettingsIsMarked() throws Exception {
        List<String> lines = shell.run("onos:mptcp-strategies");
        assertEquals(1 + PathStrategies.names().size(), lines.size());
        assertEquals(List.of("* shortest           none"),
                     lines.stream().filter(line -> line.startsWith("*")).collect(Collectors.toList()));
        JsonNode json = shell.json("onos:mptcp-strategies -j");
        assertEquals(PathStrategies.names(), json.findValuesAsText("name"));
        assertEquals(1, json.findValuesAsText("inForce").stream().filter("true"::equals).count());
        assertTrue(json.at("/0/disjointness").size() > 0);
    }

    @Test
    void theSettingsInForceStandBesideTheirDefaults() throws Exception {
        List<String> lines = shell.run("onos:mptcp-settings");
        assertEquals(1 + Settings.ALL.size(), lines.size());
        assertTrue(lines.contains("allocator                proportional     max-min          "
                                          + "'max-min', 'proportional' or 'smptcp'"), String.join("\n", lines));
        assertEquals("For how many seconds an idle or ended connection is remembered.",
                     shell.run("onos:mptcp-settings retentionSeconds").get(2));
        assertEquals("shortest", shell.json("onos:mptcp-settings -j strategy").at("/0/value").asText());
    }

    @Test
    void aUsableValueIsSetAndAnyOtherIsRefusedWithTheChoices() throws Exception {
        List<String> set = new ArrayList<>();
        FrameworkUtil.offer(SettingsEditService.class, new SettingsEditor(new ComponentConfigAdapter() {
            @Override
            public void setProperty(String component, String name, String value) {
                set.add(component + " " + name + " " + value);
            }
        }, () -> Settings.DEFAULTS));
        assertEquals("backup", shell.json("onos:mptcp-settings -j joinPolicy backup").at("/0/value").asText());
        assertTrue(shell.error("onos:mptcp-settings joinPolicy perhaps")
                           .contains("joinPolicy = perhaps: it takes 'share', 'backup' or 'block'"));
        assertTrue(shell.error("onos:mptcp-settings idleSeconds 0").contains("a whole number from 1 to 86400"));
        assertTrue(shell.error("onos:mptcp-settings idle 5").contains("no setting 'idle'; there are strategy, allocator, "));
        assertEquals(List.of("org.subflow.mptcp.config.MptcpSettings joinPolicy backup"), set);
    }

    @Test
    void theAllocatorInForceIsMarked() throws Exception {
        assertTrue(shell.run("onos:mptcp-allocators").contains("* proportional"));
        JsonNode json = shell.json("onos:mptcp-allocators -j");
        assertEquals(Allocators.names(), json.findValuesAsText("name"));
        assertEquals(1, json.findValuesAsText("inForce").stream().filter("true"::equals).count());
    }
}
