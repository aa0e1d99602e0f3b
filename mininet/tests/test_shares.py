# SPDX-License-Identifier: Apache-2.0
"""Shares that leave room on a transfer's paths are found, however much the machine carries."""

import pytest

from mptcplab import shares
from mptcplab.netcfg import device_id


def connection(expected, sent, *middles, way="Up", from_client=True):
    """A connection with a subflow over each of the middle switches of the diamond, from s1 to s5."""
    back = "Down" if way == "Up" else "Up"
    path = ["s1", "{}", "s5"] if from_client == (way == "Up") else ["s5", "{}", "s1"]
    return {"id": "c1", f"expected{way}Mbps": expected, f"measured{way}Mbps": sent,
            f"expected{back}Mbps": 0.1, f"measured{back}Mbps": 0.1,
            "subflows": [{"state": "active", "fromClient": from_client, "path": [device_id(s.format(middle)) for s in path],
                          f"expected{way}Mbps": expected / len(middles), f"expected{back}Mbps": 0.1 / len(middles)}
                         for middle in middles]}


def with_room(*connections, others=None):
    return shares.with_room(connections, lambda a, b: 10.0, others or {})


@pytest.mark.parametrize("way, from_client", [("Up", True), ("Up", False), ("Down", True), ("Down", False)])
def test_a_transfer_that_is_held_back_is_told_with_the_path(way, from_client):
    told = with_room(connection(6.0, 5.9, "s2", "s3", way=way, from_client=from_client))
    assert [line.split("on ")[1] for line in told] == ["s1 s2 s5", "s1 s3 s5"]
    assert "7.0 more are free" in told[0]


def test_paths_that_are_used_up_leave_no_room():
    assert with_room(connection(20.0, 19.0, "s2", "s3")) == []
    assert with_room(connection(10.0, 10.0, "s2"), connection(10.0, 9.5, "s3")) == []


def test_two_that_share_a_link_use_it_up_together():
    assert with_room(connection(5.0, 5.0, "s2"), connection(5.0, 5.0, "s2")) == []
    assert len(with_room(connection(4.0, 4.0, "s2"), connection(4.0, 4.0, "s2"))) == 2


def test_who_sends_less_than_its_share_has_a_smaller_demand():
    assert with_room(connection(6.0, 4.0, "s2")) == []


def test_other_traffic_leaves_no_room():
    assert with_room(connection(4.0, 4.0, "s2"), others={("s1", "s2"): 5.5}) == []
    assert len(with_room(connection(4.0, 4.0, "s2"), others={("s2", "s1"): 5.5})) == 1


def test_what_sends_next_to_nothing_or_has_no_path_is_no_transfer():
    assert with_room(connection(0.1, 0.1, "s2")) == []
    lost = connection(5.0, 5.0, "s2")
    lost["subflows"][0]["path"] = []
    assert with_room(lost) == []
    parked = connection(5.0, 5.0, "s2")
    parked["subflows"][0]["state"] = "backup"
    assert with_room(parked) == []
