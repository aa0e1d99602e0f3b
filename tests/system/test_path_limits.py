# SPDX-License-Identifier: Apache-2.0
"""Delays and shared-risk link groups that ONOS's network configuration states, and policies about them, for real connections."""

import contextlib

import pytest

from conftest import active
from life import TIMEOUT, paths, transfer
from mptcplab import netcfg
from mptcplab.errors import LabError
from mptcplab.processes import wait_for
from mptcplab.rest import quote

POLICIES = "/network/configuration/apps/org.subflow.mptcp/mptcp"
DAY_MILLIS = 86_400_000
FREE, NEAR, DIVERSE, ALONE = 5201, 5202, 5203, 5204
"""Ports of connections without conditions, with the default ones, disjoint by groups, and on a network with one path left."""


@pytest.fixture
def states(testbed):
    """States what a function says of each link of the first client's switch to a neighbour; afterwards nothing is stated."""
    rest, network = testbed.onos.rest, testbed.network
    keys = {ends[0][1]: [netcfg.link_key(network, *turn) for turn in (ends, ends[::-1])]
            for ends in (link.ends for link in network.topology.links) if ends[0][0] == network.topology.pair(0)[0]}

    def state(says):
        rest.post("/network/configuration", {"links": {key: says(middle) for middle, both in keys.items() for key in both}})
        wanted = sorted((says(middle)["basic"]["latency"] / 1e6, says(middle)["srlg"]) for middle in keys)
        wait_for("what is stated of links", lambda: known(testbed, {key.split("-")[0] for key, _ in keys.values()}) == wanted, 20)
    yield state
    for key in [key for both in keys.values() for key in both]:
        with contextlib.suppress(LabError):  # never stated
            rest.delete(f"/network/configuration/links/{quote(key)}")
    rest.delete(POLICIES)


def known(testbed, sources):
    """Delay and groups of the links from these ports."""
    return sorted((link["delayMillis"], link["srlg"]) for link in testbed.onos.rest.get("/mptcp/links")["links"]
                  if link["source"] in sources and link["delayMillis"] is not None)


def routed(testbed, port, count):
    """The connection to a port once so many of its subflows are active and the others, of three, blocked."""
    def look():
        to_port = [c for c in active(testbed) if c["subflows"][0]["dst"].endswith(f":{port}")]
        for connection in to_port:
            if sorted(s["state"] for s in connection["subflows"]) == ["active"] * count + ["blocked"] * (3 - count):
                return connection
        raise LabError(str([(s["src"], s["state"], s["path"]) for c in to_port for s in c["subflows"]]))
    return wait_for(f"{count} active subflows to port {port}", look, TIMEOUT)


def middles(connection):
    return {path[1] for path in paths(connection) if path}


def test_far_paths_and_those_with_a_risk_in_common_are_left_out_where_that_is_asked(testbed, states):
    states(lambda middle: {"basic": {"latency": 100_000_000}, "srlg": []} if middle == "s2"
           else {"basic": {"latency": 0}, "srlg": ["duct"]})
    testbed.onos.rest.post(POLICIES, {"policies": [
        {"name": "free", "ports": [FREE], "maxDelaySpreadMillis": 0},
        {"name": "near", "ports": [NEAR], "joinPolicy": "block"},
        {"name": "diverse", "ports": [DIVERSE], "maxDelaySpreadMillis": 0, "disjoint": "srlg", "joinPolicy": "block"}]})
    with contextlib.ExitStack() as transfers:
        running = [transfers.enter_context(transfer(testbed, port=port)) for port in (FREE, NEAR, DIVERSE)]
        free, near, diverse = (routed(testbed, port, count) for port, count in ((FREE, 3), (NEAR, 2), (DIVERSE, 2)))
        for one in running:
            one.finish()
    assert (middles(free), free["disjointIn"]) == ({"s2", "s3", "s4"}, ["link", "node"])
    assert (middles(near), near["disjointIn"]) == ({"s3", "s4"}, ["link", "node"])
    assert "s2" in middles(diverse) and diverse["disjointIn"] == ["link", "node", "srlg"]
    assert {s["delayMillis"] for s in free["subflows"]} == {0, 100}


def test_a_risk_of_all_links_and_a_delay_of_a_day_leave_one_path_and_what_is_none_is_refused(testbed, states):
    states(lambda middle: {"basic": {"latency": 0 if middle == "s3" else DAY_MILLIS * 1_000_000}, "srlg": ["city"]})
    alone = {"name": "alone", "ports": [ALONE], "disjoint": "srlg", "maxDelayMillis": DAY_MILLIS, "joinPolicy": "block"}
    testbed.onos.rest.post(POLICIES, {"policies": [
        alone, {"name": "near", "ports": [NEAR], "maxDelayMillis": DAY_MILLIS - 1, "joinPolicy": "block"}]})
    with transfer(testbed, port=ALONE) as one, transfer(testbed, port=NEAR) as other:
        assert routed(testbed, ALONE, 1)["disjointIn"] == []
        assert middles(routed(testbed, NEAR, 1)) == {"s3"}
        one.finish()
        other.finish()
    for field in ("maxDelayMillis", "maxDelaySpreadMillis"):
        for bad in (-1, DAY_MILLIS + 1, "far"):
            with pytest.raises(LabError, match=f"400.*{field}"):
                testbed.onos.rest.post(POLICIES, {"policies": [{**alone, field: bad}]})
    first = testbed.network.topology.links[0]
    key = netcfg.link_key(testbed.network, *first.ends)
    # What is no list at all, ONOS refuses by itself.
    for bad, says in (([""], "up to 64 names"), ([7], "up to 64 names"), ("duct", "srlg"), ({"duct": True}, "srlg")):
        answer = testbed.onos.rest.post("/network/configuration", {"links": {key: {"srlg": bad}}})
        assert answer["code"] == 207 and says in answer["message"][0], answer
