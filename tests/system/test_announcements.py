# SPDX-License-Identifier: Apache-2.0
"""MP_ET on real kernels: a host that is registered and whose agent is silent gets the expected throughput of each subflow in
segments through its own switch, which its kernel does not notice."""

import time
from collections.abc import Iterator

import pytest

from life import SUBFLOWS, TIMEOUT, data_connection, established, flows, transfer
from mptcpagent import subflow
from mptcpagent.announced import Announced, Listener
from mptcplab.agents import Agents
from mptcplab.errors import LabError
from mptcplab.processes import wait_for
from mptcplab.rest import quote
from mptcplab.sampling import kernel_connections
from mptcplab.testbed import Testbed
from two_hosts import entered

PORT = 5201


@pytest.fixture
def announced(testbed: Testbed) -> Iterator[Announced]:
    """What the first client hears."""
    client = testbed.network.clients[0]
    token = Agents(testbed).register(client)
    with entered(client.pid):
        listener = Listener()
    testbed.onos.configure(announceSeconds=1)
    try:
        yield Announced(listener.packets, lambda: token, time.monotonic)
    finally:
        testbed.onos.configure(announceSeconds=0)
        testbed.onos.rest.delete(f"/mptcp/agents/{quote(testbed.network.addresses(client)[0])}")


def test_the_client_hears_what_each_subflow_is_expected_to_get(testbed, announced):
    with transfer(testbed) as running:
        begun = established(testbed, SUBFLOWS)

        def heard() -> bool:
            expected = {subflow.parse(s["src"], s["dst"]): s["expectedUpMbps"] for s in data_connection(testbed)["subflows"]}
            limits = announced.limits()
            if set(limits) != set(expected) or any(abs(limits[ends] - expected[ends]) > 0.1 for ends in limits):
                raise LabError(f"announced {sorted(limits.values())}, expected {sorted(expected.values())}")
            return True
        wait_for("the throughputs of all subflows", heard, TIMEOUT)
        flows(testbed)
        subflows = [found for _, found in kernel_connections(testbed.network.clients[0], PORT)]
        assert [len(found) for found in subflows] == [SUBFLOWS]
        assert data_connection(testbed)["id"] == begun["id"]
        running.finish()
