# SPDX-License-Identifier: Apache-2.0
"""One subflow more than there are disjoint paths: what the JOIN policy and the cap make of it."""

import pytest

from conftest import active, assert_disjoint, counters, links_of
from life import (PATIENCE, SUBFLOWS, assert_reservations_follow, data_connection, disjoint_paths, established, flows, paths,
                  set_subflows, transfer)
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
    with transfer(testbed) as running:
        wait_for("a blocked subflow beside the others", lambda: sorted(
            sorted(s["state"] for s in c["subflows"]) for c in active(testbed))
            == [["active"] * most + ["blocked"]], PATIENCE)
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
        wait_for("the one too many counted", lambda: counters(testbed)["policy.over-cap"] > before, PATIENCE)
        known = {(s["src"], s["dst"]) for c in active(testbed) for s in c["subflows"]}
        wait_for("all of them in the kernel", lambda: len(kernel_subflows(testbed.network.clients[0])) == most + 1, PATIENCE)
        assert len(set(kernel_subflows(testbed.network.clients[0])) - known) == 1
        assert len(known) == most
        running.finish()
