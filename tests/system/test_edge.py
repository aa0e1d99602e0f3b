# SPDX-License-Identifier: Apache-2.0
"""An edge network: clients in the fabric, a router at one port, servers outside, on the network ``edge``. What goes on in the
fabric is managed up to the router's port, and an address outside belongs to nobody in the fabric."""

import pytest

import crossing
from conftest import tell
from crossing import NEARLY_ALL, connects, count_segments, listening
from life import transfer
from packets import Wire, announcement

ENDS = [("s1", "s5")]


class CrossingEdge(crossing.NoLess):
    """Servers outside."""


def test_paths_lead_to_the_routers_port_and_around_a_lost_link(testbed, delivery):
    with transfer(testbed) as running:
        before, = crossing.wait_for_legs(testbed, ENDS)
        crossing.assert_outlives(testbed, ("s1", "s3"))
        after, = crossing.wait_for_legs(testbed, ENDS)
        assert after["id"] == before["id"]
        running.finish()


def test_who_claims_an_outside_address_by_arp_gets_no_segment(testbed, delivery):
    network = testbed.network
    client, server, thief = network.clients[0], network.servers[0], network.net["u1"]
    address, port = network.addresses(server)[0], 5301

    def outside_still_answers():
        with Wire(thief) as wire:
            wire.send(announcement(thief.MAC(), address))
        for mptcp in (False, True):
            assert connects(client, address, port, mptcp=mptcp)
    with listening(server, port):
        stolen = count_segments(thief, lambda segment: segment.destination[0] == address, outside_still_answers)
    assert stolen == 0
    with transfer(testbed) as running:
        crossing.wait_for_legs(testbed, ENDS)
        running.finish()


@pytest.mark.long
def test_nearly_all_that_there_is_room_for_is_carried(testbed, capsys):
    ours = crossing.goodput(testbed)
    tell(capsys, f"{testbed.network.topology.name}: {ours}")
    assert ours.late >= NEARLY_ALL
