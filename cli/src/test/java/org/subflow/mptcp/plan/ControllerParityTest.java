// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.onlab.packet.IpAddress;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/**
 * On random networks, planner and controller agree for the same connections in the same order. They choose the same paths,
 * and the same shares within 1 %. The planner knows the direction of a connection when it begins, and here hosts' agents tell
 * the controller so.
 *
 * <p>The controller leaves room for acknowledgements ({@link org.subflow.mptcp.placement.Demand#FLOOR} per connection), the
 * planner does not. So links have gigabits here, of which that is far below 1 %. {@code -Dmptcp.networks=60} for more networks.
 */
class ControllerParityTest {
    private static final int NETWORKS = Integer.getInteger("mptcp.networks", 20);
    private static final double TOLERANCE = 0.01;

    @TempDir
    Path folder;

    private final List<int[]> pairs = new ArrayList<>();
    private final List<Double> gigabits = new ArrayList<>();

    @Test
    void plannerAndControllerAgree() {
        int moved = 0;
        for (int seed = 0; seed < NETWORKS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            // Up to nine, as ties go by the order of names.
            int switches = random.nextInt(6, 10);
            draw(random, switches);
            int[][] ends = IntStream.range(0, random.nextInt(3, 7)).mapToObj(c -> ends(random, switches)).toArray(int[][]::new);
            int subflows = random.nextInt(1, 4);
            JsonNode plan = plan(switches, ends, subflows);
            moved += plan.get("connections").equals(plan(switches, ends, subflows, "--first").get("connections")) ? 0 : 1;
            compare(plan, settled(switches, ends, subflows), "seed " + seed);
        }
        assertTrue(moved >= NETWORKS / 10, "better paths were found on " + moved + " networks: too few to say anything");
    }

    private void compare(JsonNode plan, List<Connection> live, String where) {
        for (int c = 0; c < live.size(); c++) {
            assertEquals(Run.paths(plan, c), paths(live.get(c)), where + ", connection " + c);
            double planned = Run.expected(plan, c);
            assertEquals(planned, live.get(c).expected().up() / 1e6, TOLERANCE * planned, where + ", connection " + c);
        }
    }

    private static List<String> paths(Connection connection) {
        return connection.subflows().stream().map(Subflow::devices)
                .map(devices -> devices.stream().map(ControllerParityTest::name).collect(Collectors.joining("-")))
                .collect(Collectors.toList());
    }

    private static String name(DeviceId device) {
        return Integer.toString(Integer.parseInt(device.toString().substring("of:".length())));
    }

    /** A ring, so that there are always two disjoint paths, with chords. */
    private void draw(SplittableRandom random, int switches) {
        pairs.clear();
        gigabits.clear();
        for (int n = 1; n <= switches; n++) {
            link(random, n, n % switches + 1);
            for (int m = n + 2; m <= switches; m++) {
                if (random.nextInt(4) == 0 && !(n == 1 && m == switches)) {
                    link(random, n, m);
                }
            }
        }
    }

    private void link(SplittableRandom random, int a, int b) {
        pairs.add(new int[] {a, b});
        gigabits.add(2 + 18 * random.nextDouble());
    }

    private static int[] ends(SplittableRandom random, int switches) {
        int from = random.nextInt(1, switches + 1);
        return new int[] {from, (from + random.nextInt(0, switches - 1)) % switches + 1};
    }

    private JsonNode plan(int switches, int[][] ends, int subflows, String... options) {
        String nodes = IntStream.rangeClosed(1, switches).mapToObj(n -> "{\"id\": " + n + "}").collect(Collectors.joining(","));
        String links = IntStream.range(0, pairs.size()).mapToObj(i -> String.format(
                "{\"source\": %d, \"target\": %d, \"capacityMbps\": %s}", pairs.get(i)[0], pairs.get(i)[1],
                gigabits.get(i) * 1e3)).collect(Collectors.joining(","));
        String topology = Run.file(folder, "net.json",
                                   "{\"directed\": false, \"nodes\": [" + nodes + "], \"links\": [" + links + "]}");
        String connections = Run.file(folder, "connections.json", IntStream.range(0, ends.length).mapToObj(c -> String.format(
                "{\"source\": %d, \"target\": %d, \"subflows\": %d}", ends[c][0], ends[c][1], subflows))
                .collect(Collectors.joining(",", "[", "]")));
        List<String> arguments = new ArrayList<>(List.of("--topology", topology, "--connections", connections));
        arguments.addAll(List.of(options));
        return Run.planned(arguments.toArray(new String[0]));
    }

    private List<Connection> settled(int switches, int[][] ends, int subflows) {
        Stage stage = new Stage(switches, Nets.bothWays(pairs.toArray(new int[0][])));
        for (int i = 0; i < pairs.size(); i++) {
            stage.capacities.put(Nets.link(pairs.get(i)[0], pairs.get(i)[1]), gigabits.get(i) * 1e9);
            stage.capacities.put(Nets.link(pairs.get(i)[1], pairs.get(i)[0]), gigabits.get(i) * 1e9);
        }
        stage.settings = Settings.DEFAULTS.with(Settings.SUBFLOWS, subflows).with(Settings.IDLE_SECONDS, 86_400);
        for (int c = 0; c < ends.length; c++) {
            open(stage, c, ends[c], subflows);
        }
        stage.store.all().forEach(connection -> sendsUpwardsWithoutLimit(stage, connection));
        stage.share();
        stage.pass(60);
        return stage.store.all();
    }

    private static void open(Stage stage, int number, int[] ends, int subflows) {
        String[] clients = IntStream.range(0, subflows).mapToObj(i -> String.format("10.%d.0.%d", number + 1, i + 1))
                .toArray(String[]::new);
        IpAddress server = IpAddress.valueOf(String.format("10.%d.1.1", number + 1));
        stage.attach(String.format("00:00:00:00:01:%02d", number), Nets.edge(ends[0]), clients);
        stage.attach(String.format("00:00:00:00:02:%02d", number), Nets.edge(ends[1]), server.toString());
        stage.demands.report(ConnectionId.of("c" + number), OptionalDouble.of(Double.POSITIVE_INFINITY), OptionalDouble.of(0));
        stage.open("c" + number, server, 2000 + number, clients);
    }

    /** The switches' counters show it in four samples. */
    private static void sendsUpwardsWithoutLimit(Stage stage, Connection connection) {
        FiveTuple first = connection.first().tuple();
        for (int sample = 1; sample <= 4; sample++) {
            stage.demands.update(connection, new Measurement(Map.of(first, Rates.of(connection.expected().up(), 0)), sample),
                                 sample, true, (Link link) -> false);
        }
    }
}
