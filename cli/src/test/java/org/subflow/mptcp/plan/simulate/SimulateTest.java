// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command: its output, its folder, and wrong input. */
class SimulateTest {
    private static final String SMALL = "--topology diamond --connections 40 --sizes exponential:2e5 --load 0.2 --snapshots 2";

    @TempDir
    Path folder;

    private String err;

    private String run(int status, AtomicBoolean stop, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int got = Simulate.run(arguments, new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(said, true, StandardCharsets.UTF_8), stop);
        err = said.toString(StandardCharsets.UTF_8);
        assertEquals(status, got, err);
        return out.toString(StandardCharsets.UTF_8);
    }

    private String run(String line) {
        return run(0, new AtomicBoolean(), line.split(" "));
    }

    private void refused(String line, String... says) {
        assertEquals("", run(2, new AtomicBoolean(), line.split(" ")));
        assertTrue(err.matches("(lab: simulate: .* give no capacity: [^\\n]+\\n)?lab: simulate: [^\\n]+\\n"), "not one line: " + err);
        for (String word : says) {
            assertTrue(err.contains(word), "'" + word + "' is not in: " + err);
        }
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    @Test
    void theSameSeedGivesTheSameBytesAndAnotherSeedOthers() {
        for (String format : List.of("table", "json", "csv")) {
            String line = SMALL + " --strategy ecmp,k-max,network-wide --format " + format;
            String one = run(line + " --seed 3");
            assertEquals(one, run(line + " --seed 3"));
            assertFalse(one.equals(run(line + " --seed 4")));
        }
    }

    @Test
    void jsonHasEachRunAndTheirMeans() throws IOException {
        JsonNode json = new ObjectMapper().readTree(run(SMALL
                + " --strategy ecmp,widest-disjoint --model by-connection,by-subflow --runs 3 --format json"));
        assertEquals(12, json.get("runs").size());
        assertEquals(4, json.get("means").size());
        JsonNode run = json.get("runs").get(0);
        assertEquals(40, run.get("finished").asInt());
        assertEquals(0, run.get("blocked").asInt());
        assertEquals(3, run.get("sizes").size());
        assertEquals(40, run.get("sizes").findValues("finished").stream().mapToInt(JsonNode::asInt).sum());
        assertTrue(run.get("p99Seconds").asDouble() >= run.get("medianSeconds").asDouble());
        assertTrue(run.get("largestUtilisation").asDouble() <= 1);
        assertTrue(run.get("fairness").asDouble() <= 1);
        JsonNode first = json.get("means").get(0).get("meanSecondsToFirst");
        assertEquals(1, first.get("mean").asDouble());
        assertEquals(0, first.get("halfWidth").asDouble());
        assertTrue(json.get("means").get(1).get("meanSecondsToFirst").get("mean").asDouble() < 1, "more paths take no longer");
    }

    @Test
    void strategiesAndModelsHaveTheSameConnections() throws IOException {
        run(SMALL + " --strategy ecmp,shortest,multiflow --model by-connection,by-subflow --allocator max-min,proportional --runs 2 --out " + folder);
        for (int seed = 0; seed < 2; seed++) {
            String ending = "-" + seed + "-connections.csv";
            try (var files = Files.list(folder.resolve("runs"))) {
                List<Path> tables = files.filter(path -> path.toString().endsWith(ending)).collect(Collectors.toList());
                assertEquals(12, tables.size());
                assertEquals(1, tables.stream().map(SimulateTest::arrivals).distinct().count());
            }
        }
    }

    private static List<String> arrivals(Path file) {
        try {
            return Files.readAllLines(file).stream().map(line -> line.replaceAll(",[^,]*,[^,]*$", "")).collect(Collectors.toList());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void finishedRunsAreNotDoneAgain() throws IOException {
        String line = SMALL + " --strategy ecmp,widest-disjoint --runs 2 --format json --out " + folder.resolve("out");
        String first = run(line);
        String report = Files.readString(folder.resolve("out/simulation.json"));
        assertEquals(first, report);
        assertEquals(4, err.lines().count());
        assertEquals(first, run(line));
        assertEquals("", err);
        Files.delete(folder.resolve("out/runs/ecmp-max-min-by-connection-1.csv"));
        assertEquals(first, run(line));
        assertTrue(err.matches("lab: simulate: ecmp-max-min-by-connection-1: .*3 of 4\\n"), err);
        // Further strategies join the others; other connections may not.
        run(line.replace("ecmp,", "ecmp,shortest,"));
        assertEquals(2, err.lines().count());
        refused(line + " --load 0.3", "other settings", "settings.txt");
    }

    @Test
    void whatWasSimulatedIsKeptWhenItIsStopped() throws IOException {
        Path out = folder.resolve("stopped");
        JsonNode none = new ObjectMapper().readTree("[" + run(0, new AtomicBoolean(true), (SMALL + " --out " + out).split(" ")) + "]");
        assertEquals(0, none.size());
        AtomicBoolean stop = new AtomicBoolean();
        SimulateOptions options = SimulateOptions.parse((SMALL + " --strategy ecmp").split(" "));
        Progress progress = new Progress(System.err, System::nanoTime, stop, 1, 40);
        assertTrue(progress.goesOn(RunKey.of(options).get(0), 5));
        stop.set(true);
        assertFalse(progress.goesOn(RunKey.of(options).get(0), 5));
        try (var files = Files.list(out.resolve("runs"))) {
            assertEquals(0, files.count());
        }
    }

    @Test
    void progressTellsHowLongItTakes() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        long[] now = {0};
        Progress progress = new Progress(new PrintStream(said, true, StandardCharsets.UTF_8), () -> now[0], new AtomicBoolean(), 4, 100);
        RunKey key = new RunKey("ecmp", "max-min", "by-connection", 0);
        progress.skip();
        now[0] = 6_000_000_000L;
        progress.goesOn(key, 50);
        progress.goesOn(key, 51);
        assertEquals("lab: simulate: ecmp-max-min-by-connection-0: 50 of 100 connections, run 2 of 4; about 30 s left\n",
                said.toString(StandardCharsets.UTF_8));
    }

    @Test
    void arrivalsOfAFile() throws IOException {
        String traffic = file("t.csv", "at,source,target,bytes\n2,1,5,944\n\"1\",5,1,1416000\n");
        JsonNode json = new ObjectMapper().readTree(run("--topology diamond --format json --traffic " + traffic));
        JsonNode run = json.get("runs").get(0);
        assertEquals(2, run.get("finished").asInt());
        assertEquals(944 * 8 / 10e6, run.get("sizes").get(0).get("meanSeconds").asDouble(), 1e-12);
    }

    /** Two on one path of 10 Mbit/s: the one of weight 3 has 7.5 of it, and then the other has all. Rows are not in order of time. */
    @Test
    void jsonHasEachConnectionInTheOrderOfTheFile() throws IOException {
        String line = file("line.json", "{\"nodes\": [{\"id\": \"a\"}, {\"id\": \"b\"}, {\"id\": \"c\"}],"
                + "\"links\": [{\"source\": \"a\", \"target\": \"b\", \"capacityMbps\": 10}]}");
        String traffic = file("t.csv", "at,source,target,bytes,weight,subflows\n5,a,c,7,1,1\n1,a,b,3750000,3,2\n1,a,b,2500000,1,1\n");
        Path json = folder.resolve("first.json");
        String command = "--topology " + line + " --traffic " + traffic + " --strategy shortest,ecmp --snapshots 0 --json " + json
                + " --out " + folder.resolve("o");
        run(command);
        JsonNode first = new ObjectMapper().readTree(Files.readString(json));
        JsonNode connections = first.get("connections");
        assertEquals("[5,\"a\",\"c\",7,null]", values(connections.get(0)));
        assertEquals("[1,\"a\",\"b\",3750000,4]", values(connections.get(1)));
        assertEquals("[1,\"a\",\"b\",2500000,5]", values(connections.get(2)));
        assertEquals(4.5, first.get("meanSeconds").asDouble());
        assertEquals(5, first.get("p99Seconds").asDouble());
        assertEquals(50.0 / 5, first.get("goodputMbps").asDouble(), 1e-9);
        assertEquals("[\"by-connection\",0,0]", "[" + first.get("model") + "," + first.get("seed") + "," + first.get("moves") + "]");
        assertEquals("shortest ecmp", first.get("runs").findValuesAsText("strategy").stream().collect(Collectors.joining(" ")));
        // What is there already is not simulated again, and the file is the same.
        String before = Files.readString(json);
        Files.delete(json);
        run(command);
        assertEquals(before, Files.readString(json));
    }

    private static String values(JsonNode connection) {
        List<String> values = new java.util.ArrayList<>();
        connection.elements().forEachRemaining(value -> values.add(value.toString()));
        return values.toString().replace(", ", ",");
    }

    /** The matrix says how often each pair comes: three quarters are of the first one. */
    @Test
    void aTrafficMatrixSaysWhoSends() throws IOException {
        String traffic = file("m.csv", "source,target,mbps\n1,5,3\n5,1,1\n1,2,0\n");
        run("--topology diamond --connections 2000 --sizes fixed:1000 --manage-after-bytes 1e9 --payload 1428 --matrix " + traffic + " --snapshots 0 "
                + "--model by-subflow --out " + folder.resolve("o"));
        List<String> lines = Files.readAllLines(folder.resolve("o/runs/widest-disjoint-max-min-by-subflow-0-connections.csv"));
        assertEquals(2001, lines.size());
        assertEquals(1500.0, (double) lines.stream().filter(line -> line.contains(",1,5,")).count(), 100.0);
        assertEquals(0, lines.stream().filter(line -> line.contains(",1,2,")).count());
        // 4 Mbit/s of 1,000 bytes with their share of the frames are 472 a second.
        double last = Double.parseDouble(lines.get(2000).split(",")[1]);
        assertEquals(2000 / (4e6 / (8000 * 1514 / 1428.0)), last, 0.1 * last);
    }

    @Test
    void sndlibsDemandsAreTheMatrix() throws IOException {
        String net = file("net.txt", "?SNDlib native format; type: network; version: 1.0\nNODES (\n  A ( 0 0 )\n  B ( 1 0 )\n)\nLINKS (\n"
                + "  L ( A B ) 10.00 0.00 0.00 0.00 ( )\n)\nDEMANDS (\n  D ( A B ) 1 5.00 UNLIMITED\n)\n");
        JsonNode json = new ObjectMapper().readTree(run("--connections 20 --format json --snapshots 0 --topology " + net));
        assertEquals(20, json.get("runs").get(0).get("finished").asInt());
    }

    @ParameterizedTest
    @CsvSource({"web-search, 1.665e6", "data-mining, 7.47e6", "exponential:1000, 1000", "fixed:5, 5"})
    void distributionsHaveTheirMeans(String name, double mean) {
        SizeDistribution sizes = SizeDistribution.parse(name);
        assertEquals(mean, sizes.mean(), 0.002 * mean);
        SplittableRandom random = new SplittableRandom(1);
        double[] drawn = new double[200_000];
        Arrays.setAll(drawn, i -> sizes.draw(random));
        assertEquals(mean, Arrays.stream(drawn).average().orElseThrow(), 0.05 * mean);
    }

    @Test
    void aDistributionOfAFile() throws IOException {
        SizeDistribution sizes = SizeDistribution.parse(file("cdf.txt", "# bytes, probability\n100 0.5\n200 1\n"));
        assertEquals(125, sizes.mean(), 1e-9);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 1000; i++) {
            double size = sizes.draw(random);
            assertTrue(size >= 100 && size <= 200);
        }
    }

    @Test
    void blockedConnectionsAreTold() throws IOException {
        String net = file("parted.json", "{\"nodes\": [{\"id\": \"a\"}, {\"id\": \"b\"}, {\"id\": \"c\"}],"
                + "\"links\": [{\"source\": \"a\", \"target\": \"b\", \"capacityMbps\": 1}]}");
        String traffic = file("p.csv", "at,source,target,bytes\n0,a,b,1000\n0,a,c,1000\n");
        JsonNode run = new ObjectMapper().readTree(run("--format json --topology " + net + " --traffic " + traffic)).get("runs").get(0);
        assertEquals(1, run.get("blocked").asInt());
        assertEquals(1, run.get("finished").asInt());
        assertTrue(err.contains("1 connections were blocked: no path"), err);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "--connections 5 | --topology is missing",
            "--topology diamnd | did you mean diamond?",
            "--topology diamond --connections 0 | from 1 to",
            "--topology diamond --strategy ecmp,best | no path strategy 'best'",
            "--topology diamond --strategy widest-disjont | did you mean widest-disjoint?",
            "--topology diamond --allocator best | no allocator 'best'",
            "--topology diamond --model hosts | no model 'hosts'; there are by-connection and by-subflow",
            "--topology diamond --shares near | no computation of shares 'near'",
            "--topology diamond --shares approximate --allocator proportional | for max-min alone",
            "--topology diamond --load 0 | --load 0",
            "--topology diamond --load -1 | --load -1",
            "--topology diamond --load NaN | --load NaN",
            "--topology diamond --step x | --step x",
            "--topology diamond --payload 1515 | from 1 to 1514",
            "--topology diamond --sizes huge | exponential:BYTES",
            "--topology diamond --sizes fixed:0 | 1 to 1e15",
            "--topology diamond --sizes exponential:-3 | 1 to 1e15",
            "--topology diamond --ends z | no node",
            "--topology diamond --ends 1 | one node only",
            "--topology diamond --hosts h | no node with one link",
            "--topology diamond --traffic /nowhere/t.csv | no such file",
            "--topology diamond --failures /nowhere/f.csv | no such file",
            "--topology diamond --out /dev/null/x | cannot be written",
            "--topology diamond --json /nowhere/at/all.json | --json /nowhere/at/all.json: its folder",
            "--topology diamond --traffic a --matrix b | exclude each other",
            "--topology diamond --matrix a --ends 1 | --matrix and --ends exclude",
            "--topology diamond --frobnicate | unknown option --frobnicate",
            "--topology diamond --strategi ecmp | did you mean --strategy?",
            "--topology diamond --format xml | no format 'xml'"})
    void commandLine(String arguments, String says) {
        refused(arguments, says);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "source,target,mbps;1,9,1 | line 2: target: no node '9'",
            "source,target,mbps;1,5,-1 | line 2: mbps is -1",
            "source,target,mbps;1,5,NaN | line 2: mbps is NaN",
            "source,target,mbps;1,5, | line 2: mbps is missing",
            "source,target,mbps;1,1,3 | line 2: 1 sends to itself",
            "source,target,mbps;1,5,0 | connections per second",
            "source,target,mbps;1,5 | line 2: has 2 fields",
            "source,target,mbps | no connection or demand",
            "from,to,mbps;1,5,1 | must name the columns",
            "at,source,target,bytes;-1,1,5,10 | line 2: at is -1",
            "at,source,target,bytes;0,1,5,0 | line 2: bytes is 0",
            "at,source,target,bytes;0,1,5,1e99 | line 2: bytes is 1e99",
            "at,source,target;0,1,5 | must name the columns: at,source,target,bytes",
            "at,source,target,bytes,subflows;0,1,5,9,0 | line 2: subflows is 0",
            "at,source,target,bytes,subflows;0,1,5,9,1.5 | line 2: subflows is 1.5; it must be a whole number",
            "at,source,target,bytes,weight;0,1,5,9,0 | line 2: weight is 0"})
    void traffic(String text, String says) throws IOException {
        refused("--topology diamond " + (text.contains("mbps") ? "--matrix " : "--traffic ") + file("bad.csv", text.replace(';', '\n')),
                says);
    }

    @Test
    void demandsOfAFile() throws IOException {
        String net = "?SNDlib native format; type: network; version: 1.0\nNODES (\n  A ( 0 0 )\n  B ( 1 0 )\n)\nLINKS (\n"
                + "  L ( A B ) 10.00 0.00 0.00 0.00 ( )\n)\nDEMANDS (\n  D ( A %s ) 1 %s UNLIMITED\n)\n";
        refused("--topology " + file("n.txt", String.format(net, "B", "-5.00")), "-5");
        refused("--topology " + file("n.txt", String.format(net, "X", "5.00")), "X");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "at,source,target,state;1,1,5,down | line 2: no link joins 1 and 5",
            "at,source,target,state;1,1,2,off | line 2: state is 'off'",
            "at,source,target,state;x,1,2,up | line 2: at is x",
            "at,source,target,state;1,1,7,up | line 2: target: no node '7'",
            "when,link;1,2 | must name the columns"})
    void failures(String text, String says) throws IOException {
        refused("--topology diamond --failures " + file("f.csv", text.replace(';', '\n')), says);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "100 0.5;50 1 | line 2: sizes and probabilities must not fall", "100 0.5;200 0.9 | must have the probability 1",
            "100 | line 1: expected", "x 1 | line 1: expected", "100 2 | line 1: expected", "'' | probability 1"})
    void sizes(String text, String says) throws IOException {
        refused("--topology diamond --sizes " + file("cdf.txt", text.replace(';', '\n')), says);
    }

    @Test
    void everyOptionIsInTheHelp() {
        String help = run("--help");
        assertTrue(help.contains("--strategy S             widest-disjoint, "));
        SimulateOptions.parse("--help").all().keySet().stream().filter(option -> !option.equals("-h") && !option.equals("--help"))
                .forEach(option -> assertTrue(help.contains("  " + option + " "), option));
    }
}
