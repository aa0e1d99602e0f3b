// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every kind of wrong input ends in status 2 and one line that names the place. */
class BadInputTest {
    private static final String NODES = "{\"nodes\": [{\"id\": \"a\"}, {\"id\": \"b\"}],\n";

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {
            "--from 1 --to 5 | --topology",
            "--topology diamond | --from",
            "--topology diamond --from 1 | --to",
            "--topology diamond --from 1 --to 9 | --to: no node '9'",
            "--topology diamond --from x --to 5 | --from: no node 'x'",
            "--topology diamond --from 5 --to 5 | both '5'",
            "--topology diamond --from 1 --to 5 --k 0 | --k 0",
            "--topology diamond --from 1 --to 5 --k -1 | --k -1",
            "--topology diamond --from 1 --to 5 --k 1e9 | --k 1e9",
            "--topology diamond --from 1 --to 5 --k 99999999999999999999 | from 1 to 1000",
            "--topology diamond --from 1 --to 5 --k | --k needs a value",
            "--topology diamond --from 1 --to 5 --k= | --k needs a value",
            "--topology diamond --from 1 --to 5 --strategy best | no path strategy 'best'",
            "--topology diamond --from 1 --to 5 --allocator best | no allocator 'best'",
            "--topology diamond --from 1 --to 5 --disjoint road | no disjointness 'road'",
            "--topology diamond --from 1 --to 5 --prefer cheap | no preference 'cheap'",
            "--topology diamond --from 1 --to 5 --join maybe | share, backup, block",
            "--topology diamond --from 1 --to 5 --format xml | json, table and dot",
            "--topology diamond --from 1 --to 5 --seed pi | --seed pi",
            "--topology diamond --from 1 --to 5 --m 0 --strategy k-max-min | --m 0",
            "--topology diamond --from 1 --to 5 --m 3 | no option m; only k-max-min has it",
            "--topology diamond --from 1 --to 5 --strategy k-max --exact | no option exact; only",
            "--topology diamond --from 1 --to 5 --strategy zone-disjoint --exact | node-disjoint have it",
            "--topology diamond --from 1 --to 5 --exact=yes | takes no value",
            "--topology diamond --from 1 --to 5 --strategy shortest --prefer hops | no option prefer",
            "--topology diamond --from 1 --to 5 --strategy shortest --disjoint node | cannot find node-disjoint",
            "--topology diamond --from 1 --to 5 --frobnicate | unknown option --frobnicate",
            "--topology diamond --from 1 --to 5 stray | unknown option stray",
            "--topology diamond --from 1 --to 5 --stratgy ecmp | did you mean --strategy?",
            "--topology diamond --from 1 --to 5 --strategy widest-disjont | did you mean widest-disjoint?",
            "--topology diamond --from 1 --to 5 --allocator maxmin | did you mean max-min?",
            "--topology diamnd --from 1 --to 5 | did you mean diamond?",
            "--topology diamond --from 1 --connections x | exclude each other",
            "--topology nowhere --from 1 --to 5 | no topology 'nowhere'",
            "--topology /nowhere/at.json --from 1 --to 5 | /nowhere/at.json",
            "--topology . --from 1 --to 5 | no topology '.'",
            "--topology fattree5 --from 1 --to 5 | even k",
            "--topology fattree0 --from 1 --to 5 | even k",
            "--topology waxman51 --from 1 --to 5 | 51",
            "--topology geometric0 --from 1 --to 5 | at least one node",
            "--topology gabriel0 --from 1 --to 5 | at least one node",
            "--topology cernet --capacity -1 --from 1 --to 5 | --capacity -1",
            "--topology cernet --capacity NaN --from 1 --to 5 | --capacity NaN",
            "--topology cernet --capacity 1e400 --from 1 --to 5 | --capacity 1e400",
            "--topology diamond --connections /nowhere/at.json | /nowhere/at.json",
            "--topology diamond --connections . | it is a folder"})
    void commandLine(String arguments, String says) {
        Run.plan(arguments.split(" ")).assertRefused(says);
    }

    @Test
    void capacities() {
        topology(NODES + "\"links\": [{\"source\": \"a\",\n \"target\": \"b\", \"capacityMbps\": -1}]}", "line 2", "a–b", "-1.0");
        topology(NODES + "\"links\": [{\"source\": \"a\", \"target\": \"b\", \"capacityMbps\": NaN}]}", "line 2", "a–b", "NaN");
        topology(NODES + "\"links\": [{\"source\": \"a\", \"target\": \"b\", \"capacityMbps\": Infinity}]}", "line 2", "a–b");
        topology(NODES + "\"links\": [{\"source\": \"a\", \"target\": \"b\", \"capacityMbps\": 1e400}]}", "line 2", "a–b");
        topology(NODES + "\"links\": [{\"source\": \"a\", \"target\": \"b\", \"capacityMbps\": \"10\"}]}", "line 2", "10");
        topology(NODES + "\"links\": [{\"source\": \"a\", \"target\": \"b\", \"capacityMbps\": null}]}", "line 2", "--capacity");
        topology(NODES + "\"links\": [{\"source\": \"a\", \"target\": \"b\"}]}", "line 2", "a–b", "--capacity");
    }

    @Test
    void linksAndNodes() {
        topology(NODES + "\"links\": [\n{\"source\": \"a\", \"target\": \"z\", \"capacityMbps\": 1}]}", "line 3", "'z'");
        topology(NODES + "\"links\": [{\"target\": \"a\", \"capacityMbps\": 1}]}", "line 2", "\"source\"");
        topology(NODES + "\"links\": [{\"source\": [], \"target\": \"a\"}]}", "line 2", "a link's source");
        topology(NODES + "\"links\": 3}", "line 2", "a list of links");
        topology(NODES + "\"links\": [3]}", "line 2", "an object in links");
        topology("{\"nodes\": [{\"id\": \"a\"}, {\"id\": \"a\"}], \"links\": []}", "line 1", "'a' comes twice");
        topology("{\"nodes\": [{\"name\": \"a\"}], \"links\": []}", "line 1", "no \"id\"");
        topology("{\"nodes\": [], \"links\": []}", "no node");
        topology("{\"links\": []}", "no \"nodes\"");
        topology("{\"nodes\": [{\"id\": \"a\"}]}", "no \"links\"");
        topology(NODES + "\"directed\": \"yes\", \"links\": []}", "line 2", "true or false");
    }

    @Test
    void parallelLinksWithoutMultigraph() {
        String link = "{\"source\": \"a\", \"target\": \"b\", \"capacityMbps\": 1}";
        String back = "{\"source\": \"b\", \"target\": \"a\", \"capacityMbps\": 1}";
        topology(NODES + "\"multigraph\": false, \"links\": [" + link + ",\n" + back + "]}", "line 3", "comes twice");
        topology(NODES + "\"multigraph\": false, \"directed\": true, \"links\": [" + link + "," + back + ",\n" + link + "]}",
                "line 3", "comes twice");
    }

    @Test
    void brokenJson() {
        topology("", "neither");
        topology("   \n", "neither");
        topology("hello", "neither");
        topology("[]", "neither");
        topology("\u0000\u0001\u0002", "neither");
        topology("{", "not JSON at line 1");
        topology(NODES + "\"links\": [{\"source\": \"a\"", "not JSON at line 2");
        topology(NODES + "\"links\": [,]}", "not JSON at line 2");
        topology(NODES + "'links': []}", "not JSON at line 2");
        topology(NODES + "\"links\": []} {}", "line 2", "there is more");
        topology("{\"nodes\": " + "[".repeat(100_000), "line 1");
    }

    @Test
    void connections() {
        String good = "\"source\": \"1\", \"target\": \"5\"";
        connections("{}", "line 1", "expected a list");
        connections("", "line 1", "expected a list");
        connections("[]", "no connection");
        connections("[3]", "line 1", "expected a connection");
        connections("[{" + good + "}", "not JSON at line 1");
        connections("[{" + good + "}] []", "something follows");
        connections("[{" + good + "},\n{\"source\": \"1\", \"target\": \"9\"}]", "line 2", "\"target\": no node '9'");
        connections("[{\"source\": \"1\"}]", "line 1", "'c1' has no \"target\"");
        connections("[{\"source\": \"1\", \"target\": \"1\"}]", "line 1", "'1' as source and target");
        connections("[{\"source\": null, \"target\": \"1\"}]", "line 1", "\"source\"");
        connections("[{" + good + ", \"subflows\": 0}]", "line 1", "\"subflows\"", "0");
        connections("[{" + good + ", \"subflows\": 2.5}]", "line 1", "\"subflows\"", "2.5");
        connections("[{" + good + ", \"subflows\": 1001}]", "line 1", "1001");
        connections("[{" + good + ", \"subflows\": \"3\"}]", "line 1", "\"subflows\"");
        connections("[{" + good + ", \"weight\": 0}]", "line 1", "\"weight\"", "above 0");
        connections("[{" + good + ", \"weight\": -1}]", "line 1", "\"weight\"");
        connections("[{" + good + ", \"weight\": NaN}]", "line 1", "\"weight\"", "NaN");
        connections("[{" + good + ", \"weight\": null}]", "line 1", "\"weight\"", "null");
        connections("[{" + good + ", \"capMbps\": -1}]", "line 1", "\"capMbps\"");
        connections("[{" + good + ", \"capMbps\": NaN}]", "line 1", "\"capMbps\"");
        connections("[{" + good + ",\n \"subflow\": 3}]", "line 2", "no field \"subflow\"");
        connections("[{\"id\": \"x\", " + good + "},\n{\"id\": \"x\", " + good + "}]", "line 2", "'x' already");
    }

    @Test
    void theNearestNode() {
        String file = Run.file(folder, "cities.json", "{\"nodes\": [{\"id\": \"Chicago\"}, {\"id\": \"7\", \"label\": \"Houston\"}],"
                + " \"links\": [{\"source\": \"Chicago\", \"target\": \"7\", \"capacityMbps\": 1}]}");
        Run.plan("--topology", file, "--from", "Chicagoo", "--to", "7").assertRefused("--from: no node", "did you mean Chicago?");
        Run.plan("--topology", file, "--from", "Chicago", "--to", "huston").assertRefused("--to: no node", "did you mean Houston?");
    }

    @Test
    void nothingIsSuggestedThatIsNotNear() {
        assertEquals("", Nearest.told("9", List.of("1", "2")));
        assertEquals("", Nearest.told("best", List.of("ecmp", "shortest")));
        assertEquals("; did you mean k-max?", Nearest.told("kmax", List.of("k-max-min", "k-max")));
        Run run = Run.plan("--topology", "diamond", "--connections",
                Run.file(folder, "near.json", "[{\"source\": \"1\", \"target\": \"55555\"}]"));
        run.assertRefused("no node '55555'");
        assertFalse(run.err.contains("did you mean"), run.err);
    }

    private void topology(String text, String... says) {
        String file = Run.file(folder, "net.json", text);
        Run run = Run.plan("--topology", file, "--from", "a", "--to", "b");
        run.assertRefused(says);
        run.assertRefused(file);
    }

    private void connections(String text, String... says) {
        String file = Run.file(folder, "connections.json", text);
        Run run = Run.plan("--topology", "diamond", "--connections", file);
        run.assertRefused(says);
        run.assertRefused(file);
    }
}
