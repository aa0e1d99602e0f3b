# SPDX-License-Identifier: Apache-2.0
"""A thousand long connections at once, each with little to say (long): the control loop has time, shares are right, and what a
failed link has carried flows again within a second: packets of paths with labels are led around it, and other subflows have new
rules. Needs ``--topology fattree4 --pairs 4 --heap 1500m``."""

import json
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import ExitStack

import life
import pytest

from conftest import active, counters, tell
from labels import Tables, check_ways, tables
from evidence import mptcp_counters
from life import set_subflows
from mptcplab.errors import LabError
from mptcplab.failure import MANY, rules_of
from mptcplab.hosts import listens
from mptcplab.netcfg import switch_name
from mptcplab.onos import APPLICATION
from mptcplab.processes import end_group, processor_seconds, wait_for
from mptcplab.rest import Json
from mptcplab.rulewatch import Rule, RuleWatch, present
from mptcplab.testbed import Testbed
from test_plan import planned
from test_soak import started

pytestmark = pytest.mark.long

CONNECTIONS = 1000
OPENED = 1060
"""A busy machine loses segments of some handshakes, and then kernels do without MPTCP or without the second subflow. How many is
told; enough is if `CONNECTIONS` have both."""

SUBFLOWS = 2
"""Of a connection: as many disjoint paths as an edge switch of the fat tree has ways up."""

OPENED_PER_SECOND = 12
"""Each gets its paths and some twenty rules at once, which keeps two processors busy."""

MESSAGE_BYTES = 700
"""One message a second: 6.5 kbit/s on the wire. With twice as much the network is full without the application, too: the
forwarder sends all pairs over one link, and then kernels lose SYNs and third ACKs."""

SETTINGS = {"manageAfterMillis": 0, "idleSeconds": 3600, "mostConnections": 5000, "mostConnectionsPerHost": 1000}
"""Connections are managed from the beginning, and so are subflows on which their kernels send nothing."""

PORT = 7005
FAILURES = 5
BUSY_SECONDS = 20
MOST_BUSY = 0.2
MOST_REPAIR_SECONDS = 1
MOST_STOP_SECONDS = 10
STILL_SECONDS = 2
MANAGED_SECONDS = 180
TIMEOUT = 90

ROUNDED_MBPS = 0.0005
"""REST rounds rates to three decimals."""

Hop = tuple[str, str]
"""A directed link."""


class Crowd:
    """The connections, while they run."""

    def __init__(self, testbed: Testbed, after: ExitStack) -> None:
        self.testbed, network = testbed, testbed.network
        self._files = [testbed.folder / f"{server.name}.absorbed" for server in network.servers]
        for server, file in zip(network.servers, self._files):
            after.callback(end_group, started(server, "absorb", PORT, file))
            wait_for("the server", lambda: listens(server, PORT), 20)
        pairs = len(network.clients)
        self._programs = []
        for client, server in zip(network.clients, network.servers):
            self._programs.append(started(client, "crowd", network.addresses(server)[0], PORT, OPENED // pairs,
                                          OPENED_PER_SECOND / pairs, MESSAGE_BYTES))
            after.callback(end_group, self._programs[-1])

    def managed(self) -> list[Json]:
        """The connections, oldest first. LabError unless all are active with paths of all their subflows, and enough have two."""
        for program in self._programs:
            if program.poll() is not None:
                pytest.fail(f"a connection has broken: {program.communicate()[0]}")
        found = active(self.testbed)
        how = Counter((c["state"], *(s["state"] for s in c["subflows"])) for c in found)
        whole = ("active", *["active"] * SUBFLOWS)
        if how[whole] < CONNECTIONS or how.keys() - {whole, whole[:-1]}:
            raise LabError(f"connections by state: {dict(how)}{self._intents_of_pending(found)}")
        return sorted(found, key=lambda c: c["createdMillis"])

    def _intents_of_pending(self, found: list[Json]) -> str:
        """What ONOS says of the first of them."""
        pending = {f"mptcp-{c['id']}" for c in found if c["state"] == "pending"}
        if not 0 < len(pending) < 10:
            return ""
        intents = {i["key"]: i["state"] for i in self.testbed.onos.rest.get("/intents")["intents"] if i["key"] in pending}
        return f", intents {intents}"

    def received(self) -> dict[str, int]:
        """Bytes that the servers have received, by the client's ``address:port``."""
        received: dict[str, int] = {}
        for file in self._files:
            received.update(json.loads(file.read_text()))
        return received

    def all_go_on(self) -> None:
        """Waits until the servers have received more on every connection. LabError if that does not happen."""
        before = self.received()

        def more() -> bool:
            now = self.received()
            silent = [client for client, count in before.items() if now[client] <= count]
            if silent:
                raise LabError(f"nothing more from {len(silent)} connections: {silent[:5]}")
            return True
        wait_for("more on every connection", more, TIMEOUT, every=0.5)


@pytest.fixture(scope="module")
def crowd(session_testbed: Testbed) -> Iterator[Crowd]:
    """The connections. The first of them have exact rules in every switch, the others rules that subflows on a path share."""
    testbed = session_testbed
    if len(testbed.network.clients) < 4:
        pytest.skip("has no room for so many on this network")
    before = {name: testbed.onos.settings()[name] for name in SETTINGS}
    with ExitStack() as after:
        after.callback(testbed.onos.configure, **before)
        testbed.onos.configure(**SETTINGS)
        after.callback(ended, testbed)
        after.callback(set_subflows, testbed, life.SUBFLOWS)
        set_subflows(testbed, SUBFLOWS)
        running = Crowd(testbed, after)
        wait_for("a message on every connection", lambda: len(running.received()) == OPENED, MANAGED_SECONDS, every=1)
        try:
            wait_for("all connections managed", running.managed, MANAGED_SECONDS, every=2)
        except LabError as failure:
            found = sorted(active(testbed), key=lambda c: c["createdMillis"])
            few = [f"{(c['createdMillis'] - found[0]['createdMillis']) / 1000:.1f}" for c in found
                   if len(c["subflows"]) < SUBFLOWS]
            counted = [f"seconds after which the connections began that have fewer subflows: {', '.join(few)}",
                       f"the controller: {counters(testbed)}"]
            counted += [f"{host.name}: {mptcp_counters(host)}" for host in (*testbed.network.clients, *testbed.network.servers)]
            raise LabError("\n".join([str(failure), *counted])) from failure
        wait_for("all demands known", lambda: all(c[f"demand{way}Mbps"] is not None for c in running.managed()
                                                  for way in ("Up", "Down")), TIMEOUT, every=2)
        yield running


def ended(testbed: Testbed) -> None:
    """Waits until no connection is alive and no rule of one is left."""
    wait_for("the end of all connections", lambda: not active(testbed), MANAGED_SECONDS, every=2)
    wait_for("no rule of a connection", lambda: not tables(testbed).rules, MANAGED_SECONDS, every=2)


def test_all_are_managed(crowd, capsys):
    managed = crowd.managed()
    opened, whole = [c["createdMillis"] for c in managed], sum(len(c["subflows"]) == SUBFLOWS for c in managed)
    tell(capsys, f"{whole} connections of {SUBFLOWS} subflows and {len(managed) - whole} of one, of {OPENED} opened, within "
                 f"{(max(opened) - min(opened)) / 1000:.0f} s; rules after "
                 f"{counters(crowd.testbed)['rules.median-micros'] / 1000:.0f} ms (median)")
    assert len(crowd.received()) == OPENED
    crowd.all_go_on()


def test_what_a_connection_costs_in_rules(crowd, capsys):
    managed = crowd.managed()
    exact = exact_ones(managed, tables(crowd.testbed))
    found = check_ways(crowd.testbed, [subflow for c in managed for subflow in c["subflows"] if subflow["src"] not in exact])
    total, most = sum(found.rules.values()), max(found.rules.values())
    assert len(exact) <= SUBFLOWS * MANY
    tell(capsys, f"{len(managed)} connections: {total} rules in all switches ({total / len(managed):.1f} for a connection), of "
                 f"which they share {len(found.shared)}; {most} in the busiest switch; {len(exact)} subflows have exact rules")


def test_the_control_loop_has_time(crowd, capsys):
    def seconds() -> float:
        return counters(crowd.testbed)["control-loop.busy-nanos"] / 1e9
    begun, before, of_process = time.monotonic(), seconds(), processor_seconds(crowd.testbed.onos.pid())
    wait_for("the end of the measurement", lambda: time.monotonic() >= begun + BUSY_SECONDS, BUSY_SECONDS + 5)
    now = time.monotonic()
    busy = (seconds() - before) / (now - begun)
    process = (processor_seconds(crowd.testbed.onos.pid()) - of_process) / (now - begun)
    tell(capsys, f"{len(crowd.managed())} connections: control loop busy {busy:.1%} of {now - begun:.0f} s; ONOS as a whole took "
                 f"{process:.0%} of a processor")
    assert busy < MOST_BUSY


def test_shares_are_right(crowd, tmp_path, capsys):
    # ONOS may compute new ones while it lists the connections.
    connections, full = wait_for("shares that are right", lambda: with_right_shares(crowd), TIMEOUT, every=2)
    expected = [c["expectedUpMbps"] for c in connections]
    measured = [c["measuredUpMbps"] or 0 for c in connections]
    tell(capsys, f"shares of {min(expected)} to {max(expected)} Mbit/s, measured {min(measured)} to {max(measured)}; "
                 f"{full} directions of links are full")
    plan = [c["expectedMbps"] for c in planned(crowd.testbed, connections, tmp_path)["connections"]]
    different = [(ours, its) for ours, its in zip(plan, expected, strict=True)
                 if abs(ours - its) > max(2 * ROUNDED_MBPS, 0.01 * ours)]
    # The planner gets rounded demands. On a full link, the few that want more share what the rounding of all others adds up to.
    rounded = ROUNDED_MBPS * max(shares_by_link(connections)[1].values())
    assert sum(abs(ours - its) for ours, its in different) <= rounded, (len(different), rounded, different[:5])


def with_right_shares(crowd: Crowd) -> tuple[list[Json], int]:
    """The connections and the number of links that their shares fill. LabError if a link is to carry more than it can, or a
    connection has less than it might have."""
    connections, network = crowd.managed(), crowd.testbed.network
    load, users = shares_by_link(connections)
    over = {hop: rate for hop, rate in load.items() if rate > network.rate(*hop) + ROUNDED_MBPS * users[hop]}
    full = {hop for hop, rate in load.items() if rate >= network.rate(*hop) - ROUNDED_MBPS * users[hop]}
    short = [c for c in connections for way in ("Up", "Down") if not is_right(c, way, full)]
    if over or short:
        raise LabError(f"more than the links carry: {over}; less than possible: {len(short)}, as {short[:2]}")
    return connections, len(full)


def shares_by_link(connections: list[Json]) -> tuple[dict[Hop, float], Counter[Hop]]:
    """What is expected on each directed link, Mbit/s, and of how many subflows' directions."""
    load: dict[Hop, float] = defaultdict(float)
    users: Counter[Hop] = Counter()
    for connection in connections:
        for subflow in connection["subflows"]:
            for way in ("Up", "Down"):
                for hop in hops(subflow, way):
                    load[hop] += subflow[f"expected{way}Mbps"]
                    users[hop] += 1
    return load, users


def hops(subflow: Json, way: str) -> list[Hop]:
    """The links of a subflow in the direction up (client to server) or down."""
    switches = [switch_name(device) for device in subflow["path"]]
    if (way == "Up") != subflow["fromClient"]:
        switches.reverse()
    return list(zip(switches, switches[1:]))


def is_right(connection: Json, way: str, full: set[Hop]) -> bool:
    """Whether a connection is expected to get more than it sends, and all that it may demand unless all its paths are full."""
    expected, demand = connection[f"expected{way}Mbps"], connection[f"demand{way}Mbps"]
    met = demand is not None and expected >= demand - 2 * ROUNDED_MBPS
    return expected > (connection[f"measured{way}Mbps"] or 0) and (
        met or all(full.intersection(hops(subflow, way)) for subflow in connection["subflows"]))


def test_what_a_link_has_carried_flows_again_within_a_second(crowd, capsys):
    repairs = []
    for number in range(FAILURES):
        link = busiest(crowd.managed())
        found = tables(crowd.testbed)
        dead, exact = labels_over(crowd, link, found), exact_ones(crowd.managed(), found)
        with RuleWatch(crowd.testbed.folder / f"repair{number}", crowd.testbed.network.topology.switches) as watch:
            try:
                cut_at, moved = repaired(crowd, link, watch, exact)
                around = led_around(crowd, link, dead, watch, cut_at)
                crowd.all_go_on()
            finally:
                crowd.testbed.network.set_link(*link, up=True)
        moved_exact = [seconds for source, seconds in moved.items() if source in exact]
        repairs.append(max([around, *moved_exact]))
        tell(capsys, f"{'-'.join(link)} down: packets of {len(dead)} labels were led around it after {around * 1000:.0f} ms; "
                     f"{len(moved_exact)} subflows with exact rules had others after "
                     f"{max(moved_exact, default=0) * 1000:.0f} ms; "
                     f"all {len(moved)} had paths of their own after {statistics.median(moved.values()) * 1000:.0f} ms (median), "
                     f"the last after {max(moved.values()) * 1000:.0f} ms")
        crowd.testbed.wait_for_links()
        wait_for("all connections as before", crowd.managed, TIMEOUT, every=2)
    tell(capsys, f"{FAILURES} failures: no packet was led to the lost link after "
                 f"{statistics.median(repairs) * 1000:.0f} ms (median)")
    assert statistics.median(repairs) < MOST_REPAIR_SECONDS


def test_stopped_with_all_of_them_nothing_stays_and_started_again_it_knows_them(crowd, capsys):
    testbed, before = crowd.testbed, {c["id"] for c in crowd.managed()}
    begun = time.monotonic()
    testbed.onos.deactivate_application()
    try:
        wait_for("no rule of a connection", lambda: not tables(testbed).rules, TIMEOUT)
        seconds = time.monotonic() - begun
        wait_for("no intent", lambda: not [i for i in testbed.onos.rest.get("/intents")["intents"] if i["appId"] == APPLICATION],
                 TIMEOUT)
        crowd.all_go_on()
        assert not tables(testbed).rules
    finally:
        testbed.onos.activate_application()
    begun = time.monotonic()
    again = wait_for("all connections managed again", crowd.managed, MANAGED_SECONDS, every=1)
    tell(capsys, f"stopped with {len(before)} connections: no rule after {seconds:.1f} s; started again: all had paths after "
                 f"{time.monotonic() - begun:.0f} s")
    assert {c["id"] for c in again} <= before
    assert seconds < MOST_STOP_SECONDS
    crowd.all_go_on()


def busiest(connections: list[Json]) -> Hop:
    """The link between an aggregation and a core switch that most subflows take."""
    taken: Counter[Hop] = Counter()
    for connection in connections:
        for subflow in connection["subflows"]:
            taken.update((a, b) if a < b else (b, a) for a, b in hops(subflow, "Up")[1:-1])
    return taken.most_common(1)[0][0]


def exact_ones(connections: list[Json], found: Tables) -> set[str]:
    """The sources of subflows whose paths have no labels."""
    labelled = {source for _, source, _ in found.own}
    return {subflow["src"] for connection in connections for subflow in connection["subflows"]} - labelled


def labels_over(crowd: Crowd, link: Hop, found: Tables) -> set[tuple[str, str, str]]:
    """The rules that lead packets with a label over a link: (switch, in port, label)."""
    network = crowd.testbed.network
    out = {here: str(network.port(here, there)) for here, there in (link, link[::-1])}
    return {(switch, port, label) for (switch, port, label), (_, output) in found.shared.items() if output == out.get(switch)}


def led_around(crowd: Crowd, link: Hop, dead: set[tuple[str, str, str]], watch: RuleWatch, cut_at: float) -> float:
    """After how many seconds packets with these labels had rules that lead elsewhere, in all switches."""
    labels = {label for _, _, label in dead}
    changes = [when for switch in crowd.testbed.network.topology.switches
               for when, _, label, output in watch.label_changes(switch, cut_at) if label in labels and output is not None]
    assert changes, f"no rule of {len(labels)} labels has changed"
    left = labels_over(crowd, link, tables(crowd.testbed))
    assert not left, f"{len(left)} rules still lead over the lost link"
    return max(changes) - cut_at


def repaired(crowd: Crowd, link: Hop, watch: RuleWatch, exact: set[str]) -> tuple[float, dict[str, float]]:
    """Takes a link down; returns the time of that, and after how many seconds the switches had the last new rule of each subflow
    that was on it, by its source. ``exact``: the sources of subflows with exact rules, which they keep.

    Asks ONOS nothing meanwhile: to list a thousand connections takes it as long as to move some.
    """
    network = crowd.testbed.network
    affected = {subflow["src"] for connection in crowd.managed() for subflow in connection["subflows"] if is_on(subflow, link)}
    assert affected, link
    told, cut_at = watch.told(), time.time()
    network.set_link(*link, up=False)
    still(watch, told)

    def moved() -> list[Json]:
        found = crowd.managed()
        left = sum(is_on(subflow, link) for connection in found for subflow in connection["subflows"])
        if left:
            raise LabError(f"{left} subflows are still on {link}")
        return found
    connections = wait_for(f"other paths than {link}", moved, TIMEOUT, every=1)
    wanted = {subflow["src"]: rules_of(network, subflow, path_labels=subflow["src"] not in exact)
              for connection in connections for subflow in connection["subflows"] if subflow["src"] in affected}
    every = [rule for rules in wanted.values() for rule in rules]
    here = set().union(*(present(switch) for switch in network.topology.switches))
    assert set(every) <= here, f"{len(set(every) - here)} rules are missing"
    came = watch.times(every, cut_at)
    return cut_at, {source: last_of(rules, came) - cut_at for source, rules in wanted.items()}


def last_of(rules: list[Rule], came: dict[Rule, float]) -> float:
    times = [came[rule] for rule in rules if rule in came]
    assert times, f"none of these has come: {rules}"
    return max(times)


def is_on(subflow: Json, link: Hop) -> bool:
    return any(set(hop) == set(link) for hop in hops(subflow, "Up"))


def still(watch: RuleWatch, before: int) -> None:
    """Waits until the switches have told of changes, and then of none for a while."""
    last, since = before, time.monotonic()

    def no_change() -> bool:
        nonlocal last, since
        now = watch.told()
        if now != last:
            last, since = now, time.monotonic()
        return now > before and time.monotonic() - since >= STILL_SECONDS
    wait_for("no further change of a rule", no_change, TIMEOUT)
