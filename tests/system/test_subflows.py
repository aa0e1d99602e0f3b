# SPDX-License-Identifier: Apache-2.0
"""Subflows that the hosts' agents open as the controller says: on a network with three paths a connection between two addresses
gets three subflows, at once or when it needs them."""

import json
import time
from collections.abc import Iterator

import pytest

from conftest import active, all_tcp_at_the_controller, counters, quiet, tell
from mptcpagent.netlink import SOCK_DIAG, Netlink
from mptcpagent.pathmanager import PathManager
from mptcpagent.sockets import read
from mptcpagent.subflow import texts
from mptcplab.agents import Agents
from mptcplab.hosts import Host
from mptcplab.processes import run, wait_for
from mptcplab.rest import Json
from mptcplab.testbed import Testbed
from stream import Stream
from two_hosts import entered

PORT = 5400
FIRST_PLANNED = 61_000
PATHS = 3
NEEDED_SECONDS = 10


@pytest.fixture(scope="module")
def agents(session_testbed: Testbed) -> Iterator[Agents]:
    session_testbed.onos.configure(strategy="widest-disjoint")
    quiet(session_testbed)
    started = Agents(session_testbed)
    started.start()
    network = session_testbed.network
    for host in (network.clients[0], network.servers[0]):
        wait_for("an agent that manages paths", lambda host=host: path_manager(host) == "1", 20)
    yield started
    session_testbed.onos.configure(agentSubflows="all")
    started.leave()
    for host in (network.clients[0], network.servers[0]):
        assert path_manager(host) == "0"


@pytest.fixture
def testbed(session_testbed: Testbed, agents: Agents) -> Iterator[Testbed]:
    quiet(session_testbed)
    yield session_testbed


def stream(testbed: Testbed, slow: bool = False) -> Stream:
    network = testbed.network
    return Stream(network.clients[0], network.servers[0], network.addresses(network.servers[0])[0], PORT, slow=slow)


def path_manager(host: Host) -> str:
    return host.pexec(["sysctl", "-n", "net.mptcp.pm_type"])[0].strip()


def subflows(testbed: Testbed) -> list[str]:
    """The client's end of each of its established subflows."""
    shown = testbed.network.clients[0].pexec(["ss", "-tnHO", "state", "established", f"( dport = :{PORT} )"])[0]
    return sorted(line.split()[2] for line in shown.splitlines())


def managed(testbed: Testbed) -> Json:
    """The connection that the controller has given paths."""
    return wait_for("a managed connection", lambda: next(iter(active(testbed)), None), 20)


def middles(connection: Json) -> set[str]:
    return {subflow["path"][1] for subflow in connection["subflows"] if subflow["path"]}


def test_a_connection_gets_a_subflow_on_each_path_at_once(testbed, capsys):
    before = counters(testbed)
    running = stream(testbed)
    try:
        begun = time.monotonic()
        managed(testbed)
        wait_for("three subflows", lambda: len(subflows(testbed)) == PATHS, 15, every=0.02)
        tell(capsys, f"three subflows {time.monotonic() - begun:.2f} s after the connection")
        ends = subflows(testbed)
        assert {end.rpartition(":")[0] for end in ends} == {testbed.network.addresses(testbed.network.clients[0])[0]}
        assert sum(int(end.rpartition(":")[2]) >= FIRST_PLANNED for end in ends) == PATHS - 1
        assert len(middles(managed(testbed))) == PATHS
        running.finish()
    finally:
        running.stop()
    after = counters(testbed)
    assert after["agents.subflows"] - before["agents.subflows"] == PATHS - 1
    assert after["agents.subflows.lost"] == before["agents.subflows.lost"]


def dropped(testbed: Testbed) -> dict[str, int]:
    """Packets that found the queue from the client's switch to each next one full, so far."""
    network = testbed.network
    first = network.switch_of(network.addresses(network.clients[0])[0])
    return {middle: sum(queue["drops"] for queue in json.loads(
                run(["tc", "-s", "-j", "qdisc", "show", "dev", network.interface(first, middle)], "reading a queue")))
            for middle in ("s2", "s3", "s4")}


def test_a_subflow_that_the_agent_opens_fills_no_queue(testbed):
    """It has its limit before it sends: slow start would fill the queue until packets are lost, others' too."""
    before = dropped(testbed)
    running = stream(testbed)
    try:
        wait_for("three subflows", lambda: len(subflows(testbed)) == PATHS, 15, every=0.02)
        wait_for("a fast transfer", lambda: (managed(testbed).get("measuredUpMbps") or 0) > 20, 20)
        full = [middle for middle, drops in dropped(testbed).items() if drops > before[middle]]
        assert len(full) <= 1, f"{full}: only the path by which the connection began had no limit from the start"
        running.finish()
    finally:
        running.stop()


def test_no_join_comes_to_the_controller_where_switches_make_no_copies(testbed):
    """Packets with a rule do not come to it there."""
    with all_tcp_at_the_controller(testbed):
        before = counters(testbed)
        running = stream(testbed)
        try:
            wait_for("three subflows", lambda: len(subflows(testbed)) == PATHS, 20)
            running.finish()
        finally:
            running.stop()
        after = counters(testbed)
    assert after["syn.capable"] > before["syn.capable"]
    assert after["syn.join"] == before["syn.join"]


LATE_SECONDS = 35
"""After this a subflow has worked, as the controller sees it."""


@pytest.mark.parametrize("which, after", [(-1, 0), (0, 0), pytest.param(-1, LATE_SECONDS, marks=pytest.mark.long),
                                          pytest.param(0, LATE_SECONDS, marks=pytest.mark.long)])
def test_a_subflow_that_is_lost_is_replaced(testbed, which, after):
    """The last one, or the first one, soon or late in the connection's life."""
    begun = time.monotonic()
    running = stream(testbed)
    try:
        managed(testbed)
        wait_for("three subflows", lambda: len(subflows(testbed)) == PATHS, 15)
        with entered(testbed.network.clients[0].pid):
            manager, diag = PathManager(), Netlink(SOCK_DIAG)
        lost = subflows(testbed)[which]
        # The agent must have told that it is there, or it counts as one that has not come.
        wait_for("no subflow that is still to come", lambda: all(
            (s["measuredUpMbps"] or 0) > 0 for s in managed(testbed)["subflows"]), 15)
        wait_for("the time when it is lost", lambda: time.monotonic() >= begun + after, after + 20)
        one = next(one for one in read(diag) if texts(one.ends)[0] == lost)
        manager.destroy(one.token, one.ends)
        wait_for("another one", lambda: len(subflows(testbed)) == PATHS and lost not in subflows(testbed), 20)
        assert len(middles(managed(testbed))) == PATHS
        running.finish()
    finally:
        running.stop()


def test_a_connection_asks_for_subflows_when_it_gets_less_than_it_could(testbed, capsys):
    testbed.onos.configure(agentSubflows="needed")
    running = stream(testbed)
    try:
        assert len(managed(testbed)["subflows"]) == 1
        begun = time.monotonic()
        wait_for("three subflows", lambda: len(subflows(testbed)) == PATHS, NEEDED_SECONDS)
        tell(capsys, f"three subflows {time.monotonic() - begun:.1f} s after the first path")
        assert len(middles(managed(testbed))) == PATHS
        running.finish()
    finally:
        running.stop()


def test_a_connection_whose_application_sends_little_keeps_one(testbed):
    testbed.onos.configure(agentSubflows="needed", manageAfterMillis=500)
    try:
        running = stream(testbed, slow=True)
        try:
            managed(testbed)
            heard = counters(testbed)["agents.reports"]
            # Each of the two agents reports once in a second.
            wait_for("reports of eight seconds", lambda: counters(testbed)["agents.reports"] >= heard + 16, 30)
            assert len(subflows(testbed)) == 1
            running.finish()
        finally:
            running.stop()
    finally:
        testbed.onos.configure(manageAfterMillis=3000)
