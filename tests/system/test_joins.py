# SPDX-License-Identifier: Apache-2.0
"""Subflows beyond the disjoint paths, by JOIN policy and cap, and subflows that end and come back."""

import pytest

from conftest import active, assert_disjoint, counters, links_of, tcp_rules
from life import (LEAST_MBPS, SUBFLOWS, TIMEOUT, assert_reservations_follow, data_connection, disjoint_paths,
                  endpoint, established, flows, paths, set_subflows, transfer)
from mptcplab.openvswitch import keeps_syns
from mptcplab.processes import wait_for
from mptcplab.sampling import kernel_subflows


@pytest.fixture
def crowded(testbed):
    """A testbed whose clients open one subflow more than there are disjoint paths; and the number of these."""
    set_subflows(testbed, disjoint_paths(testbed) + 1)
    yield testbed, disjoint_paths(testbed)
    testbed.onos.configure(joinPolicy="share", mostSubflows=64)
    set_subflows(testbed, SUBFLOWS)


def test_share_puts_it_on_a_siblings_path(crowded):
    testbed, most = crowded
    with transfer(testbed) as running:
        data = established(testbed, most + 1)
        assert {s["state"] for s in data["subflows"]} == {"active"}
        assert_disjoint(paths(data)[:most])
        assert any(links_of(paths(data)[most]) & links_of(path) for path in paths(data)[:most])
        assert_reservations_follow(testbed)
        running.finish()


def test_backup_parks_it(crowded):
    testbed, most = crowded
    testbed.onos.configure(joinPolicy="backup")
    with transfer(testbed) as running:
        data = established(testbed, most + 1)
        assert [s["state"] for s in data["subflows"]] == ["active"] * most + ["backup"]
        assert data["subflows"][most]["expectedUpMbps"] == 0 and data["subflows"][most]["path"]
        assert_disjoint(paths(data)[:most])
        assert_reservations_follow(testbed)
        running.finish()


def test_block_refuses_it_and_the_transfer_is_none_the_worse(crowded):
    testbed, most = crowded
    testbed.onos.configure(joinPolicy="block")
    # A moment later than the setting: until then, an MP_JOIN passes.
    wait_for("SYNs kept by the client's switch", lambda: keeps_syns(testbed.network.topology.pair(0)[0]), TIMEOUT)
    with transfer(testbed) as running:
        wait_for("a blocked subflow beside the others", lambda: sorted(
            sorted(s["state"] for s in c["subflows"]) for c in active(testbed))
            == [["active"] * most + ["blocked"]], TIMEOUT)
        flows(testbed)
        data = data_connection(testbed)
        blocked = next(s for s in data["subflows"] if s["state"] == "blocked")
        kernel = kernel_subflows(testbed.network.clients[0])
        assert (blocked["src"], blocked["dst"]) not in kernel
        assert_disjoint([path for path in paths(data) if path])
        assert_reservations_follow(testbed)
        running.finish()


def test_beyond_the_cap_it_is_left_to_plain_forwarding(crowded):
    testbed, most = crowded
    testbed.onos.configure(mostSubflows=most)
    before = counters(testbed)["policy.over-cap"]
    with transfer(testbed) as running:
        established(testbed, most)
        wait_for("the one too many counted", lambda: counters(testbed)["policy.over-cap"] > before, TIMEOUT)
        known = {(s["src"], s["dst"]) for c in active(testbed) for s in c["subflows"]}
        wait_for("all of them in the kernel", lambda: len(kernel_subflows(testbed.network.clients[0])) == most + 1, TIMEOUT)
        assert len(set(kernel_subflows(testbed.network.clients[0])) - known) == 1
        assert len(known) == most
        running.finish()


@pytest.mark.long
def test_an_address_that_goes_and_comes_back_gets_a_path_again(testbed):
    most = disjoint_paths(testbed)
    client = testbed.network.clients[0]
    set_subflows(testbed, most)
    testbed.onos.configure(mostSubflows=most)
    try:
        with transfer(testbed) as running:
            ended = established(testbed, most)["subflows"][-1]["src"]
            address = ended.rsplit(":", 1)[0]
            endpoint(client, "del", address)
            wait_for("the subflow without its endpoint idle", lambda: states(testbed).get(ended) == "idle", TIMEOUT)
            wait_for("its rules gone", lambda: not rules_from(testbed, ended), TIMEOUT)
            assert_reservations_follow(testbed)
            assert sorted(states(testbed).values()) == ["active"] * (most - 1) + ["idle"]

            endpoint(client, "add", address)
            wait_for("as many subflows as before, the ended one forgotten", lambda: all_of(testbed, most, but=ended), TIMEOUT)
            assert_disjoint(paths(data_connection(testbed)))
            assert_reservations_follow(testbed)
            assert set(states(testbed)) == {local for local, _ in kernel_subflows(client)}
            running.finish()
        assert running.mbps() > LEAST_MBPS
    finally:
        testbed.onos.configure(mostSubflows=64)
        set_subflows(testbed, SUBFLOWS)


def states(testbed):
    """State by source of the data connection's subflows."""
    return {s["src"]: s["state"] for s in data_connection(testbed)["subflows"]}


def all_of(testbed, number, but):
    found = states(testbed)
    return list(found.values()) == ["active"] * number and but not in found and data_connection(testbed)["state"] == "active"


def rules_from(testbed, source):
    address, port = source.rsplit(":", 1)
    return [rule for _, rule in tcp_rules(testbed) if f"nw_src={address}," in rule and f"tp_src={port}," in rule]
