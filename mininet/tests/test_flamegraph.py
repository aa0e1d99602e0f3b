# SPDX-License-Identifier: Apache-2.0
"""Flame graphs: boxes as wide as their parts, callers below."""

import re
from xml.etree import ElementTree

import pytest
from mptcplab import flamegraph

STACKS = {"other:loop;application:Loop.run;application:Shares.of": 60, "other:loop;application:Loop.run;onos:Store.put": 20,
          "other:loop;application:Loop.run": 10, "other:net;onos:Switch.read": 10}


def boxes(text: str) -> dict[str, tuple[float, float, float]]:
    """Title → x, y and width."""
    space = "{http://www.w3.org/2000/svg}"
    return {group.find(f"{space}title").text: tuple(float(group.find(f"{space}rect").get(name)) for name in ("x", "y", "width"))
            for group in ElementTree.fromstring(text).findall(f"{space}g")}


def test_boxes_are_as_wide_as_their_parts_and_stand_on_their_callers():
    found = boxes(flamegraph.svg("what <ran>", STACKS))
    assert set(found) == {"loop: 90.0 %", "net: 10.0 %", "Loop.run: 90.0 %", "Shares.of: 60.0 %", "Store.put: 20.0 %",
                          "Switch.read: 10.0 %"}
    for title, (_, _, width) in found.items():
        assert width == pytest.approx(12 * float(re.search(r"([\d.]+) %", title)[1]), abs=0.6)
    (left, below, wide), (x, y, width) = found["Loop.run: 90.0 %"], found["Shares.of: 60.0 %"]
    assert left <= x and x + width <= left + wide and y < below


def test_boxes_too_narrow_to_see_are_left_out():
    assert set(boxes(flamegraph.svg("t", {"other:a": 1, "other:b": 9999}))) == {"b: 100.0 %"}


def test_nothing_is_drawn_of_nothing():
    assert not boxes(flamegraph.svg("t", {}))
