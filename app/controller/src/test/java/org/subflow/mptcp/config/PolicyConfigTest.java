// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onlab.packet.IpAddress;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.config.InvalidFieldException;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.policy.Policies;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.placement.JoinPolicy;

/** Policies as users write them. Quotes are single here, for legibility. */
class PolicyConfigTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final ApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");

    @Test
    void everyFieldIsRead() {
        Policies policies = read("{'policies': [{'name': 'bulk', 'hosts': ['10.0.0.0/8'], 'clients': ['10.0.0.1', '10.0.1.0/24'],"
                + "'servers': ['10.0.0.2'], 'ports': [80, '5201-5210'], 'managed': true, 'strategy': 'shortest',"
                + "'subflows': 2, 'joinPolicy': 'block', 'weight': 0.5, 'capMbps': 20, 'whenShort': 'refuse',"
                + "'minMbps': 2.5}]}");
        Policy policy = policies.policyFor(tuple("10.0.1.7", 5205));

        assertEquals("bulk", policy.name());
        assertEquals(Optional.of("shortest"), policy.get(Settings.STRATEGY));
        assertEquals(Optional.of(2), policy.get(Settings.SUBFLOWS));
        assertEquals(Optional.of(JoinPolicy.BLOCK), policy.get(Settings.JOIN_POLICY));
        assertEquals(0.5, policy.weight());
        assertEquals(20e6, policy.cap());
        assertEquals(2.5e6, policy.minimum());
        assertEquals("bulk", policies.policyFor(tuple("10.0.0.1", 80)).name());
        assertEquals(Policy.STANDARD, policies.policyFor(tuple("10.0.2.1", 80)));
        assertEquals(Policy.STANDARD, policies.policyFor(tuple("10.0.0.1", 81)));
    }

    @Test
    void aNameIsEnough() {
        Policy policy = read("{'policies': [{'name': 'all'}]}").list().get(0);
        assertTrue(policy.isManaged());
        assertEquals(Optional.empty(), policy.get(Settings.STRATEGY));
        assertEquals(Double.POSITIVE_INFINITY, policy.cap());
        assertEquals(0, policy.minimum());
    }

    @Test
    void admitIsWhatIsDoneAnyway() {
        assertEquals(read("{'policies': [{'name': 'a'}]}"), read("{'policies': [{'name': 'a', 'whenShort': 'admit'}]}"));
    }

    @Test
    void everyStrategyCanBeNamed() {
        PathStrategies.names().forEach(name -> assertEquals(Optional.of(name), read(
                "{'policies': [{'name': 'a', 'strategy': '" + name + "'}]}").list().get(0).get(Settings.STRATEGY)));
    }

    @Test
    void theStrategysOwnWayToBeDisjointGoesBeforeTheSetting() {
        Settings srlg = Settings.DEFAULTS.with(Settings.DISJOINT, "srlg");
        assertEquals(Optional.of("srlg"), read("{'policies': [{'name': 'a'}]}").list().get(0).terms(srlg).disjoint());
        assertEquals(Optional.empty(),
                     read("{'policies': [{'name': 'a', 'disjoint': 'auto'}]}").list().get(0).terms(srlg).disjoint());
    }

    @Test
    void thePortsAndPrefixesOfIpv6() {
        Policies policies = read("{'policies': [{'name': 'six', 'servers': ['2001:db8::/32'], 'managed': false}]}");
        FiveTuple six = FiveTuple.of(IpAddress.valueOf("2001:db9::1"), 4000, IpAddress.valueOf("2001:db8::1"), 80);
        assertFalse(policies.policyFor(six).isManaged());
        assertTrue(policies.policyFor(tuple("10.0.0.1", 80)).isManaged());
    }

    @Test
    void theExampleOfTheDocumentIsUsable() throws IOException {
        String document = Files.readString(Path.of("../../docs/policies.md"));
        int from = document.indexOf("{\"apps\": {\"org.subflow.mptcp\"");
        String json = document.substring(from, document.indexOf("}'\n", from) + 1);
        JsonNode mptcp = MAPPER.readTree(json).at("/apps/org.subflow.mptcp/" + PolicyConfig.KEY);

        Policies policies = read(mptcp.toString());

        assertEquals(3, policies.list().size());
        assertEquals("video", policies.policyFor(tuple("10.0.0.7", 8042)).name());
        assertEquals("backup", policies.policyFor(tuple("10.0.0.7", 22)).name());
        assertFalse(policies.policyFor(tuple("10.0.9.7", 8042)).isManaged());
    }

    @Test
    void nothingAndAnEmptyListAreNoPolicies() {
        assertEquals(Policies.NONE, read("{}"));
        assertEquals(Policies.NONE, read("{'policies': []}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "'wieght': 2                             | wieght     | there is no such field",
        "'disjoint': 'zone'                      | disjoint   | 'link', 'node' or 'srlg'",
        "'disjoint': 'srlg', 'strategy': 'ecmp'  | disjoint   | cannot find srlg-disjoint paths",
        "'maxDelayMillis': -1                    | maxDelayMillis | from 0 to 86400000",
        "'maxDelayMillis': 2.5                   | maxDelayMillis | a whole number",
        "'maxDelaySpreadMillis': 86400001        | maxDelaySpreadMillis | from 0 to 86400000",
        "'name': ''                              | name       | up to 64 letters",
        "'name': 5                               | name       | up to 64 letters",
        "'name': 'a b'                           | name       | up to 64 letters",
        "'hosts': '10.0.0.1'                     | hosts      | a list",
        "'hosts': []                             | hosts      | not empty",
        "'hosts': [10]                           | hosts      | in quotes",
        "'clients': ['10.0.0.300']               | clients    | such as 10.0.0.1",
        "'clients': ['10.0.0.0/33']              | clients    | such as 10.0.0.1",
        "'clients': ['10.0.0.0/x']               | clients    | such as 10.0.0.1",
        "'clients': ['10.0.0.0/-1']              | clients    | such as 10.0.0.1",
        "'clients': ['10.0.0.0/24/8']            | clients    | such as 10.0.0.1",
        "'clients': ['/24']                      | clients    | such as 10.0.0.1",
        "'clients': ['']                         | clients    | such as 10.0.0.1",
        "'clients': ['h1']                       | clients    | such as 10.0.0.1",
        "'clients': [null]                       | clients    | in quotes",
        "'servers': ['10.0.0.1/24']              | servers    | write 10.0.0.0/24 for the network, or 10.0.0.1",
        "'ports': 80                             | ports      | a list",
        "'ports': [0]                            | ports      | from 1 to 65535",
        "'ports': [65536]                        | ports      | from 1 to 65535",
        "'ports': [-1]                           | ports      | such as 5201",
        "'ports': [80.5]                         | ports      | such as 5201",
        "'ports': ['90-80']                      | ports      | upwards",
        "'ports': ['80-']                        | ports      | such as 5201",
        "'ports': ['http']                       | ports      | such as 5201",
        "'ports': [{}]                           | ports      | such as 5201",
        "'ports': [99999999999]                  | ports      | such as 5201",
        "'managed': 'yes'                        | managed    | true or false",
        "'strategy': 'fastest'                   | strategy   | widest-disjoint",
        "'strategy': 3                           | strategy   | in quotes",
        "'subflows': 0                           | subflows   | 1 to 64",
        "'subflows': 65                          | subflows   | 1 to 64",
        "'subflows': 2.5                         | subflows   | whole number",
        "'subflows': '3'                         | subflows   | whole number",
        "'subflows': 99999999999999999999        | subflows   | whole number",
        "'joinPolicy': 'perhaps'                 | joinPolicy | 'share', 'backup' or 'block'",
        "'weight': 0                             | weight     | 0.001 to 1000",
        "'weight': -1                            | weight     | 0.001 to 1000",
        "'weight': 1e999                         | weight     | 0.001 to 1000",
        "'weight': 'NaN'                         | weight     | a number",
        "'weight': null                          | weight     | a number",
        "'manageAfterMillis': -1                 | manageAfterMillis | 0 to 3600000",
        "'manageAfterBytes': 1.5                 | manageAfterBytes  | whole number",
        "'capMbps': 0                            | capMbps    | above 0",
        "'capMbps': -5                           | capMbps    | above 0",
        "'capMbps': 1e999                        | capMbps    | above 0",
        "'capMbps': '10'                         | capMbps    | a number",
        "'whenShort': 'wait'                     | whenShort  | 'admit' or 'refuse'",
        "'whenShort': 'refuse'                   | whenShort  | needs minMbps",
        "'minMbps': 5                            | minMbps    | \"whenShort\": \"refuse\" only",
        "'whenShort': 'admit', 'minMbps': 5      | minMbps    | \"whenShort\": \"refuse\" only",
        "'whenShort': 'refuse', 'minMbps': 0     | minMbps    | above 0",
        "'whenShort': 'refuse', 'minMbps': 6, 'capMbps': 5 | minMbps | above capMbps, 5",
        "'managed': false, 'capMbps': 5          | capMbps    | no meaning",
        "'managed': false, 'weight': 1           | weight     | no meaning",
        "'managed': null                         | managed    | true or false",
    })
    void whatIsNotUsableIsNamed(String fields, String field, String hint) {
        String name = fields.contains("'name'") ? "" : "'name': 'bulk', ";
        String message = refusal("{'policies': [{'name': 'first', 'ports': [9]}, {" + name + fields + "}]}");

        assertTrue(message.contains("policies[1]"), message);
        assertTrue(fields.contains("'name'") || message.contains("'bulk'"), message);
        assertTrue(message.contains(": " + field + "\""), message);
        assertTrue(message.contains(hint), message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "{'policy': []}                                                            | policy",
        "{'policies': {}}                                                          | a list of policies",
        "{'policies': null}                                                        | a list of policies",
        "{'policies': [5]}                                                         | a policy is a JSON object",
        "{'policies': [{}]}                                                        | policies[0]: name",
        "{'policies': [{'name': 'a'}, {'name': 'a'}]}                              | two policies have the name 'a'",
        "{'policies': [{'name': 'a', 'weight': 2}, {'name': 'b'}]}                 | 'a' and 'b' disagree",
        "{'policies': [{'name': 'a', 'weight': 2}, {'name': 'b', 'ports': [80]}]}  | 'b' never holds",
        "{'policies': [{'name': 'a', 'clients': ['10.0.0.1'], 'servers': ['::1']}]} | IP version",
    })
    void whatIsWrongAsAWholeIsToldToo(String json, String hint) {
        String message = refusal(json);
        assertTrue(message.contains(hint), message);
    }

    private static String refusal(String json) {
        return assertThrows(InvalidFieldException.class, () -> config(json).isValid()).getMessage();
    }

    private static Policies read(String json) {
        PolicyConfig config = config(json);
        assertTrue(config.isValid());
        return config.policies();
    }

    static PolicyConfig config(String json) {
        PolicyConfig config = new PolicyConfig();
        try {
            config.init(APP, PolicyConfig.KEY, MAPPER.readTree(json.replace('\'', '"')), MAPPER, null);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
        return config;
    }

    private static FiveTuple tuple(String client, int port) {
        return FiveTuple.of(IpAddress.valueOf(client), 40_000, IpAddress.valueOf("10.0.0.2"), port);
    }
}
