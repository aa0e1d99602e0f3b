# SPDX-License-Identifier: Apache-2.0
"""Many short connections while a link goes down and up: nothing remains of them, and the heap does not grow."""

import json
import subprocess
import time
from pathlib import Path

import pytest

from conftest import Heap, connections, counters, quiet, same, settled, state, tell
from mptcplab.errors import LabError
from mptcplab.hosts import listens
from mptcplab.processes import end_group, wait_for
from programs import MPTCP

pytestmark = pytest.mark.long

PORT = 7003
BYTES = 50_000
WARM_UP, COUNT, AT_ONCE = 100, 500, 20
SECONDS = 600
TIDYING_SECONDS = 60


@pytest.fixture
def forgetful(testbed):
    """Connections are forgotten soon after they are over, so that what remains can be seen."""
    retention = testbed.onos.settings()["retentionSeconds"]
    testbed.onos.configure(retentionSeconds=5)
    yield testbed
    testbed.onos.configure(retentionSeconds=retention)


def test_soak_with_a_link_flapping(forgetful, capsys):
    testbed, network = forgetful, forgetful.network
    server = started(network.servers[0], "server", MPTCP, PORT)
    try:
        wait_for("the server", lambda: listens(network.servers[0], PORT), 20)
        short_connections(testbed, WARM_UP)
        forgotten(testbed)
        before, heap_before = settled(testbed), tidied_up(testbed)
        counted = counters(testbed)
        done, flaps = short_connections(testbed, COUNT)
        forgotten(testbed)
        wait_for("rules, resources and intents as before", lambda: same(state(testbed), before), 90)
        heap = tidied_up(testbed)
        tell(capsys, f"soak: {done['good']} of {COUNT} connections, {flaps} times a link down and up, live heap "
                     f"{heap_before} before and {heap} after")
        assert done == {"good": COUNT, "failures": []}
        now = counters(testbed)
        assert now["established.capable-v1"] - counted["established.capable-v1"] >= COUNT, difference(counted, now)
        assert now["established.unmanaged"] == counted["established.unmanaged"], difference(counted, now)
        assert counters(testbed)["table.tokens"] == 0
        assert flaps >= 2
        assert heap.live < 1.1 * heap_before.live, heap.growth(heap_before)
    finally:
        end_group(server)


def short_connections(testbed, count):
    """Runs them while s1–s3 goes down and comes back again and again; returns what the program says, and how often."""
    network = testbed.network
    client = started(network.clients[0], "many", MPTCP, network.addresses(network.servers[0])[0], PORT, count, AT_ONCE, BYTES)
    flaps = 0
    try:
        while client.poll() is None:
            network.set_link("s1", "s3", up=False)
            wait_for("the link gone", lambda: len(links(testbed)) < 12 or client.poll() is not None, 30)
            network.set_link("s1", "s3", up=True)
            testbed.wait_for_links()
            flaps += 1
        return json.loads(client.communicate(timeout=SECONDS)[0]), flaps
    finally:
        network.set_link("s1", "s3", up=True)
        end_group(client)


def forgotten(testbed):
    """Waits until nothing of any connection is left in the application."""
    quiet(testbed)

    def none_known():
        known = connections(testbed)
        if known:
            raise LabError(f"{len(known)} connections")
        return True
    wait_for("no connection remembered", none_known, 60)


def tidied_up(testbed):
    """The smallest heap within a while: ONOS keeps its stores in a log, with 4 to 6 MB of buffers in the heap for every 32 MB
    of it, and cuts it off only when it has had little to do for half a minute."""
    end, least = time.monotonic() + TIDYING_SECONDS, Heap(testbed)
    while time.monotonic() < end:
        time.sleep(1)  # between two looks at something that gives no sign
        least = min(least, Heap(testbed), key=lambda heap: heap.live)
    return least


def difference(before, after):
    """The counters that have moved, and by how much."""
    return {name: value - before.get(name, 0) for name, value in after.items() if value != before.get(name, 0)}


def links(testbed):
    return [link for link in testbed.onos.rest.get("/links")["links"] if link["state"] == "ACTIVE"]


def started(host, *arguments):
    """Starts one of ``programs.py`` in a host's namespace."""
    return host.popen(["/usr/bin/python3", str(Path(__file__).with_name("programs.py")), *map(str, arguments)],
                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def program(host, *arguments):
    """Runs one of them to its end and returns what it says."""
    running = started(host, *arguments)
    try:
        out = running.communicate(timeout=SECONDS)[0]
        return json.loads(out.strip().splitlines()[-1])
    finally:
        end_group(running)
