# SPDX-License-Identifier: Apache-2.0
"""A hundred thousand mutated segments through Open vSwitch and ONOS: no exception, no growing heap, all switches connected.

What contradicts the packet's own length is left out: ONOS's OpenFlow handler (seen with 2.5.6) fails on it before any
application sees it, see test_malformed.py.
"""

import random

import pytest

from conftest import Heap, all_tcp_at_the_controller, connections, counters, tell
from life import TCP, packet_ins
from mptcplab import demo
from mptcplab.processes import wait_for
from packets import ACK, FIN, RST, SYN, Wire, frame

pytestmark = pytest.mark.long

FRAMES, BATCH = 100_000, 500
CAPABLE, JOIN = bytes.fromhex("1e040101"), bytes.fromhex("1e0c1001deadbeefcd32766a")
SEEDS = (CAPABLE, JOIN, bytes.fromhex("1e0c0101") + bytes(8), bytes.fromhex("1e140101") + bytes(16),
         bytes.fromhex("1e181000") + bytes(20), bytes.fromhex("1e0820010000000000000000"), bytes.fromhex("020405b40402"), b"")
KINDS = (SYN, SYN, SYN | ACK, ACK, ACK, RST, FIN | ACK, SYN | FIN, 0)


def test_mutated_segments_through_switch_and_controller(testbed, capsys):
    network, chance = testbed.network, random.Random(20260101)
    client, server = network.clients[0], network.servers[0]
    before, heap_before, log = counters(testbed), Heap(testbed), len(testbed.onos.log())
    with all_tcp_at_the_controller(testbed), Wire(client) as here, Wire(server) as there:
        punted_before = packet_ins(testbed, *TCP)
        ends = ((here, (client.MAC(), server.MAC()), "10.0.0.1", "10.0.0.2"),
                (there, (server.MAC(), client.MAC()), "10.0.0.2", "10.0.0.1"))
        for done in range(0, FRAMES, BATCH):
            for _ in range(BATCH):
                wire, macs, source, destination = chance.choice(ends)
                wire.send(mutated(chance, macs, source, destination))
            # Not faster than the controller takes them: a segment that the switch drops tests nothing.
            wait_for(f"{done} segments, as far as no rule carries them, at the controller",
                     lambda: seen(testbed, before) > 0.9 * (packet_ins(testbed, *TCP) - punted_before), 60, every=0.02)
    now = counters(testbed)
    wait_for("handshakes forgotten", lambda: counters(testbed)["table.handshakes"] == 0, 60)
    heap = Heap(testbed)
    said = testbed.onos.log()[log:]
    tell(capsys, f"{FRAMES} mutated segments, {seen(testbed, before)} came to the tracker, "
                 f"{sum(now[c] - before[c] for c in now if c.startswith('malformed'))} malformed options, live heap "
                 f"{heap_before} before, {heap} after")
    assert " ERROR " not in said and "Exception" not in said, said[-3000:]
    assert all(device["available"] for device in testbed.onos.rest.get("/devices")["devices"])
    assert seen(testbed, before) > FRAMES / 3
    assert len(connections(testbed)) < 1000
    assert heap.live < 1.1 * heap_before.live, heap.growth(heap_before)
    result, problems = demo.demonstrate(testbed, seconds=8, subflows=3)
    assert not problems
    assert len(result["connections"][0]["subflows"]) == 3


def mutated(chance, macs, source, destination):
    """A segment with random parts. Half of the ports come from a small range, so that segments hit handshakes of others."""
    options = bytearray(chance.choice(SEEDS) + chance.choice((b"", b"", chance.choice(SEEDS)[:12])))[:36]
    for _ in range(chance.randrange(3)):
        if options:
            options[chance.randrange(len(options))] = chance.randrange(256)
    ports = [5201, chance.randrange(40000, 40064) if chance.random() < 0.5 else chance.randrange(20000, 60000)]
    if source == "10.0.0.1":
        ports.reverse()
    return frame(macs, (source, ports[0]), (destination, ports[1]), chance.choice(KINDS) | chance.choice((0, 0, 0, 8, 32)),
                 sequence=chance.choice((1000, 1001, 5000, 5001, chance.getrandbits(32))),
                 acknowledgement=chance.choice((1000, 1001, 5000, 5001, chance.getrandbits(32))), options=bytes(options),
                 payload=chance.randbytes(chance.choice((0, 0, 1, 40))))


def seen(testbed, before):
    return counters(testbed)["segments"] - before["segments"]
