# SPDX-License-Identifier: Apache-2.0
"""What real transfers carry on a machine that has nothing else to do (long): a part of what the links have room for."""

import pytest

from life import PAYLOAD
from mptcplab import demo

pytestmark = [pytest.mark.long, pytest.mark.timed]

LEAST = 0.85
"""Of the payload for which there is room: a transfer begins slowly, and its paths are set up meanwhile."""

UDP_MBPS = 7
UDP_ON_THE_WIRE_MBPS = UDP_MBPS * 1442 / 1400


@pytest.mark.parametrize("strategy, options, room", [
    ("widest-disjoint", {}, 30), ("multiflow", {}, 30), ("shortest", {}, 10), ("widest-disjoint", {"connections": 3}, 30),
    ("widest-disjoint", {"udp": UDP_MBPS}, 30 - UDP_ON_THE_WIRE_MBPS)],
    ids=["three-paths", "multiflow", "shortest", "three-transfers", "beside-udp"])
def test_nearly_all_that_there_is_room_for_is_carried(testbed, strategy, options, room):
    demo.configure(testbed.onos, strategy=strategy)
    result, problems = demo.demonstrate(testbed, seconds=15, subflows=3, **options)
    assert not problems
    carried = sum(one["goodputMbps"] for one in result["connections"])
    assert LEAST * PAYLOAD * room <= carried <= PAYLOAD * room + 0.1
