// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.topology.NetworkSnapshot;

class DetoursTest {
    /** 1–2–3–4 with 2–5–4 beside it, and 1–6–4. */
    private static final int[][] PAIRS = {{1, 2}, {2, 3}, {3, 4}, {2, 5}, {5, 4}, {1, 6}, {6, 4}};
    private static final List<Link> PATH = List.of(Nets.link(1, 2), Nets.link(2, 3), Nets.link(3, 4));

    private static NetworkSnapshot without(int... lost) {
        List<Link> links = Nets.bothWays(PAIRS);
        for (int i = 0; i < lost.length; i += 2) {
            links.remove(Nets.link(lost[i], lost[i + 1]));
            links.remove(Nets.link(lost[i + 1], lost[i]));
        }
        return Nets.snapshot(links);
    }

    @Test
    void aPathThatIsWholeIsItsOwnWay() {
        assertEquals(Optional.of(PATH), Detours.around(without(), PATH));
    }

    @Test
    void itLeavesThePathAtTheLastSwitchFromWhichThereIsAWay() {
        Optional<List<Link>> around = Optional.of(List.of(Nets.link(1, 2), Nets.link(2, 5), Nets.link(5, 4)));
        assertEquals(around, Detours.around(without(2, 3), PATH));
        assertEquals(around, Detours.around(without(3, 4), PATH), "nothing else leads on from switch 3");
    }

    @Test
    void thereIsNoneIfTheFirstLinkIsLostOrTheEndIsCutOff() {
        assertEquals(Optional.empty(), Detours.around(without(1, 2), PATH), "the first switch's rules are the subflows' own");
        assertEquals(Optional.empty(), Detours.around(without(2, 3, 2, 5), PATH), "only a way back leads on");
        assertEquals(Optional.empty(), Detours.around(Nets.snapshot(Nets.bothWays(new int[][] {{1, 2}, {2, 3}})), PATH));
    }

    @Property(tries = 300)
    void onAnyNetworkADetourIsAWayFromTheFirstLinkToTheEnd(@ForAll Random random) {
        int size = 4 + random.nextInt(8);
        List<int[]> pairs = new ArrayList<>();
        for (int a = 1; a <= size; a++) {
            for (int b = a + 1; b <= size; b++) {
                if (random.nextInt(3) == 0) {
                    pairs.add(new int[] {a, b});
                }
            }
        }
        List<Link> up = Nets.bothWays(pairs.toArray(new int[0][]));
        List<Link> path = walk(up, random);
        if (path.isEmpty()) {
            return;
        }
        Link lost = path.get(random.nextInt(path.size()));
        up.removeIf(link -> link.equals(lost) || link.src().equals(lost.dst()) && link.dst().equals(lost.src()));
        NetworkSnapshot now = Nets.snapshot(up);

        Optional<List<Link>> found = Detours.around(now, path);
        assertEquals(leavesAt(up, path, lost) > 0, found.isPresent());
        found.ifPresent(way -> {
            assertEquals(path.get(0), way.get(0));
            assertTrue(up.containsAll(way));
            for (int i = 1; i < way.size(); i++) {
                assertEquals(way.get(i - 1).dst().deviceId(), way.get(i).src().deviceId());
            }
            List<DeviceId> switches = way.stream().map(link -> link.src().deviceId()).collect(Collectors.toList());
            switches.add(way.get(way.size() - 1).dst().deviceId());
            assertEquals(new HashSet<>(switches).size(), switches.size(), "a switch twice");
            assertEquals(end(path), end(way));
            int kept = leavesAt(up, path, lost);
            assertEquals(path.subList(0, kept), way.subList(0, kept));
        });
    }

    /** Returns how many links of a path the latest detour keeps, by a search that knows nothing of graphs; 0 if there is none. */
    private static int leavesAt(List<Link> up, List<Link> path, Link lost) {
        for (int kept = path.indexOf(lost); kept > 0; kept--) {
            Set<DeviceId> seen = path.subList(0, kept).stream().map(link -> link.src().deviceId()).collect(Collectors.toSet());
            Deque<DeviceId> next = new ArrayDeque<>(List.of(path.get(kept).src().deviceId()));
            while (!next.isEmpty()) {
                DeviceId here = next.remove();
                if (here.equals(end(path))) {
                    return kept;
                }
                if (seen.add(here)) {
                    up.stream().filter(link -> link.src().deviceId().equals(here) && !seen.contains(link.dst().deviceId()))
                            .forEach(link -> next.add(link.dst().deviceId()));
                }
            }
        }
        return 0;
    }

    private static DeviceId end(List<Link> links) {
        return links.get(links.size() - 1).dst().deviceId();
    }

    /** Returns a random path of two to five links that meets no switch twice; none if it gets stuck at once. */
    private static List<Link> walk(List<Link> links, Random random) {
        List<Link> path = new ArrayList<>();
        Set<DeviceId> seen = new HashSet<>(Set.of(Nets.device(1)));
        DeviceId here = Nets.device(1);
        while (path.size() < 5) {
            DeviceId at = here;
            List<Link> onward = links.stream()
                    .filter(link -> link.src().deviceId().equals(at) && !seen.contains(link.dst().deviceId()))
                    .collect(Collectors.toList());
            if (onward.isEmpty()) {
                break;
            }
            path.add(onward.get(random.nextInt(onward.size())));
            here = end(path);
            seen.add(here);
        }
        return path.size() < 2 ? List.of() : path;
    }
}
