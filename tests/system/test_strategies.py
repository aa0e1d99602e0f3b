# SPDX-License-Identifier: Apache-2.0
"""Strategies changed while connections live: by component configuration and by a policy."""

import pytest

from conftest import connections
from mptcplab import demo
from mptcplab.processes import wait_for
from mptcplab.transfer import IPERF_PORT, Transfer

_POLICIES = "/network/configuration/apps/org.subflow.mptcp/mptcp"
_SUBFLOWS = 3


@pytest.fixture
def policies(testbed):
    """POSTs a list of policies; without any again afterwards."""
    rest = testbed.onos.rest
    yield lambda *these: rest.post(_POLICIES, {"policies": list(these)})
    rest.delete(_POLICIES)


def test_a_strategy_chosen_at_run_time_leaves_living_connections_where_they_are(testbed, policies):
    seconds = 40
    running = [start(testbed, seconds, 0)]
    try:
        first = routed(testbed, "widest-disjoint")
        assert len(set(first.values())) == _SUBFLOWS

        demo.configure(testbed.onos, strategy="shortest")
        running.append(start(testbed, seconds, 1))
        second = routed(testbed, "shortest")
        assert len(set(second.values())) == 1

        policies({"name": "flow", "ports": [IPERF_PORT + 2], "strategy": "multiflow"})
        running.append(start(testbed, seconds, 2))
        third = routed(testbed, "multiflow")
        assert len(set(third.values())) == _SUBFLOWS

        assert all(transfer.runs() for transfer in running), "otherwise nothing was shown"
        assert routed(testbed, "widest-disjoint") == first
        assert routed(testbed, "shortest") == second
    finally:
        for transfer in running:
            transfer.stop()


def start(testbed, seconds, number):
    network = testbed.network
    client, server = network.clients[0], network.servers[0]
    return Transfer(client, server, network.addresses(server)[0], seconds, IPERF_PORT + number)


def routed(testbed, strategy):
    """The paths of the connection with that strategy that carries data, by its subflows' source, once all have one."""
    def look():
        for connection in connections(testbed):
            paths = {s["src"]: tuple(s["path"]) for s in connection["subflows"] if s["state"] == "active"}
            # iperf3's control connection is a connection of its own, with as many subflows and hardly any data.
            carries_data = max(connection["measuredUpMbps"], connection["measuredDownMbps"]) > 1
            if connection["strategy"] == strategy and carries_data and len(paths) == _SUBFLOWS:
                return paths
        return None
    return wait_for(f"a connection by {strategy} with {_SUBFLOWS} subflows that carries data", look, 30)
