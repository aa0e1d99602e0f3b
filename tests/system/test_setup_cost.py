# SPDX-License-Identifier: Apache-2.0
"""The cost of setting up a connection through the application, compared with plain forwarding between the same hosts."""

import statistics

import pytest

from conftest import active, counters, tcp_rules, tell
from mptcplab.hosts import listens
from mptcplab.onos import APPLICATION
from mptcplab.processes import end_group, wait_for
from programs import MPTCP, TCP
from test_soak import program, started

pytestmark = [pytest.mark.long, pytest.mark.timed]

PORTS = {TCP: 7001, MPTCP: 7002}
COUNT = 50
HELD_OPEN_BYTES = 10_000_000


@pytest.fixture
def servers(testbed):
    running = [started(testbed.network.servers[0], "server", protocol, port) for protocol, port in PORTS.items()]
    wait_for("the servers", lambda: all(listens(testbed.network.servers[0], port) for port in PORTS.values()), 20)
    yield
    for one in running:
        end_group(one)


def test_set_up_cost(testbed, servers, capsys):
    wait_for("no rule of an earlier connection", lambda: not tcp_rules(testbed), 60)
    ours = {protocol: latencies(testbed, protocol) for protocol in PORTS}
    rules = counters(testbed)
    rest = testbed.onos.rest
    rest.delete(f"/applications/{APPLICATION}/active")
    try:
        wait_for("no rule of the application", lambda: not tcp_rules(testbed), 30)
        plain = {protocol: latencies(testbed, protocol) for protocol in PORTS}
    finally:
        rest.post(f"/applications/{APPLICATION}/active", kind=None)
        wait_for("the application", lambda: testbed.onos.settings(), 60)
    for protocol, name in ((TCP, "TCP"), (MPTCP, "MPTCP")):
        tell(capsys, f"{name}: SYN to established, median of {COUNT}: {statistics.median(ours[protocol]):.1f} ms through the "
                     f"application, {statistics.median(plain[protocol]):.1f} ms by plain forwarding")
    tell(capsys, f"handshake's end to rules in the switches, {rules['rules.subflows']} subflows: median "
                 f"{rules['rules.median-micros'] / 1000:.0f} ms, 95th percentile {rules['rules.p95-micros'] / 1000:.0f} ms")
    assert statistics.median(ours[MPTCP]) < 500
    assert rules["rules.median-micros"] < 1_000_000


def test_rules_per_connection(testbed, servers, capsys):
    network = testbed.network
    before = len(tcp_rules(testbed))
    # Held open by the bytes it has to carry over 10 Mbit/s links.
    client = started(network.clients[0], "many", MPTCP, network.addresses(network.servers[0])[0], PORTS[MPTCP], 1, 1,
                     HELD_OPEN_BYTES)
    try:
        wait_for("three subflows", lambda: [len(c["subflows"]) for c in active(testbed)] == [3], 20)
        connection = active(testbed)[0]
        expected = sum(2 * len(subflow["path"]) for subflow in connection["subflows"])
        wait_for(f"{expected} rules", lambda: len(tcp_rules(testbed)) - before == expected, 20)
        tell(capsys, f"rules of a connection with three subflows on {network.topology.name}: {expected}")
        assert client.wait(timeout=60) == 0
    finally:
        end_group(client)


def latencies(testbed, protocol):
    network = testbed.network
    client, server = network.clients[0], network.servers[0]
    # The forwarder's own rules between the hosts are there before, as in any network with traffic.
    network.ping(client, network.addresses(client)[0], network.addresses(server)[0])
    return program(client, "latency", protocol, network.addresses(server)[0], PORTS[protocol], COUNT)
