# SPDX-License-Identifier: Apache-2.0
"""Policies in ONOS's network configuration, over REST, for real connections."""

import json

import pytest

from conftest import active, connections, counters, quiet, reserved
from life import established, flows, transfer
from mptcplab.errors import LabError
from mptcplab.openvswitch import keeps_syns
from mptcplab.processes import wait_for
from mptcplab.sampling import kernel_connections
from sharing import allocated, assert_no_rate_is_odd, capacity, expecting, over, transfers

POLICIES = "/network/configuration/apps/org.subflow.mptcp/mptcp"


@pytest.fixture
def policies(testbed):
    """Sets policies; afterwards there are none."""
    yield lambda *listed: testbed.onos.rest.post(POLICIES, {"policies": list(listed)})
    testbed.onos.rest.delete(POLICIES)


def test_policies_hold_for_connections_that_begin(testbed, policies):
    good = ({"name": "heavy", "ports": [5201], "weight": 2},
            {"name": "modest", "ports": [5203], "capMbps": 3, "strategy": "shortest", "subflows": 2},
            {"name": "choosy", "ports": [5204], "whenShort": "refuse", "minMbps": 25},
            {"name": "alone", "ports": [5205], "managed": False})
    policies(*good)
    assert_bad_policies_change_nothing(testbed, policies, list(good))
    before = counters(testbed)
    with transfers(testbed, [5201, 5202, 5203], seconds=60):
        def shared():
            heavy, light, modest = (expecting(testbed, port, least=1) for port in (5201, 5202, 5203))
            alike = heavy and light and modest and abs(heavy["expectedUpMbps"] - 2 * light["expectedUpMbps"]) < 0.5
            return (heavy, light, modest) if alike and light["expectedUpMbps"] > 8 else None
        heavy, light, modest = wait_for("twice the share for twice the weight", shared, 20)
        assert [c["policy"] for c in (heavy, light, modest)] == ["heavy", None, "modest"]
        assert modest["strategy"] == "shortest" and len({tuple(s["path"]) for s in modest["subflows"]}) == 1
        assert 2.9 <= modest["expectedUpMbps"] <= 3.001
        assert_no_rate_is_odd(testbed)
        with transfers(testbed, [5204, 5205], seconds=3) as left_alone:
            for transfer in left_alone:
                transfer.finish()
                assert transfer.goodput() > 0
        after = counters(testbed)
        assert after["policy.refused"] >= before["policy.refused"] + 2, "iperf3's two connections"
        assert after["policy.unmanaged"] >= before["policy.unmanaged"] + 2
        assert not [c for c in connections(testbed) if c["subflows"][0]["dst"].endswith((":5204", ":5205"))]


def test_a_policy_bounds_the_subflows_that_a_kernel_opens(testbed, policies):
    policies({"name": "two", "ports": [5206], "mostSubflows": 2, "joinPolicy": "block"})
    if testbed.is_copying:
        wait_for("SYNs kept by the client's switch", lambda: keeps_syns(testbed.network.topology.pair(0)[0]), 20)
    with transfers(testbed, [5206, 5207], seconds=30):
        def opened():
            return [max((len(subflows) for _, subflows in kernel_connections(testbed.network.clients[0], port)), default=0)
                    for port in (5206, 5207)]
        wait_for("three subflows of the other one", lambda: opened()[1] == 3, 20)
        assert opened()[0] == 2


def assert_bad_policies_change_nothing(testbed, policies, good):
    for bad, says in [({"name": "x", "wight": 2}, "wight"), ({"name": "x", "weight": 0}, "weight"),
                      ({"name": "x", "weight": -1}, "weight"), ({"name": "x", "capMbps": "much"}, "capMbps"),
                      ({"name": "x", "ports": [5201], "weight": 3}, "'heavy' and 'x' disagree"),
                      ({"name": "x", "servers": ["10.0.0.2"], "ports": [5201]}, "'x'"),
                      ({"name": "x", "hosts": ["10.0.0.0/33"]}, "hosts")]:
        with pytest.raises(LabError, match=f"400.*{says}"):
            policies(*good, bad)
    with pytest.raises(LabError, match="'x' and 'y' disagree"):
        policies({"name": "x", "hosts": ["10.0.0.0/24"], "weight": 2}, {"name": "y", "hosts": ["10.0.0.0/24"]})
    # A whole configuration at once is answered with 207 (Multi-Status) and the messages.
    answer = testbed.onos.rest.post("/network/configuration",
                                    {"apps": {"org.subflow.mptcp": {"mptcp": {"policies": [{"name": "x", "wight": 2}]}}}})
    assert answer["code"] == 207 and "wight" in answer["message"][0]
    assert testbed.onos.rest.get(POLICIES) == {"policies": good}


@pytest.mark.usefixtures("policies")
def test_the_command_line_adds_and_removes_policies(testbed):
    shell = testbed.onos.shell
    heavy = {"name": "heavy", "servers": ["10.0.0.2"], "ports": [5201, "5204-5209"], "weight": 2.5}
    modest = {"name": "modest", "ports": [5203], "strategy": "shortest", "subflows": 2, "capMbps": 3}
    shell("mptcp-policy-add --ports 5203 --strategy shortest --subflows 2 --capMbps 3 modest")
    added = shell("mptcp-policy-add --before modest --servers 10.0.0.2 --ports 5201 --ports 5204-5209 --weight 2.5 heavy")
    assert "number 1 of 2" in added
    for wrong in ("add --weight 0 x", "add --ports 5203 x", "add modest", "add --before nobody x", "remove nobody"):
        with pytest.raises(LabError, match=f"mptcp-policy-{wrong}: .+"):
            shell(f"mptcp-policy-{wrong}")
    assert testbed.onos.rest.get(POLICIES) == {"policies": [heavy, modest]}
    wait_for("both in force", lambda: in_force(testbed) == ["heavy", "modest"], 10)
    assert json.loads(shell("mptcp-policy-remove -j heavy")) == [modest]
    wait_for("one in force", lambda: in_force(testbed) == ["modest"], 10)


def in_force(testbed):
    return [policy["name"] for policy in json.loads(testbed.onos.shell("mptcp-policies -j"))]


def test_as_many_subflows_as_the_policy_says_are_expected(testbed, policies):
    """Three paths of 10 Mbit/s have room for 25, two have not."""
    policies({"name": "two", "ports": [5204], "subflows": 2, "whenShort": "refuse", "minMbps": 25},
             {"name": "three", "ports": [5205], "subflows": 3, "whenShort": "refuse", "minMbps": 25})
    refused = counters(testbed)["policy.refused"]
    with transfer(testbed, port=5204) as running:
        flows(testbed)
        assert counters(testbed)["policy.refused"] == refused + 1 and not active(testbed)
        running.finish()
    # What the first has sent the plain way is other traffic, for which capacity is short, too.
    wait_for("no other traffic", lambda: not any(one["othersMbps"] for one in testbed.onos.rest.get("/mptcp/links")["links"]), 20)
    with transfer(testbed, port=5205) as running:
        assert established(testbed, 3)["policy"] == "three"
        running.finish()
    assert counters(testbed)["policy.refused"] == refused + 1


def test_a_join_without_a_disjoint_path_follows_the_policy(testbed, policies):
    policies({"name": "spare", "joinPolicy": "backup"})
    # Two paths for three subflows.
    with capacity(testbed, "s1", "s2", 0), transfers(testbed, [5201], seconds=30):
        def parked():
            one = expecting(testbed, 5201, least=10)
            return one if one and sorted(s["state"] for s in one["subflows"]) == ["active", "active", "backup"] else None
        one = wait_for("two subflows and a backup", parked, 20)
        spare = next(s for s in one["subflows"] if s["state"] == "backup")
        assert spare["expectedUpMbps"] == 0 and one["policy"] == "spare"
        assert not over({"subflows": [s for s in one["subflows"] if s is not spare]}, "s2")
    quiet(testbed)
    assert not reserved(testbed) and not allocated(testbed)
