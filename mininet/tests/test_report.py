# SPDX-License-Identifier: Apache-2.0
"""What a demonstration prints of its connections."""

import pytest

from mptcplab import report, topology
from mptcplab.netcfg import device_id

NAMES = {"00:00:00:00:00:01": "h1", "00:00:00:00:00:fe": "r1", "00:00:00:00:00:02": "h2"}


def connection(source="00:00:00:00:00:01/None", target="00:00:00:00:00:FE/None", disjoint=("link", "node"), **more):
    def subflow(port, **other):
        return {"src": f"10.0.0.1:{port}", "dst": "10.1.0.2:5201", "srcHost": source, "dstHost": target,
                "path": [device_id("s1"), device_id("s2")], "bottleneckMbps": 10.0, "expectedUpMbps": 9.5,
                "expectedDownMbps": 0.1, "state": "active", "delayMillis": None, "backup": False, **other}
    seen = {"id": "c1", "client": "10.0.0.1", "server": "10.1.0.2", "agent": True, "disjointIn": list(disjoint),
            "deniesJoins": False, "subflows": [subflow(4000), subflow(4001), subflow(4002, state="backup", backup=True)], **more}
    seen["subflows"][0]["delayMillis"] = 2.5
    return report.connection(seen, {}, 9.0, NAMES)


def text(one, network):
    return report.text({"connections": [one], "links": []}, topology.load(network)).splitlines()


def test_a_leg_is_told_by_its_hosts():
    assert "   leg h1 → r1, paths disjoint in link, node" in text(connection(), "routed")
    far = connection(source="00:00:00:00:00:FE/None", target="00:00:00:00:00:02/None", disjoint=(), deniesJoins=True)
    assert ("   leg r1 → h2, paths disjoint in nothing, the server takes no further subflows at this address and port"
            in text(far, "routed"))


def test_the_agent_of_a_connection_is_told_at_its_other_leg():
    first = connection()
    second = connection(source="00:00:00:00:00:FE/None", target="00:00:00:00:00:02/None", id="c1-2", agent=False)
    lines = report.text({"connections": [first, second], "links": []}, topology.load("routed")).splitlines()
    ends = [line.split("wire ")[1] for line in lines if line.startswith(" connection ")]
    assert ends == ["28.5", "28.5, its agent takes part in leg c1"]


def test_a_connection_without_an_agent_at_any_leg_has_none():
    lines = report.text({"connections": [connection(agent=False), connection(id="c1-2", agent=False)], "links": []},
                        topology.load("routed")).splitlines()
    assert [line.split(", ")[-1] for line in lines if line.startswith(" connection ")] == ["no agent", "no agent"]


def test_without_a_router_there_are_no_legs():
    lines = text(connection(target="00:00:00:00:00:02/None"), "diamond")
    assert "   paths disjoint in link, node" in lines
    assert not any("leg " in line for line in lines)


def test_hosts_that_no_frame_has_shown_are_not_told():
    assert "   paths disjoint in link, node" in text(connection(source=None, target=None), "routed")


def test_delays_and_backups_stand_beside_the_state():
    states = [line.split()[-1] if "," not in line else line[line.rindex("  ") + 2:] for line in text(connection(), "routed")
              if "5201" in line]
    assert states == ["active, 2.5 ms", "active", "backup, a host wants it as a backup"]


@pytest.mark.parametrize("stolen, marked", [(0.0, False), (3.0, False), (3.1, True)])
def test_stolen_time_is_told_and_marked_if_it_is_much(stolen, marked):
    told = report.text({"connections": [], "links": [], "run": {"load": 2.0, "stolenPercent": stolen}}, topology.load("diamond"))
    assert f"load of the machine 2.0 before, {stolen} % of the processors' time stolen" in told and ("marked: " in told) == marked


def test_the_json_has_what_the_contract_has():
    one, = report.contract({"connections": [connection()], "links": []})["connections"]
    assert set(one) == {"id", "client", "server", "direction", "agent", "goodputMbps", "expectedMbps", "subflows", "samples"}
    assert {frozenset(s) for s in one["subflows"]} == {frozenset((
        "src", "dst", "path", "bottleneckMbps", "expectedMbps", "measuredMbps", "state"))}


def test_paths_within_a_switch_are_not_called_disjoint():
    one = connection(disjoint=())
    for s in one["subflows"]:
        s["path"] = ["s6"]
    assert "   leg h1 → r1, paths within one switch" in text(one, "routed")
