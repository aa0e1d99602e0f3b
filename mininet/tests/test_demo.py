# SPDX-License-Identifier: Apache-2.0
"""The verdict of a demonstration: what passes, and what is reported as a problem."""

import copy
import time
from types import SimpleNamespace

import pytest

from mptcplab import demo
from mptcplab.errors import LabError
from mptcplab.netcfg import device_id


def connection(number, goodput=9.5, expected=10.0):
    client, server = f"10.0.0.{2 * number - 1}", f"10.0.0.{2 * number}"
    subflows = [{"src": f"10.0.{index}.{number}:4000", "dst": f"{server}:5201", "path": ["s1", "s2"],
                 "expectedMbps": expected / 2, "measuredMbps": goodput * 1.06 / 2} for index in range(2)]
    return {"id": f"c{number}", "client": client, "server": server, "goodputMbps": goodput, "expectedMbps": expected,
            "agent": False, "subflows": subflows}


def result(*connections):
    return {"connections": list(connections),
            "links": [{"source": "s1", "target": "s2", "capacityMbps": 10.0, "reservedMbps": 10.0}],
            "kernelSubflows": [{"local": s["src"], "remote": s["dst"]} for c in connections for s in c["subflows"]]}


GOOD = result(connection(1), connection(2), connection(3, goodput=0.0, expected=0.1))
"""Two transfers and the control connection of one."""


def test_what_is_as_promised_passes():
    assert demo.judge(GOOD, transfers=2, subflows=2) == []


def test_an_agent_opens_no_more_than_there_are_paths():
    good = result(dict(connection(1), agent=True), dict(connection(2), agent=True))
    assert demo.judge(good, transfers=2, subflows=3) == []
    assert len(demo.judge(good, transfers=2, subflows=1)) == 2


def test_a_transfer_below_its_share_passes_if_the_sum_is_there():
    assert demo.judge(result(connection(1, 4.0, 12.0), connection(2, 19.0, 12.0)), 2, 2) == []


def spoiled(change):
    bad = copy.deepcopy(GOOD)
    change(bad["connections"], bad)
    return bad


@pytest.mark.parametrize("change, says", [
    (lambda c, _: c.pop(0), "2 transfers ran, the application knows 1"),
    (lambda c, _: c[0].update(goodputMbps=0.0), "2 transfers ran, the application knows 1"),
    (lambda c, _: c[0].update(goodputMbps=0.9), "c1 carried 0.9 of the 10.0"),
    (lambda c, _: [s.update(measuredMbps=2.6) for one in c[:2] for s in one["subflows"]], "together carried 10.4 of the 20.0"),
    (lambda c, _: c[0].update(expectedMbps=0.0), "c1 transfers, and is expected to get nothing"),
    (lambda c, r: c[0]["subflows"].pop(), "c1 has 1 subflows, 2 were asked for"),
    (lambda c, _: c[0]["subflows"][0].update(path=[]), "has no path"),
    (lambda _, r: r["kernelSubflows"].pop(), "the application has a subflow"),
    (lambda _, r: r["kernelSubflows"].append({"local": "10.0.0.9:1", "remote": "10.0.0.2:2"}), "the kernel has a subflow"),
    (lambda _, r: r["links"][0].update(reservedMbps=10.1), "10.1 Mbit/s are reserved on s1 → s2, which has 10.0"),
])
def test_what_is_not_is_said(change, says):
    problems = demo.judge(spoiled(change), transfers=2, subflows=2)
    assert any(says in problem for problem in problems), problems


def looks(monkeypatch, *expected, seconds=0.2):
    """What the verdict says of a transfer at 4 Mbit/s on links of 10, whose share is ``expected`` at one look after the other;
    None if REST does not answer."""
    monkeypatch.setattr(demo, "_LOOK_EVERY", 0.01)
    rates = iter(expected)
    now = {"rate": None}

    def get(path):
        if path == "/mptcp/links":
            now["rate"] = next(rates, now["rate"])
            return {"links": [{"source": f"{device_id('s1')}/1", "target": f"{device_id('s2')}/1", "othersMbps": 0.0}]}
        if now["rate"] is None:
            raise LabError("ONOS does not answer")
        way = {"expectedUpMbps": now["rate"], "expectedDownMbps": 0.0}
        return {"connections": [{"id": "c1", "measuredUpMbps": 4.0, "measuredDownMbps": 0.1, **way, "subflows": [
            {"state": "active", "fromClient": True, "path": [device_id("s1"), device_id("s2")], **way}]}]}
    testbed = SimpleNamespace(onos=SimpleNamespace(rest=SimpleNamespace(get=get)),
                              network=SimpleNamespace(rate=lambda a, b: 10.0))
    begin = time.monotonic()
    return demo._unused_bandwidth(testbed, [SimpleNamespace(runs=lambda: True)], begin, begin + seconds)


def test_a_share_that_leaves_room_all_the_time_is_a_problem(monkeypatch):
    assert looks(monkeypatch, 4.0) == ["c1 sends 4.0 Mbit/s and is expected to get 4.0, but 6.0 more are free on s1 s2"]


def test_a_share_may_leave_room_until_demand_is_known(monkeypatch):
    assert looks(monkeypatch, None, 4.0, 4.0, 10.0, seconds=60) == []


def test_shares_that_cannot_be_read_are_a_problem(monkeypatch):
    assert looks(monkeypatch, None) == ["the application's shares could not be read"]
