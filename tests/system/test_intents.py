# SPDX-License-Identifier: Apache-2.0
"""Intents, reservations and rules of a connection exist while it lives and are gone an idle time after its end."""

import json
import re
from itertools import combinations

import pytest

from conftest import active, connections, managed_at_once, quiet, reserved, same, settled, state
from mptcplab.processes import wait_for
from sharing import allocated


@pytest.fixture
def transfer(testbed):
    """A transfer that runs, known to the controller with its three subflows."""
    with managed_at_once(testbed):
        running = testbed.transfer(seconds=60)
        wait_for("both connections", lambda: len(active(testbed)) == 2, 20)
    try:
        wait_for("two connections of three subflows",
                 lambda: sorted(len(c["subflows"]) for c in active(testbed)) == [3, 3]
                 and all(c["state"].lower() == "active" for c in active(testbed)), 20)
        yield running
    finally:
        running.stop()


def test_shell_shows_intents_and_reservations_while_it_runs(testbed, transfer):
    intents = testbed.onos.shell("intents")
    ours = [block for block in intents.split("Id: ") if "MptcpIntent" in block]
    assert len(ours) == 2, intents
    assert all("INSTALLED" in block for block in ours)
    # One path intent per subflow and direction, with its links.
    installables = testbed.onos.shell("intents -i").split("SubflowPathIntent{")[1:]
    for connection in active(testbed):
        ways = [way(installables, subflow, end, criterion) for subflow in connection["subflows"]
                for end, criterion in ((0, "TCP_SRC"), (-1, "TCP_DST"))]
        assert len(ways) == 2 * len(connection["subflows"])
        assert all(not one & other for one, other in combinations(ways, 2)), "disjoint between switches"
    assert len(installables) == 2 * sum(len(c["subflows"]) for c in active(testbed))
    for told in json.loads(testbed.onos.shell("mptcp-connections -j")):
        assert json.loads(testbed.onos.shell(f"mptcp-connections -j {told['id']}"))["subflows"]
        assert " > s" in testbed.onos.shell(f"mptcp-connections {told['id']}")
    assert json.loads(testbed.onos.shell("mptcp-subflows -j"))
    assert "reserved" in testbed.onos.shell("mptcp-links").lower()
    assert reserved(testbed)
    assert all(rate <= 10.001 for rate in reserved(testbed).values())


def way(installables, subflow, end, criterion):
    """Links between switches of the one path intent of a subflow whose packets match a port of its source, as ONOS shows them."""
    port = subflow["src"].rsplit(":", 1)[1]
    shown, = (one for one in installables if re.search(rf"\b{criterion}:{port}\b", one))
    links = re.findall(r"src=(of:[0-9a-f]+)/\d+, dst=(of:[0-9a-f]+)/\d+", shown.split("links=")[1])
    switches = subflow["path"] if end == 0 else subflow["path"][::-1]
    assert links == list(zip(switches, switches[1:])), shown
    assert len(re.findall("type=EDGE", shown)) >= 2, shown
    return set(links)


def test_an_idle_time_after_the_transfer_everything_is_as_before(testbed):
    before = settled(testbed)
    transfer = testbed.transfer(seconds=5)
    wait_for("reservations", lambda: reserved(testbed), 20)
    assert state(testbed)[0] != before[0]
    transfer.finish()
    quiet(testbed)
    wait_for("rules, resources and intents as before", lambda: same(state(testbed), before), 40)


def test_a_connection_without_a_path_has_no_intent_until_one_is_back(testbed, transfer):
    known = {c["id"] for c in active(testbed)}
    for middle in ("s2", "s3", "s4"):
        testbed.network.set_link("s1", middle, up=False)
    wait_for("no intent", lambda: not states(testbed), 30)
    wait_for("connections down", lambda: {c["state"].lower() for c in connections(testbed) if c["id"] in known} == {"down"}, 30)
    assert "Unable to compile intent" not in testbed.onos.log()
    wait_for("nothing held", lambda: not reserved(testbed) and not allocated(testbed), 10)
    testbed.network.set_link("s1", "s3", up=True)
    wait_for("intents INSTALLED again", lambda: states(testbed) == {"INSTALLED"}, 60)
    wait_for("all on the path that is back", lambda: all(
        s["path"] == ["of:0000000000000001", "of:0000000000000003", "of:0000000000000005"]
        for c in connections(testbed) if c["id"] in known for s in c["subflows"]), 30)


def states(testbed):
    """States of the MPTCP intents."""
    return {intent["state"] for intent in testbed.onos.rest.get("/intents")["intents"]
            if intent["type"] == "MptcpIntent"}
