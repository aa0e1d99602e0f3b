# SPDX-License-Identifier: Apache-2.0
"""Half an hour of short connections beside transfers, while links fail: nothing grows, and repairs stay quick (long)."""

import contextlib
import re
import statistics
import time

import pytest

from conftest import Heap, active, assert_disjoint, connections, counters, quiet, tell
from life import (SUBFLOWS, TIMEOUT, TRANSFER_PORT, all_active, cut_and_follow, data_connection, established, failing, paths,
                  set_subflows, transfer)
from mptcplab.processes import run, wait_for
from mptcplab.sampling import rule_count
from mptcplab.short_connections import WebServer, several
from test_load import MUCH_PER_SECOND

pytestmark = pytest.mark.long

FAILURES = 10
SETTLE_SECONDS = 30
GROWTH = 1.1
FORWARDERS = " priority=10,in_port="
TABLES = ("table.candidates", "table.tokens", "table.handshakes")


def test_half_an_hour_of_it(testbed, pytestconfig, capsys):
    network, minutes = testbed.network, pytestconfig.getoption("--minutes")
    client, server = network.clients[0], network.servers[0]
    address = network.addresses(server)[0]
    with WebServer(server, address, testbed.folder / "web"):
        beside(testbed, client, address, 60)
        before, heap = quiet_state(testbed), Heap(testbed)
        rules_before = rules(testbed)
        # One path stays free for what has to move.
        set_subflows(testbed, SUBFLOWS - 1)
        try:
            told, repairs, most = load(testbed, client, address, 60 * minutes)
        finally:
            set_subflows(testbed, SUBFLOWS)
        after, heap_after = quiet_state(testbed), Heap(testbed)
        more = sorted(rules(testbed) - rules_before)
    tell(capsys, f"{minutes} minutes: short connections {told}, most rules in a switch {most}; repairs "
                 f"{', '.join(f'{ms:.0f}' for ms in sorted(repairs))} ms, median {statistics.median(repairs):.0f}; "
                 f"live heap {heap} and {heap_after}; {before} before, {after} after")
    assert all(one["failed"] <= 0.001 * one["requests"] for one in told.values()), told
    assert heap_after.live < GROWTH * heap.live, heap_after.growth(heap)
    assert not more, (more, lives(testbed))
    assert all(after[name] <= before[name] for name in before), (before, after)
    assert statistics.median(repairs) < 1000


def load(testbed, client, address, seconds):
    """Both kinds beside a transfer, while the link under one of its subflows fails ten times; gives what came of them."""
    network, repairs, most = testbed.network, [], 0
    end = time.monotonic() + seconds
    with contextlib.ExitStack() as stack:
        shorts = stack.enter_context(several(client, address, MUCH_PER_SECOND, seconds))
        stack.enter_context(transfer(testbed))
        established(testbed, SUBFLOWS - 1)
        for number in range(FAILURES):
            next_one = time.monotonic() + (end - time.monotonic()) / (FAILURES - number + 1)
            wait_for("the next failure", lambda: time.monotonic() >= next_one, seconds + 10, every=1)
            path = paths(data_connection(testbed, TRANSFER_PORT))[number % (SUBFLOWS - 1)]
            with failing(testbed, tuple(path[:2])) as failure:
                repairs.append(cut_and_follow(testbed, failure))
            testbed.wait_for_links()
            wait_for("all active", lambda: active(testbed) and all_active(testbed), TIMEOUT)
            assert_disjoint(paths(data_connection(testbed, TRANSFER_PORT)))
            most = max(most, *map(rule_count, network.topology.switches))
        told = {protocol: short.finish() for protocol, short in shorts.items()}
    return {name: {key: one[key] for key in ("requests", "failed", "perSecond", "p99Millis")} for name, one in told.items()}, \
        [ms for ms in repairs if ms is not None], most


def beside(testbed, client, address, seconds):
    """Short connections that warm everything up."""
    with several(client, address, MUCH_PER_SECOND, seconds) as shorts:
        for short in shorts.values():
            short.finish()


def rules(testbed):
    """Every rule of every switch but the forwarder's, as text without its counters and its cookie.

    The forwarder's go with the traffic, a late ping included: they are what the network has without the application.
    """
    return {f"{switch}: {re.sub('cookie=[^ ]+ ', '', line).strip()}" for switch in testbed.network.topology.switches
            for line in run(["ovs-ofctl", "-O", "OpenFlow13", "--no-stats", "dump-flows", switch],
                            f"reading {switch}'s rules").splitlines() if FORWARDERS not in line}


def lives(testbed):
    """What became of each connection that the application has not forgotten."""
    return [(one["id"], one["state"], [s["state"] for s in one["subflows"]],
             [(event["millis"], event["text"]) for event in
              testbed.onos.rest.get(f"/mptcp/connections/{one['id']}/events")["events"]]) for one in connections(testbed)]


def quiet_state(testbed):
    """What the application's tables have half a minute after everything has ended."""
    quiet(testbed)
    begin = time.monotonic()
    wait_for("half a minute", lambda: time.monotonic() >= begin + SETTLE_SECONDS, SETTLE_SECONDS + 5, every=1)
    tables = counters(testbed)
    return {name: tables[name] for name in TABLES}
