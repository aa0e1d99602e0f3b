// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.host.HostService;
import org.onosproject.net.host.HostServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.osgi.framework.FrameworkUtil;
import org.subflow.mptcp.api.policy.PolicyEditService;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.topology.Nets;

/** {@code mptcp-policy-add} and {@code mptcp-policy-remove} change ONOS's network configuration, or nothing. */
class PolicyCommandsTest extends CommandScenario {
    private static final String TWO = "[{'name':'video','ports':[443]},{'name':'rest','weight':2}]";

    private final KnownConfiguration configuration = new KnownConfiguration();

    @BeforeEach
    void offer() {
        configuration.offer();
    }

    @Test
    void everyFieldCanBeSet() throws Exception {
        assertEquals(List.of("Policy bulk is number 1 of 1."), shell.run(
                "onos:mptcp-policy-add --hosts 10.0.0.0/8 --clients 10.0.0.1 --clients 10.0.1.0/24 --servers 10.0.0.2 --ports 80"
                        + " --ports 5201-5210 --managed true --strategy shortest --subflows 2 --joinPolicy block --weight 0.5"
                        + " --capMbps 20 --whenShort refuse --minMbps 2.5 --manageAfterMillis 0 --manageAfterBytes 5 bulk"));
        assertEquals("[{'name':'bulk','hosts':['10.0.0.0/8'],'clients':['10.0.0.1','10.0.1.0/24'],'servers':['10.0.0.2'],"
                             + "'ports':[80,'5201-5210'],'managed':true,'strategy':'shortest','subflows':2,'joinPolicy':'block',"
                             + "'weight':0.5,'capMbps':20,'whenShort':'refuse','minMbps':2.5,'manageAfterMillis':0,"
                             + "'manageAfterBytes':5}]", configuration.policies());
    }

    @Test
    void aNewPolicyIsTheLastOneOrBeforeAnother() throws Exception {
        configuration.write("[{'name':'video','ports':[443]}]");
        assertEquals(List.of("Policy all is number 2 of 2."), shell.run("onos:mptcp-policy-add --weight 2 all"));
        assertEquals(List.of("Policy web is number 2 of 3."),
                     shell.run("onos:mptcp-policy-add --ports 80 --managed false --before all web"));
        assertEquals("[{'name':'video','ports':[443]},{'name':'web','ports':[80],'managed':false},{'name':'all','weight':2}]",
                     configuration.policies());
    }

    @Test
    void aPolicyIsRemovedAndTheOthersStay() throws Exception {
        configuration.write(TWO);
        assertEquals(List.of("Policy video is removed; connections that have begun keep its terms."),
                     shell.run("onos:mptcp-policy-remove video"));
        assertEquals("[{'name':'rest','weight':2}]", configuration.policies());
        shell.run("onos:mptcp-policy-remove rest");
        assertEquals("[]", configuration.policies());
    }

    @Test
    void asJsonTheyPrintTheListThatIsConfiguredThen() throws Exception {
        assertEquals("[{\"name\":\"a\",\"weight\":2}]", shell.json("onos:mptcp-policy-add -j --weight 2 a").toString());
        assertEquals("[]", shell.json("onos:mptcp-policy-remove -j a").toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "add --weight 0 x                     | weight     | 0.001 to 1000",
        "add --weight -1 x                    | weight     | 0.001 to 1000",
        "add --weight much x                  | weight     | a number",
        "add --weight NaN x                   | weight     | a number",
        "add --subflows 2.5 x                 | subflows   | whole number",
        "add --subflows 99999999999999999999 x | subflows  | whole number",
        "add --capMbps 1e999 x                | capMbps    | a number",
        "add --ports http x                   | ports      | such as 5201",
        "add --ports 90-80 x                  | ports      | upwards",
        "add --hosts 10.0.0.0/33 x            | hosts      | such as 10.0.0.1",
        "add --managed perhaps x              | managed    | true or false",
        "add --strategy fastest x             | strategy   | widest-disjoint",
        "add --joinPolicy perhaps x           | joinPolicy | 'share'",
        "add --whenShort refuse x             | whenShort  | needs minMbps",
        "add --minMbps 5 x                    | minMbps    | refuse",
        "add 'a b'                            | name       | up to 64 letters",
        "add video                            | two policies | 'video'",
        "add --ports 80 x                     | 'x' never holds | 'rest' before it",
        "add --before nobody x                | no policy 'nobody' | mptcp-policies",
        "remove nobody                        | no policy 'nobody' | mptcp-policies"})
    void whatIsWrongIsAnErrorOfOneLineAndChangesNothing(String arguments, String subject, String hint) throws Exception {
        configuration.write(TWO);
        String error = shell.error("onos:mptcp-policy-" + arguments);
        assertTrue(error.contains(subject), error);
        assertTrue(error.contains(hint), error);
        assertEquals(1, error.lines().count(), error);
        assertEquals(TWO, configuration.policies());
    }

    @Test
    void aLineBreakInANameDoesNotBreakTheError() throws Exception {
        String error = shell.error("onos:mptcp-policy-add \"a\nb\"");
        assertTrue(error.contains("up to 64 letters"), error);
        assertEquals(1, error.lines().count(), error);
    }

    @Test
    void withoutTheApplicationTheySayWhatIsMissing() throws Exception {
        FrameworkUtil.withdraw(PolicyEditService.class);
        for (String line : List.of("onos:mptcp-policy-add x", "onos:mptcp-policy-remove x")) {
            String error = shell.error(line);
            assertTrue(error.contains("PolicyEditService"), error);
            assertEquals(1, error.lines().count(), error);
        }
        assertEquals("none", configuration.policies());
    }

    @Test
    void whatThereIsToChooseFromIsCompleted() throws Exception {
        configuration.write(TWO);
        FrameworkUtil.offer(HostService.class, new HostServiceAdapter() {
            @Override
            public Iterable<Host> getHosts() {
                return List.of(new DefaultHost(ProviderId.NONE, HostId.hostId(MacAddress.valueOf(1)), MacAddress.valueOf(1),
                        VlanId.NONE, new HostLocation(Nets.edge(1), 0), Set.of(IpAddress.valueOf("10.0.0.1"))));
            }
        });
        assertEquals(List.of("rest", "video"), sorted("mptcp-policy-remove "));
        assertEquals(List.of("video"), sorted("mptcp-policy-add --before v"));
        for (String end : List.of("hosts", "clients", "servers")) {
            assertEquals(List.of("10.0.0.1"), sorted("mptcp-policy-add --" + end + " "));
        }
        assertEquals(List.of("false", "true"), sorted("mptcp-policy-add --managed "));
        assertEquals(List.of("admit", "refuse"), sorted("mptcp-policy-add --whenShort "));
        assertEquals(PathStrategies.names().stream().sorted().collect(Collectors.toList()),
                     sorted("mptcp-policy-add --strategy "));
        assertEquals(Arrays.stream(JoinPolicy.values()).map(JoinPolicy::toString).sorted().collect(Collectors.toList()),
                     sorted("mptcp-policy-add --joinPolicy "));
    }

    private List<String> sorted(String typed) {
        return shell.completed(typed).stream().sorted().collect(Collectors.toList());
    }
}
