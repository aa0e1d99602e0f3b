# SPDX-License-Identifier: Apache-2.0
"""A cluster of three ONOS nodes: one decides, all see, and the next one goes on with the same connections."""

from collections.abc import Iterator

import pytest

from nodes import SUBFLOWS, cluster_of, data, routes
from mptcplab import demo, topology
from mptcplab.errors import LabError
from mptcplab.netcfg import device_id
from mptcplab.processes import wait_for
from mptcplab.testbed import Testbed
from mptcplab.transfer import Transfer

_SECONDS = 600


@pytest.fixture(scope="module")
def testbed() -> Iterator[Testbed]:
    """A cluster of its own; the tests use it one after the other, and the second one kills a node."""
    with Testbed(topology.load("diamond"), nodes=3) as running:
        demo.configure(running.onos, strategy="widest-disjoint")
        yield running


@pytest.fixture(scope="module")
def transfer(testbed: Testbed) -> Iterator[Transfer]:
    running = testbed.transfer(seconds=_SECONDS)
    yield running
    running.stop()


def test_a_connection_between_switches_of_different_masters_gets_disjoint_paths(testbed: Testbed, transfer: Transfer) -> None:
    cluster = cluster_of(testbed)
    masters = cluster.masters()
    first, last = (device_id(switch) for switch in testbed.network.topology.pair(0))
    assert masters[first] != masters[last]
    connection = wait_for("three paths and their shares", lambda: data(testbed), 60)
    middles = [path[1] for path in routes(connection).values()]
    assert len(set(middles)) == SUBFLOWS
    # Every node tells the same, and who decides.
    leader = cluster.leader()
    for node in cluster.nodes:
        def same(node: object = node) -> bool:
            told = node.rest.get("/mptcp/cluster")  # type: ignore[attr-defined]
            seen = node.rest.get("/mptcp/connections")["connections"]  # type: ignore[attr-defined]
            if told["leader"] != leader or not any(c["id"] == connection["id"] and routes(c) == routes(connection) for c in seen):
                raise LabError(f"{told} {seen}")
            return bool(0 <= told["ageMillis"] <= 5000)
        wait_for("the same answer of every node", same, 30)
    counters = cluster.node(leader).counters()
    assert counters["relay.received"] > 0
    assert counters["relay.refused"] == 0


def test_the_next_leader_goes_on_with_the_same_connections_and_paths(testbed: Testbed, transfer: Transfer) -> None:
    cluster = cluster_of(testbed)
    before = wait_for("three paths and their shares", lambda: data(testbed), 60)
    killed = cluster.leader()
    cluster.kill(killed)

    def goes_on() -> bool:
        told = cluster.alive()[0].rest.get("/mptcp/cluster")
        if told["leader"] in (None, killed) or not 0 <= told["ageMillis"] <= 2000:
            raise LabError(str(told))
        after = data(testbed)
        if after["id"] != before["id"] or routes(after) != routes(before):
            raise LabError(f"{after['id']} {routes(after)}, before {before['id']} {routes(before)}")
        return True
    wait_for("the same connection and paths at the next leader", goes_on, 60)
    assert transfer.runs()
