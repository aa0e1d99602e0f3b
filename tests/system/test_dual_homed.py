# SPDX-License-Identifier: Apache-2.0
"""A client with interfaces at two switches, on the network ``dual-homed``: a path for each of three subflows, two from one
interface and one from the other, and either interface may go and come back."""

from collections.abc import Iterator

import pytest

from conftest import assert_disjoint, quiet, tell
from life import (LEAST_MBPS, TIMEOUT, TRANSFER_PORT, all_active, assert_reservations_follow, data_connection, established, flows,
                  paths, transfer)
from mptcplab import demo
from mptcplab.agents import Agents
from mptcplab.errors import LabError
from mptcplab.hosts import address_of
from mptcplab.processes import wait_for
from mptcplab.rest import Json
from mptcplab.sampling import kernel_connections
from mptcplab.testbed import Testbed

SECONDS = 10
SUBFLOWS = 3
CLOSE_SECONDS = 60

FULL_MBPS = 20
"""Of goodput: more than two of the three paths could carry. On a quiet machine it is 27 to 28."""


def by_switch(connection: Json) -> list[str]:
    """The client's switch of each subflow that has a path, sorted."""
    return sorted(path[0] for path in paths(connection) if path)


def assert_a_path_each(testbed: Testbed, connection: Json) -> None:
    """Three subflows have a path of their own, which begins where the interface is that has its address."""
    assert_disjoint(paths(connection))
    assert by_switch(connection) == ["s1", "s1", "s2"]
    for s, path in zip(connection["subflows"], paths(connection)):
        assert path[:1] in ([], [testbed.network.switch_of(address_of(s["src"]))])


def shown(testbed: Testbed) -> Json:
    """A demonstration's connection that carries the transfer."""
    result, problems = demo.demonstrate(testbed, SECONDS, SUBFLOWS)
    assert not problems
    one, = (c for c in result["connections"] if c["goodputMbps"] > 0)
    assert_disjoint(s["path"] for s in one["subflows"])
    assert sorted(s["path"][0] for s in one["subflows"]) == ["s1", "s1", "s2"]
    return one


def test_a_subflow_on_each_path_at_full_rate(testbed, capsys):
    one = shown(testbed)
    tell(capsys, f"three paths, two interfaces: {one['goodputMbps']:.1f} Mbit/s")
    assert one["goodputMbps"] > FULL_MBPS


@pytest.mark.parametrize("index, lost", [(0, 2), (1, 1)], ids=["the-main-one", "the-other"])
def test_a_connection_outlives_an_interface_which_comes_back(testbed, index, lost):
    assert_outlives(testbed, index, lost)


def assert_outlives(testbed: Testbed, index: int, lost: int, agents: bool = False) -> None:
    """Takes an interface of the client down, with which it loses so many paths, and up again. ``agents``: they close the subflows
    without a path, and open others when it is back."""
    network = testbed.network
    client = network.clients[0]
    switch = network.homes(client)[index]
    with transfer(testbed) as running:
        begun = established(testbed, SUBFLOWS)
        assert_a_path_each(testbed, begun)
        network.set_interface(client, index, up=False)
        try:
            wait_for("no path from the lost interface", lambda: switch not in by_switch(data_connection(testbed)), TIMEOUT)
            assert len(by_switch(data_connection(testbed))) == SUBFLOWS - lost
            wait_for("the connection active", lambda: all_active(testbed), TIMEOUT)
            flows(testbed)
            assert data_connection(testbed)["id"] == begun["id"]
            assert_reservations_follow(testbed)
            if agents:
                wait_for("no subflow from the lost interface", lambda: not from_interface(testbed, index), TIMEOUT)
        finally:
            network.set_interface(client, index, up=True)
        wait_for("three paths again", lambda: has_all(testbed), TIMEOUT)
        again = data_connection(testbed)
        assert again["id"] == begun["id"]
        assert_a_path_each(testbed, again)
        wait_for("traffic on all of them", lambda: all_send(testbed), TIMEOUT)
        running.finish(CLOSE_SECONDS)
    assert running.mbps() > LEAST_MBPS


def from_interface(testbed: Testbed, index: int) -> list[str]:
    """The client's ends of the transfer's subflows in its kernel that begin at one of its interfaces."""
    client = testbed.network.clients[0]
    address = testbed.network.addresses(client)[index]
    return [local for _, subflows in kernel_connections(client, TRANSFER_PORT) for local, _ in subflows
            if address_of(local) == address]


def has_all(testbed: Testbed) -> bool:
    """Whether the subflows with a path are three; LabError with what there is."""
    connection = data_connection(testbed)
    if by_switch(connection) != ["s1", "s1", "s2"]:
        raise LabError(str([(s["src"], s["state"]) for s in connection["subflows"]]))
    return True


def all_send(testbed: Testbed) -> bool:
    """Whether every subflow carries more than acknowledgements; LabError with what they carry."""
    rates = [(s["measuredUpMbps"] or 0) for s in data_connection(testbed)["subflows"] if s["path"]]
    if min(rates) < LEAST_MBPS:
        raise LabError(str(rates))
    return True


@pytest.fixture(scope="module")
def agents(session_testbed: Testbed) -> Iterator[Agents]:
    quiet(session_testbed)
    started = Agents(session_testbed)
    started.start()
    yield started
    started.leave()


def test_agents_open_subflows_from_the_interface_that_has_the_missing_path(testbed, agents, capsys):
    one = shown(testbed)
    tell(capsys, f"with agents: {one['goodputMbps']:.1f} Mbit/s")
    assert one["goodputMbps"] > FULL_MBPS
    # Both paths of the first interface have its one address; the kernel would have taken another one.
    assert sorted(address_of(s["src"]) for s in one["subflows"]) == ["10.0.0.1", "10.0.0.1", "10.0.1.1"]
    assert one["agent"]


@pytest.mark.parametrize("index, lost", [(0, 2), (1, 1)], ids=["the-main-one", "the-other"])
def test_agents_replace_the_subflows_of_an_interface_that_is_lost_and_comes_back(testbed, agents, index, lost):
    assert_outlives(testbed, index, lost, agents=True)
