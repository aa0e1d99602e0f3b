# SPDX-License-Identifier: Apache-2.0
"""Connections that need no paths: short ones to a web server beside a transfer, and slow ones."""

import contextlib
import time

import pytest

from conftest import active, all_tcp_at_the_controller, assert_disjoint, connections, counters, reserved, tcp_rules, tell
from life import SUBFLOWS, TIMEOUT, all_active, data_connection, established, paths
from mptcplab import demo
from mptcplab.errors import LabError
from mptcplab.processes import wait_for
from mptcplab.short_connections import Wanted
from stream import Stream

PER_SECOND = 50
SECONDS = 10

YOUNG_MILLIS = 500
PRIORITY = "110,"
"""Of managed subflows' rules."""


def test_short_connections_beside_a_transfer(testbed, capsys):
    client = testbed.network.clients[0]
    before = offered(client)
    result, problems = demo.demonstrate(testbed, SECONDS, SUBFLOWS, short=Wanted(PER_SECOND))
    known = [(c["id"], c["state"], len(c["subflows"])) for c in connections(testbed)]
    assert not problems, (problems, known[-9:], counters(testbed))
    short = result["short"]
    alone = short["forwarderAlone"]
    tell(capsys, f"{PER_SECOND} short MPTCP connections per second beside a transfer, p50 and p99: {short['p50Millis']:.1f} and "
                 f"{short['p99Millis']:.1f} ms, the forwarder alone {alone['p50Millis']:.1f} and {alone['p99Millis']:.1f} ms")
    assert set(short) == {"protocol", "bytes", "wantedPerSecond", "perSecond", "requests", "failed", "causes", "p50Millis",
                          "p99Millis", "forwarderAlone"}
    assert set(alone) == {"perSecond", "failed", "p50Millis", "p99Millis", "goodputMbps"}
    assert (short["protocol"], short["bytes"], short["wantedPerSecond"], short["failed"]) == ("mptcp", 200, PER_SECOND, 0)
    # They begin a moment after the transfer, and end with it.
    assert PER_SECOND * (SECONDS - 2) <= short["requests"] <= PER_SECOND * SECONDS
    assert 0 < short["p50Millis"] <= short["p99Millis"] and 0 < short["perSecond"] <= PER_SECOND + 1
    assert offered(client) - before >= short["requests"], "they were MPTCP, as the server agreed"
    data = result["connections"][0]
    assert len(data["subflows"]) == SUBFLOWS
    assert_disjoint([s["path"] for s in data["subflows"]])


@pytest.mark.long
@pytest.mark.parametrize("southbound", ["copying", "stock"])
def test_a_slow_connection_has_paths_only_until_it_is_known_to_be_slow(testbed, southbound, capsys):
    network = testbed.network
    client, server = network.clients[0], network.servers[0]
    demoted = counters(testbed)["candidates.demoted"]
    with settings(testbed, southbound, manageAfterMillis=YOUNG_MILLIS):
        running = Stream(client, server, network.addresses(server)[0], slow=True)
        try:
            wait_for("paths for its age", lambda: [len(c["subflows"]) for c in active(testbed)] == [SUBFLOWS]
                     and all_active(testbed), TIMEOUT)
            assert managed_rules(testbed) and reserved(testbed)
            name, begun = data_connection(testbed)["id"], time.monotonic()
            wait_for("paths given back", lambda: holds_nothing(testbed), TIMEOUT)
            kept = time.monotonic() - begun
            assert counters(testbed)["candidates.demoted"] == demoted + 1
            assert [c["id"] for c in connections(testbed) if c["state"] == "idle"].count(name) == 1, "it is remembered"
            begun = time.monotonic()
            running.hurry()
            again = established(testbed, SUBFLOWS)
            tell(capsys, f"{southbound}: a slow connection had paths for {kept:.0f} s, and has them again "
                         f"{time.monotonic() - begun:.0f} s after it has begun to send")
            assert again["id"] == name
            assert_disjoint(paths(again))
            running.finish()
        finally:
            running.stop()


def holds_nothing(testbed):
    left = active(testbed), reserved(testbed), managed_rules(testbed)
    if any(left):
        raise LabError(f"connections, reservations, rules: {left}")
    return True


def managed_rules(testbed):
    return [(switch, rule) for switch, rule in tcp_rules(testbed) if rule.startswith(PRIORITY)]


@contextlib.contextmanager
def settings(testbed, southbound, **values):
    """With these settings, where switches copy SYN, FIN and RST or where they send all TCP to the controller."""
    if southbound == "stock":
        with all_tcp_at_the_controller(testbed, **values):
            yield
        return
    before = {name: testbed.onos.settings()[name] for name in values}
    testbed.onos.configure(**values)
    try:
        yield
    finally:
        testbed.onos.configure(**before)


def offered(host):
    """How many MPTCP connections of a host the other side has agreed to."""
    told = host.pexec(["nstat", "-asz", "MPTcpExtMPCapableSYNACKRX"])[0]
    return int(told.split("MPTcpExtMPCapableSYNACKRX")[1].split()[0])
