# SPDX-License-Identifier: Apache-2.0
"""A firewall with two ports in the fabric, on the network ``firewall``. The link past it would be shorter; nothing takes it, and
what the firewall drops arrives nowhere."""

import crossing
from crossing import connects, count_segments, listening
from life import flows, transfer
from mptcplab.sampling import sent_bytes

ENDS = [("s1", "s5"), ("s6", "s6")]
BYPASS = ("s5", "s6")
BLOCKED = 5999


class CrossingFirewall(crossing.NoLess):
    """Past a firewall."""


def test_a_blocked_port_stays_blocked(testbed, delivery):
    network = testbed.network
    client, server = network.clients[0], network.servers[0]
    address = network.addresses(server)[0]

    def tries():
        for mptcp in (False, True):
            assert not connects(client, address, BLOCKED, seconds=2, mptcp=mptcp)
            assert connects(client, address, 5301, mptcp=mptcp)
    with listening(server, BLOCKED), listening(server, 5301):
        arrived = count_segments(server, lambda segment: segment.destination[1] == BLOCKED, tries)
    assert arrived == 0


def test_all_data_passes_the_firewall(testbed, delivery):
    network = testbed.network
    past, server, firewall = (network.interface(*ends) for ends in (BYPASS, ("s6", "h2"), ("s5", "r1")))
    with transfer(testbed) as running:
        crossing.wait_for_legs(testbed, ENDS)
        before = sent_bytes()
        flows(testbed, 10)
        now = sent_bytes()
        running.finish()
    arrived, seen, bypassed = (now[name] - before[name] for name in (server, firewall, past))
    assert seen > 0.9 * arrived
    assert bypassed < 0.05 * arrived
