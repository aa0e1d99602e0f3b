# SPDX-License-Identifier: Apache-2.0
"""A client with very many connections to one port of a server: switches copy a part of its segments, and what nobody sees leaves
nothing behind."""

from collections.abc import Iterable, Iterator

import pytest

from conftest import assert_disjoint, connections, counters, quiet, tell
from life import SUBFLOWS, TIMEOUT, all_active, established, paths, transfer
from mptcplab.errors import LabError
from mptcplab.openvswitch import first_table
from mptcplab.processes import end_group, wait_for
from mptcplab.short_connections import WEB_PORT
from mptcplab.testbed import Testbed
from programs import MPTCP
from test_load import rules_of_connections, short_connections
from test_soak import started

DEFAULT_ANSWERS = 300
FEW_ANSWERS = 60
"""Answered SYNs a second of one client at one port of a server: of more, switches copy a part. Those of
`short_connections` have 260."""

MOST_COPIED = 0.5
"""Of what switches copy without a bound. It is about a fifth: in each 2.3 s, 0.3 s are copied, and ends for 0.4 s longer."""

FORGOTTEN_SECONDS = 60
"""The most until nothing is left of a connection whose end nobody has seen: ten seconds of trial, or an idle time."""


@pytest.fixture
def bound(testbed: Testbed) -> Iterator[int]:
    """The bound that a test sets; afterwards no service is paused, and there is the default."""
    yield FEW_ANSWERS
    testbed.onos.copy_answers_of_service(DEFAULT_ANSWERS)
    wait_for("no service paused", lambda: not any(unseen(switch) for switch in testbed.network.topology.switches), TIMEOUT)


def test_of_a_client_with_too_many_a_part_is_copied_and_others_get_their_paths(testbed, web_server, bound, capsys):
    switches = testbed.network.topology.switches
    per_connection = []
    for most in (0, bound):
        testbed.onos.copy_answers_of_service(most)
        before = copied(switches)
        with short_connections(testbed, 6) as both:
            if most:
                wait_for("the service paused", lambda: f"port {WEB_PORT}" in paused_services(testbed), TIMEOUT)
                with transfer(testbed):
                    assert_disjoint(paths(established(testbed, SUBFLOWS)))
            told = [short.finish() for short in both.values()]
        assert [one["failed"] for one in told] == [0, 0], [one["causes"] for one in told]
        per_connection.append((copied(switches) - before) / sum(one["requests"] for one in told))
    tell(capsys, f"copies of a connection: {per_connection[0]:.1f}; with a bound of {bound} answered SYNs a second "
                 f"{per_connection[1]:.1f}")
    assert per_connection[1] < MOST_COPIED * per_connection[0]
    quiet(testbed)


def test_a_connection_whose_end_nobody_sees_is_forgotten(testbed, web_server, bound):
    network = testbed.network
    client = network.clients[0]
    first, last = network.topology.pair(0)
    before = remembered(testbed)
    running = started(client, "drip", MPTCP, network.addresses(network.servers[0])[0], WEB_PORT)
    try:
        wait_for("its paths", lambda: of_the_service(testbed) and all_active(testbed), TIMEOUT)
        testbed.onos.copy_answers_of_service(bound)
        with short_connections(testbed, 6) as both:
            wait_for("ends unseen", lambda: ends_are_unseen(first) and ends_are_unseen(last), TIMEOUT, every=0.02)
            end_group(running)
            told = [short.finish() for short in both.values()]
    finally:
        end_group(running)
    assert [one["failed"] for one in told] == [0, 0], [one["causes"] for one in told]
    wait_for("nothing left of it", lambda: nothing_left(testbed, before), FORGOTTEN_SECONDS)


def of_the_service(testbed: Testbed) -> list[str]:
    """The connections to the web server that the application knows."""
    return [one["id"] for one in connections(testbed) if one["subflows"][0]["dst"].endswith(f":{WEB_PORT}")]


def remembered(testbed: Testbed) -> dict[str, int]:
    """How much there is in the application's tables. Of earlier tests there may be idle connections."""
    return {name: count for name, count in counters(testbed).items() if name in ("table.candidates", "table.tokens")}


def nothing_left(testbed: Testbed, before: dict[str, int]) -> bool:
    """Whether the application knows of no connection to the web server, and no switch has a rule of one; LabError says what there
    is. ``before``: what its tables had."""
    rules = [rule for switch in testbed.network.topology.switches for rule in rules_of_connections(switch)]
    left = [of_the_service(testbed), [rule for rule in rules if f"tp_dst={WEB_PORT} " in rule or f"tp_src={WEB_PORT}," in rule]]
    now = remembered(testbed)
    if any(left) or any(now[name] > count for name, count in before.items()):
        raise LabError(f"{left}, {now} and not {before}")
    return True


def copied(switches: Iterable[str]) -> int:
    """How many segments switches have copied to the controller so far."""
    return sum(int(rule.split("n_packets=")[1].split(",")[0]) for switch in switches for rule in first_table(switch)
               if "CONTROLLER" in rule)


def unseen(switch: str) -> list[str]:
    """The rules that leave segments of services in a switch."""
    return [rule for rule in first_table(switch) if "priority=35," in rule]


def ends_are_unseen(switch: str) -> bool:
    """Whether such a rule leaves more there than SYNs."""
    return any("tcp_flags" not in rule for rule in unseen(switch))


def paused_services(testbed: Testbed) -> str:
    """What ONOS says of services of which switches copy a part."""
    return ", ".join(device["annotations"]["tcpFlagsPausedServices"] for device in testbed.onos.rest.get("/devices")["devices"])
