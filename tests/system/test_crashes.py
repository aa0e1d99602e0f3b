# SPDX-License-Identifier: Apache-2.0
"""ONOS is killed at random moments while connections come and go: its books, the switches' rules and the application agree
after each restart."""

import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from conftest import active, assert_disjoint, reserved, tcp_rules
from life import SUBFLOWS, TIMEOUT, assert_reservations_follow, data_connection, established, flows, paths, transfer
from mptcplab.errors import LabError
from mptcplab.failure import rules_of
from mptcplab.hosts import listens
from mptcplab.processes import end_group, wait_for
from mptcplab.testbed import Testbed
from programs import MPTCP
from sharing import allocated
from test_soak import started

pytestmark = pytest.mark.long

PORT = 7005
AT_ONCE = 6
MANY = 10_000
"""Connections of the churn; it is ended before."""
BYTES = 300_000
"""Of each of them: so that it earns paths and ends some seconds later."""
LATEST_SECONDS = 4
RESTART_SECONDS = 180


@pytest.fixture(autouse=True)
def soon_idle(testbed: Testbed) -> Iterator[None]:
    """What has ended while ONOS was away gives its paths back soon."""
    before = testbed.onos.settings()["idleSeconds"]
    testbed.onos.configure(idleSeconds=10)
    yield
    testbed.onos.configure(idleSeconds=before)


@contextmanager
def churn(testbed: Testbed) -> Iterator[None]:
    """Connections that come, earn paths and end, several at a time."""
    client, server = testbed.network.clients[0], testbed.network.servers[0]
    listening = started(server, "server", MPTCP, PORT)
    try:
        wait_for("the server", lambda: listens(server, PORT), TIMEOUT)
        many = started(client, "many", MPTCP, testbed.network.addresses(server)[0], PORT, MANY, AT_ONCE, BYTES)
        try:
            yield
        finally:
            end_group(many)
    finally:
        end_group(listening)


def assert_rules_follow(testbed: Testbed) -> None:
    """Waits until each switch has as many rules of connections as the paths of their subflows ask for."""
    def none_wrong() -> bool:
        subflows = [s for c in active(testbed) for s in c["subflows"] if s["path"]]
        expected = Counter(rule[0] for s in subflows for rule in rules_of(testbed.network, s))
        found = Counter(switch for switch, _ in tcp_rules(testbed))
        if found != expected:
            raise LabError(f"rules by switch: {dict(found)}, of subflows on paths: {dict(expected)}")
        return True
    wait_for("rules as the paths are", none_wrong, TIMEOUT, every=0.5)


@pytest.mark.parametrize("number", range(20))
def test_killed_under_churn_books_rules_and_connections_agree(testbed, number):
    moment = random.Random(number).uniform(0, LATEST_SECONDS)
    with transfer(testbed) as running:
        established(testbed, SUBFLOWS)
        with churn(testbed):
            wait_for("connections that come and go", lambda: len(active(testbed)) > AT_ONCE // 2, TIMEOUT)
            end = time.monotonic() + moment
            wait_for("a random moment", lambda: time.monotonic() >= end, LATEST_SECONDS + 1, every=0.01)
            testbed.onos.crash()
            testbed.onos.start()
            testbed.onos.wait_for_application()
            testbed.wait_for_links()
            flows(testbed)
        wait_for("the transfer alone", lambda: len(active(testbed)) == 1 and active(testbed)[0]["state"] == "active",
                 RESTART_SECONDS)
        assert_disjoint(paths(data_connection(testbed)))
        assert_reservations_follow(testbed)
        assert_rules_follow(testbed)
        running.finish()
    wait_for("nothing held", lambda: not active(testbed) and not reserved(testbed) and not allocated(testbed), RESTART_SECONDS)
    assert_rules_follow(testbed)
