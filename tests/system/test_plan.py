# SPDX-License-Identifier: Apache-2.0
"""``./lab plan`` answers what the controller has settled on: for the same connections, begun in the same order, with the
demands that the controller has measured, it gives the same paths and the same shares."""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from conftest import active, managed_at_once
from life import kernel_says
from mptcplab.errors import LabError
from mptcplab.hosts import Host, listens
from mptcplab.login import PAGE_USER, of_this_run
from mptcplab.processes import end_group, wait_for
from mptcplab.rest import Json
from mptcplab.settings import HTTP_PORT, ROOT
from mptcplab.testbed import Testbed
from programs import MPTCP
from test_soak import started

PORT = 7003
LEAST = 3
"""Connections, where there are fewer pairs of hosts."""

STILL_SECONDS = 12
"""A newcomer's paths are looked at after 8 s at most, and a move takes 3 s."""

TOLERANCE = 0.01
FULL = 0.9
"""Of its capacity, what a full link carries at least by the switches' counters."""

ACKNOWLEDGEMENTS = 0.1
"""Mbit/s: the controller leaves so much room for the direction back of each connection; the planner knows one direction."""


@pytest.fixture
def streams(testbed: Testbed) -> Iterator[list[Json]]:
    """Connections that send as much as they can, begun one after the other, each with its three subflows placed."""
    network = testbed.network
    wait_for("no traffic but MPTCP's on any link", lambda: no_other_traffic(testbed), 60)
    # What a connection sends before it has paths is other traffic, of which the planner knows nothing.
    with ExitStack() as running, managed_at_once(testbed):
        for server in network.servers:
            running.callback(end_group, started(server, "sink", MPTCP, PORT))
            wait_for("the server", lambda: listens(server, PORT), 20)
        for number in range(max(LEAST, len(network.clients))):
            pair = number % len(network.clients)
            client, address = network.clients[pair], network.addresses(network.servers[pair])[0]
            running.callback(end_group, started(client, "stream", MPTCP, address, PORT))
            wait_for(f"connection {number + 1} with three subflows", lambda: all_placed(testbed, number + 1, client), 20,
                     every=0.05)
        yield settled(testbed)


def no_other_traffic(testbed: Testbed) -> bool:
    """The planner knows of none, and paths keep off links that carry some."""
    return all(link["othersMbps"] == 0 for link in testbed.onos.rest.get("/mptcp/links")["links"])


def all_placed(testbed: Testbed, number: int, newest: Host) -> bool:
    """Whether so many connections have all their subflows on paths. LabError with what the newest client's kernel says."""
    placed = [len([s for s in c["subflows"] if s["path"]]) for c in active(testbed)]
    if placed.count(3) != number:
        raise LabError(f"subflows on paths: {placed}; {kernel_says(newest)}")
    return True


def settled(testbed: Testbed) -> list[Json]:
    """The connections, oldest first, once their paths have stayed the same for a while and all of them send."""
    since: dict[str, float] = {}

    def still() -> list[Json] | None:
        found = in_order(testbed)
        shape = json.dumps([[s["path"] for s in c["subflows"]] for c in found])
        if shape not in since or any(c["state"] != "active" or (c["measuredUpMbps"] or 0) <= 1 for c in found):
            since.clear()
            since[shape] = time.monotonic()
        return found if time.monotonic() - since[shape] >= STILL_SECONDS else None
    return wait_for(f"the same paths for {STILL_SECONDS} s", still, 120, every=0.5)


def in_order(testbed: Testbed) -> list[Json]:
    return sorted(active(testbed), key=lambda c: c["createdMillis"])


def planned() -> Json:
    """What the planner answers for the controller's network and its connections."""
    login = {"ONOS_WEB_USER": PAGE_USER, "ONOS_WEB_PASS": of_this_run().page}
    done = subprocess.run([str(ROOT / "lab"), "plan", "--topology", f"http://127.0.0.1:{HTTP_PORT}/onos", "--both-ways", "--why"],
                          capture_output=True, text=True, timeout=120, env=os.environ | login)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def meetings(connections: list[Json]) -> int:
    """How many directed links carry data of one connection and acknowledgements of another: there, less is left for data."""
    data, back = set(), set()
    for number, connection in enumerate(connections):
        for subflow in connection["subflows"]:
            hops = list(zip(subflow["path"], subflow["path"][1:]))
            data |= {(hop, number) for hop in hops}
            back |= {(hop[::-1], number) for hop in hops}
    return sum(hop == other and number != another for hop, number in data for other, another in back)


def test_the_planner_answers_what_the_controller_settled_on(testbed, streams):
    plan = planned()["connections"]
    different = [f"{ours['id']}: {[s['path'] for s in ours['subflows']]} planned, {[s['path'] for s in its['subflows']]} live: "
                 f"{testbed.onos.rest.get('/mptcp/connections/' + its['id'] + '/events')}"
                 for ours, its in zip(plan, streams, strict=True)
                 if [s["path"] for s in ours["subflows"]] != [s["path"] for s in its["subflows"]]]
    assert not different, "\n".join(different)

    def shares_agree() -> bool:
        # What the controller has measured changes all the time, and its shares follow at once.
        now = in_order(testbed)
        room = ACKNOWLEDGEMENTS * meetings(now)
        for ours, its in zip(planned()["connections"], now, strict=True):
            if abs(ours["expectedMbps"] - its["expectedUpMbps"]) > max(TOLERANCE * ours["expectedMbps"], room):
                raise LabError(f"{ours['expectedMbps']} planned for {its['id']}, {its['expectedUpMbps']} live")
        return True
    wait_for("the planner's shares", shares_agree, 60)

    def full_links_are_full() -> bool:
        """Of the links that limit a connection by the planner, one at least is full by the switches' counters.

        Not all of them: shares are unique, their parts by subflow are not, and kernels without agents choose other ones.
        """
        measured = {(link["source"].split("/")[0], link["target"].split("/")[0]):
                    (link["measuredMbps"] or 0) / link["capacityMbps"]
                    for link in testbed.onos.rest.get("/mptcp/links")["links"]}
        for connection in planned()["connections"]:
            limits = [(link["source"], link["target"]) for link in connection["limitedBy"]]
            if not limits and not connection["limitedByDemand"]:
                raise LabError(f"nothing limits {connection['id']}, says the planner")
            if limits and max(measured[limit] for limit in limits) < FULL:
                raise LabError(f"{connection['id']} is limited by {[(limit, measured[limit]) for limit in limits]}")
        return True
    wait_for("full links", full_links_are_full, 60)
