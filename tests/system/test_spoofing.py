# SPDX-License-Identifier: Apache-2.0
"""A host's port speaks for nobody else: what it forges is forwarded and counted, and opens and ends no connection."""

import contextlib
import time

import pytest

from conftest import active, all_tcp_at_the_controller, connections, counters
from mptcplab.processes import wait_for
from packets import ACK, FIN, RST, SYN, Wire, frame
from pairs import MACS, OPTIONS, SERVER, Pair

HANDSHAKES = 30
SECONDS = 3
"""Longer than ONOS waits for the host whose MAC address is forged."""

PORTS = range(9000, 9000 + HANDSHAKES)
MIDSTREAM = range(9500, 9500 + HANDSHAKES)
"""Below those that a kernel chooses for the connections of other tests (``short_connections.prepare``): these are listed, too."""


@pytest.fixture
def forger(testbed):
    with Wire(testbed.network.net["u1"]) as wire:
        yield wire


@pytest.fixture(params=["copying", "all-tcp"])
def delivery(request, testbed):
    """How TCP comes to the controller; connections get their paths at once."""
    with managed_at_once(testbed) if request.param == "copying" else all_tcp_at_the_controller(testbed, manageAfterMillis=0):
        yield request.param


@pytest.mark.parametrize("whose", ["its-own-mac", "the-others-mac"])
def test_one_port_forges_no_handshakes_between_others(testbed, forger, delivery, whose):
    network = testbed.network
    client, server = network.clients[0], network.servers[0]
    at = {host: network.addresses(host)[0] for host in (client, server)}
    before, known = counters(testbed), locations(testbed, client, server)
    with Wire(server) as listener:
        for number, (port, other) in enumerate(zip(PORTS, MIDSTREAM)):
            for source, destination, flags, numbers, options in (
                    (client, server, SYN, (1000, 0), OPTIONS[0]),
                    (server, client, SYN | ACK, (5000, 1001), OPTIONS[1]),
                    (client, server, ACK, (1001, 5001), OPTIONS[2]),
                    (client, server, ACK, (100, 200), b""),
                    (server, client, ACK, (200, 100), b"")):
                ends = {client: (at[client], port if options else other), server: (at[server], 5999)}
                mac = source.MAC() if whose == "the-others-mac" else network.net["u1"].MAC()
                forger.send(frame((mac, destination.MAC()), ends[source], ends[destination], flags, sequence=numbers[0],
                                  acknowledgement=numbers[1], options=options))
            if number == 0:
                assert listener.wait_for(lambda s: s.source == (at[client], PORTS[0]) and s.flags == SYN), "not forwarded"
            time.sleep(SECONDS / HANDSHAKES)
    # Of a copying switch SYNs come for certain.
    wait_for("counted", lambda: counters(testbed)["spoofed"] >= before["spoofed"] + 2 * HANDSHAKES, 10)
    now = counters(testbed)
    for name in ("established.capable-v1", "established.plain", "midstream.confirmed"):
        assert now[name] == before[name], name
    assert not [s for c in connections(testbed) for s in c["subflows"] if s["src"].split(":")[0] == at[client]
                and int(s["src"].split(":")[1]) in PORTS]
    assert locations(testbed, client, server) == known
    assert any(name.startswith("spoofed.of:") for name in now)


def test_a_forged_end_ends_no_connection(testbed, forger):
    network = testbed.network
    with contextlib.ExitStack() as after:
        wires = [after.enter_context(Wire(host)) for host in (network.clients[0], network.servers[0])]
        after.callback(forget_made_up_hosts, testbed)
        pair = Pair(testbed, wires)
        wait_for("ONOS knows the hosts", pair.announce, 20, every=0.5)
        after.enter_context(managed_at_once(testbed, idleSeconds=60))
        client = pair.handshake()
        source, destination = client, (SERVER, 5201)
        id_ = wait_for("the connection", lambda: managed(testbed, client), 20)["id"]
        before = counters(testbed)
        for flags in (RST, FIN | ACK):
            forger.send(frame((network.net["u1"].MAC(), MACS[1]), source, destination, flags, 1001, 5001))
            forger.send(frame((network.net["u1"].MAC(), MACS[0]), destination, source, flags, 5001, 1001))
        wait_for("counted", lambda: counters(testbed)["spoofed"] >= before["spoofed"] + 4, 10)
        # Ends count at the second reading of the switches' counters; this connection is silent.
        gone = time.monotonic() + 8
        while time.monotonic() < gone:
            assert managed(testbed, client), testbed.onos.rest.get(f"/mptcp/connections/{id_}/events")
            time.sleep(0.5)
        wires[0].send(frame(MACS, source, destination, RST, 1001, 0))
        wait_for("its own end", lambda: id_ not in {c["id"] for c in active(testbed)}, 20)


def managed(testbed, client):
    return next((c for c in active(testbed) if c["subflows"][0]["src"] == f"{client[0]}:{client[1]}"), None)


@contextlib.contextmanager
def managed_at_once(testbed, **settings):
    settings["manageAfterMillis"] = 0
    before = {name: testbed.onos.settings()[name] for name in settings}
    testbed.onos.configure(**settings)
    try:
        yield
    finally:
        testbed.onos.configure(**before)


def locations(testbed, *which):
    macs = {host.MAC().lower() for host in which}
    return sorted((h["mac"].lower(), [(p["elementId"], p["port"]) for p in h["locations"]])
                  for h in testbed.onos.rest.get("/hosts")["hosts"] if h["mac"].lower() in macs)


def forget_made_up_hosts(testbed):
    for host in testbed.onos.rest.get("/hosts")["hosts"]:
        if host["mac"].lower() in MACS:
            testbed.onos.rest.delete(f"/hosts/{host['mac']}/{host['vlan']}")
