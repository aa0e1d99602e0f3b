# SPDX-License-Identifier: Apache-2.0
"""A network full of short connections: what they leave, the application stopped in the middle, flow tables that are full."""

import contextlib
import itertools
import json
import re
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from conftest import active, assert_disjoint, counters, quiet, tell
from life import (SUBFLOWS, TIMEOUT, TRANSFER_PORT, activate, all_active, data_connection, deactivate, established, flows, paths,
                  transfer)
from mptcplab.errors import LabError
from mptcplab.hosts import listens
from mptcplab.openvswitch import limit_rules
from mptcplab.processes import end_group, run, wait_for
from mptcplab.sampling import rule_count
from mptcplab.short_connections import ShortConnections, several
from mptcplab.testbed import Testbed
from programs import MPTCP
from test_soak import started

PER_SECOND = {"mptcp": 80, "tcp": 20}
MUCH_PER_SECOND = {"mptcp": 320, "tcp": 80}
"""0.8 of what the forwarder alone carries on two processors."""

MOST_RULES = 50
"""In a switch, beyond those of long connections and the forwarder's."""

PING_SECONDS = 0.2
MOST_SILENT_SECONDS = 0.6
"""Without an answer to a ping while the application stops."""

PORT = 7004

ROOM = 23
"""Rules of connections for which switches have room. Three subflows take six at the edge, so that some are refused."""

REFUSED = re.compile(r"TABLE_FULL.* cookie=(\w+),.* dpid=(\S+)}")
MOST_REFUSALS = 20
"""Of one rule by one switch. ONOS asks again with each of the switch's reports, until the connection has given its rules up."""

BYTES = 100_000
"""That a connection carries there and back at a time."""


def short_connections(testbed: Testbed, seconds: float, rates: Mapping[str, int] = PER_SECOND
                      ) -> AbstractContextManager[dict[str, ShortConnections]]:
    """Both kinds, at their rates."""
    network = testbed.network
    return several(network.clients[0], network.addresses(network.servers[0])[0], rates, seconds)


class Busiest:
    """The most rules that each switch had while its body ran, by several looks a second. A context manager."""

    def __init__(self, switches: list[str]) -> None:
        self.most = {switch: rule_count(switch) for switch in switches}
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> "Busiest":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._end.wait(0.3):
            for switch, most in self.most.items():
                self.most[switch] = max(most, rule_count(switch))


def test_short_connections_cost_few_rules_and_leave_nothing(testbed, web_server, capsys):
    switches = testbed.network.topology.switches
    before = {switch: rule_count(switch) for switch in switches}
    known = counters(testbed)
    with transfer(testbed), Busiest(switches) as busiest:
        established(testbed, SUBFLOWS)
        with short_connections(testbed, 6) as both:
            told = [short.finish() for short in both.values()]
        own = paths(data_connection(testbed, TRANSFER_PORT))
        assert_disjoint(own)
        of_transfer = {switch: 2 * sum(switch in path for path in own) for switch in switches}
    assert [one["failed"] for one in told] == [0, 0], [one["causes"] for one in told]
    more = {switch: most - before[switch] - of_transfer[switch] for switch, most in busiest.most.items()}
    tell(capsys, f"short connections per second: {PER_SECOND}; at most {max(more.values())} more rules in a switch")
    assert max(more.values()) <= MOST_RULES
    quiet(testbed)

    def nothing_left() -> bool:
        tables = counters(testbed)
        left = {name: tables[name] for name in ("table.candidates", "table.tokens") if tables[name] > known[name]}
        left |= {switch: rule_count(switch) for switch in switches if rule_count(switch) > before[switch]}
        if left:
            raise LabError(f"left: {left}; before: {before}")
        return True
    wait_for("rules and tables as before", nothing_left, TIMEOUT)


def test_stopped_under_load_nothing_stays_in_the_switches(testbed, web_server, capsys):
    stopped_under_load(testbed, capsys, PER_SECOND, seconds=12, pings=12, ping_factor=5, rate_part=0.5)


@pytest.mark.long
def test_stopped_under_much_load_it_is_like_the_forwarder_alone(testbed, web_server, capsys):
    stopped_under_load(testbed, capsys, MUCH_PER_SECOND, seconds=30, pings=80, ping_factor=2, rate_part=0.9)


def stopped_under_load(testbed, capsys, rates, seconds, pings, ping_factor, rate_part):
    """Stops it in the middle of short connections and a transfer; then the forwarder has the same to do alone.

    A transfer fills a link's queue, so single pings are lost with the forwarder alone, too; but the hosts are never apart.
    """
    try:
        with transfer(testbed), short_connections(testbed, seconds, rates) as both:
            established(testbed, SUBFLOWS)
            begun = time.monotonic()
            deactivate(testbed)
            wait_for("no rule about TCP in any switch", lambda: not rules_about_tcp(testbed), TIMEOUT)
            gone = time.monotonic() - begun
            out = pinged(testbed, pings)
            assert longest_silence(out, pings) <= MOST_SILENT_SECONDS, out
            flows(testbed)
            told = [short.finish() for short in both.values()]
        assert [one["failed"] for one in told] == [0, 0], [one["causes"] for one in told]
        assert not rules_about_tcp(testbed), "nor has any come back"
        with transfer(testbed), short_connections(testbed, seconds / 2, rates) as both:
            flows(testbed)
            # The transfer has just begun, so that it may fill a queue.
            out_alone = pinged(testbed, pings)
            alone = [short.finish() for short in both.values()]
    finally:
        activate(testbed)
    ping, ping_alone = (statistics.median(millis(each)) for each in (out, out_alone))
    rate, rate_alone = (sum(one["perSecond"] for one in each) for each in (told, alone))
    tell(capsys, f"stopped under load: no rule left after {gone:.1f} s; median ping {ping:.1f} ms and {rate:.1f} requests/s, "
                 f"with the forwarder alone {ping_alone:.1f} ms and {rate_alone:.1f}")
    assert ping <= ping_factor * ping_alone
    assert rate >= rate_part * rate_alone


def pinged(testbed, count):
    """What ``ping`` says: in the midst of a transfer."""
    network = testbed.network
    address = network.addresses(network.servers[0])[0]
    return network.clients[0].pexec(["ping", "-c", str(count), "-i", str(PING_SECONDS), "-W", "2", address])[0]


def millis(out):
    return [float(line.split("time=")[1].split()[0]) for line in out.splitlines() if "time=" in line]


def longest_silence(out, count):
    """Seconds of the longest run of pings without an answer."""
    answered = {int(line.split("icmp_seq=")[1].split()[0]) for line in out.splitlines() if "time=" in line}
    ends = [0, *sorted(answered), count + 1]
    return PING_SECONDS * max(after - before - 1 for before, after in itertools.pairwise(ends))


def test_full_flow_tables_refuse_a_few_rules_once(testbed, tmp_path):
    lines = len(testbed.onos.log().splitlines())
    with full_tables(testbed) as server_address:
        limit(testbed, lambda switch: rule_count(switch) - len(rules_of_connections(switch)) + ROOM)
        noticed = FullTable(testbed)
        with many(testbed, server_address, 12, tmp_path) as finish:
            wait_for("a full table noticed", noticed.is_noticed, TIMEOUT)
            finish()
        refused = Counter(REFUSED.findall("\n".join(testbed.onos.log().splitlines()[lines:])))
        assert max(refused.values()) <= MOST_REFUSALS, refused.most_common(3)
        assert len(active(testbed)) < 12


def test_tables_that_take_no_wake_rule_are_full(testbed, tmp_path):
    """Further connections show by wake rules that they send much; nobody asks for other rules."""
    with full_tables(testbed) as server_address, many(testbed, server_address, 4, tmp_path) as finish:
        wait_for("paths of four", lambda: [len(c["subflows"]) for c in active(testbed)] == 4 * [SUBFLOWS]
                 and all_active(testbed), TIMEOUT)
        limit(testbed, lambda switch: len(rules_of_connections(switch)))
        noticed = FullTable(testbed)
        with many(testbed, server_address, 2, tmp_path) as finish_more:
            wait_for("a full table noticed", noticed.is_noticed, TIMEOUT)
            wait_for("one that has given its paths back", lambda: len(active(testbed)) < 4, TIMEOUT)
            finish_more()
        finish()


class FullTable:
    """Whether connections have lost or not got their rules since it was made."""

    def __init__(self, testbed: Testbed) -> None:
        self._testbed, self._before = testbed, counters(testbed)["limit.flow-tables"]

    def is_noticed(self) -> bool:
        if counters(self._testbed)["limit.flow-tables"] == self._before:
            rules = {switch: rule_count(switch) for switch in self._testbed.network.topology.switches}
            raise LabError(f"rules {rules}, connections {[(c['state'], len(c['subflows'])) for c in active(self._testbed)]}")
        return True


@contextlib.contextmanager
def full_tables(testbed: Testbed) -> Iterator[str]:
    """A server, whose address it gives; afterwards tables have no limits, and the application forgets that they were full."""
    server = testbed.network.servers[0]
    listening = started(server, "server", MPTCP, PORT)
    try:
        wait_for("the server", lambda: listens(server, PORT), TIMEOUT)
        yield testbed.network.addresses(server)[0]
    finally:
        end_group(listening)
        for switch in testbed.network.topology.switches:
            limit_rules(switch, None)
        deactivate(testbed)
        activate(testbed)


def limit(testbed: Testbed, rules: Callable[[str], int]) -> None:
    """Limits the tables of all switches to so many rules."""
    for switch in testbed.network.topology.switches:
        limit_rules(switch, rules(switch))


@contextlib.contextmanager
def many(testbed: Testbed, address: str, count: int, folder: Path) -> Iterator[Callable[[], None]]:
    """So many connections that go on; gives what ends them and sees that all were good."""
    end = folder / f"end-{count}"
    running = started(testbed.network.clients[0], "many", MPTCP, address, PORT, count, count, BYTES, end)

    def finish() -> None:
        end.touch()
        assert running.communicate(timeout=2 * TIMEOUT)[0].strip() == json.dumps({"good": count, "failures": []})
    try:
        yield finish
    finally:
        end_group(running)


def rules_of_connections(switch: str) -> list[str]:
    """Those of single connections, which go soon."""
    rules = run(["ovs-ofctl", "-O", "OpenFlow13", "dump-flows", switch], "reading rules").splitlines()
    return [rule for rule in rules if "tp_src=" in rule and "tp_dst=" in rule]


def rules_about_tcp(testbed: Testbed) -> list[str]:
    rules = (run(["ovs-ofctl", "-O", "OpenFlow13", "dump-flows", switch], "reading rules")
             for switch in testbed.network.topology.switches)
    return [line for told in rules for line in told.splitlines() if "tcp" in line]
