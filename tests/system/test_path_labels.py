# SPDX-License-Identifier: Apache-2.0
"""Subflows that share the rules of their paths by labels (setting ``pathLabels``): packets take their paths and arrive as they
were sent, through a failure, the link's return, a stop and a restart of the application; and what it costs in rules."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import active, all_links_up, assert_disjoint, quiet, tell
from labels import Tables, check_ways, tables
from life import (LEAST_MBPS, SUBFLOWS, TIMEOUT, activate, data_connection, deactivate, established, flows, is_on, packet_ins,
                  paths, transfer)
from mptcplab.errors import LabError
from mptcplab.hosts import listens
from mptcplab.processes import end_group, wait_for
from mptcplab.testbed import Testbed
from programs import MPTCP
from test_load import PORT, many
from test_soak import started

AT_ONCE = 8
"""Connections of one pair of hosts."""
FEW_PACKETS = 200
"""At the controller while a transfer runs: copies of SYN, FIN and RST, and what LLDP does not count for."""


@pytest.fixture
def labelled(testbed: Testbed) -> Iterator[Testbed]:
    testbed.onos.configure(pathLabels="on")
    yield testbed
    testbed.onos.configure(pathLabels="auto")
    quiet(testbed)
    wait_for("no rule of a path left", lambda: none_left(testbed), TIMEOUT)


def none_left(testbed: Testbed) -> bool:
    """True if no switch has a rule of a path; LabError says which ones there are. They stay for some seconds after the last
    connection that uses the path."""
    left = tables(testbed).shared
    if left:
        raise LabError(f"rules of paths: {left}")
    return True


def right_ways(testbed: Testbed) -> Tables:
    """Waits until the rules lead each subflow along its path."""
    return wait_for("rules along the paths", lambda: check_ways(
        testbed, [s for c in active(testbed) for s in c["subflows"] if s["path"]]), TIMEOUT, every=0.3)


@pytest.mark.long
def test_disjoint_paths_a_failure_and_the_return(labelled):
    with transfer(labelled) as running:
        before = paths(established(labelled, SUBFLOWS))
        assert_disjoint(before)
        right_ways(labelled)
        link = tuple(before[0][:2])
        labelled.network.set_link(*link, up=False)
        wait_for("other paths", lambda: not any(is_on(path, link) for path in paths(data_connection(labelled))), TIMEOUT)
        right_ways(labelled)
        flows(labelled)
        all_links_up(labelled)
        wait_for("disjoint paths again", lambda: sorted(paths(data_connection(labelled))) == sorted(before), TIMEOUT, every=0.5)
        right_ways(labelled)
        to_controller = packet_ins(labelled)
        flows(labelled, megabits=10)
        assert packet_ins(labelled) - to_controller < FEW_PACKETS
        running.finish()
    assert running.mbps() > LEAST_MBPS


@pytest.mark.long
def test_it_is_stopped_and_started_again_while_a_transfer_runs(labelled):
    with transfer(labelled) as running:
        id_ = established(labelled, SUBFLOWS)["id"]
        right_ways(labelled)
        deactivate(labelled)
        try:
            wait_for("no rule of ours", lambda: not tables(labelled).rules, TIMEOUT)
            flows(labelled, megabits=5)
        finally:
            activate(labelled)
        wait_for("the connection with its subflows", lambda: [(c["id"], c["state"], len(c["subflows"])) for c in active(labelled)]
                 == [(id_, "active", SUBFLOWS)], TIMEOUT)
        right_ways(labelled)
        flows(labelled, megabits=5)
        running.finish()
    assert running.mbps() > LEAST_MBPS


@pytest.fixture
def several(testbed: Testbed, tmp_path: Path) -> Iterator[None]:
    """Connections of one pair of hosts that go on."""
    server = testbed.network.servers[0]
    listening = started(server, "server", MPTCP, PORT)
    try:
        wait_for("the server", lambda: listens(server, PORT), TIMEOUT)
        with many(testbed, testbed.network.addresses(server)[0], AT_ONCE, tmp_path) as finish:
            yield
            finish()
    finally:
        end_group(listening)


def test_connections_of_two_hosts_share_the_rules_of_their_paths(labelled, several, capsys):
    def all_there() -> Tables:
        found = check_ways(labelled, [s for c in active(labelled) for s in c["subflows"] if s["path"]])
        if len({(source, destination) for _, source, destination in found.own}) < 2 * AT_ONCE:
            raise LabError(f"{len(found.own)} rules of connections")
        return found
    found = wait_for("rules of several connections", all_there, TIMEOUT, every=0.3)
    by_switch = Counter(switch for switch, *_ in found.shared)
    ends = labelled.network.topology.pair(0)
    tell(capsys, f"{len(found.own)} rules of {len(found.own) // 2} subflows, and {len(found.shared)} that they share: "
                 f"{dict(by_switch)}; both: {dict(found.rules)}")
    assert {switch for switch, *_ in found.own} == set(ends)
    # A path of each direction for each way between the two, however many subflows take it.
    assert all(count <= 2 for switch, count in by_switch.items() if switch not in ends), by_switch
