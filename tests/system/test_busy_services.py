# SPDX-License-Identifier: Apache-2.0
"""A client with very many connections to one port of a server, where switches copy nothing: its packets go the plain way for a
while, others get their paths, and what nobody sees leaves nothing behind."""

from collections.abc import Iterator

import pytest

from conftest import all_tcp_at_the_controller, assert_disjoint, connections, counters, quiet, tell
from life import SUBFLOWS, TIMEOUT, all_active, established, paths, transfer
from mptcplab.errors import LabError
from mptcplab.processes import end_group, processor_seconds, run, wait_for
from mptcplab.short_connections import PROTOCOLS, SIZES, WEB_PORT, busy, prepare
from mptcplab.testbed import Testbed
from programs import MPTCP
from test_load import rules_of_connections, short_connections
from test_soak import started

FORGOTTEN_SECONDS = 60
"""The most until nothing is left of a connection whose end nobody has seen: ten seconds of trial, or an idle time."""


SECONDS = 4
AT_ONCE = 20


@pytest.fixture
def uncopied(testbed: Testbed) -> Iterator[None]:
    with all_tcp_at_the_controller(testbed):
        yield


def test_a_busy_service_goes_the_plain_way_and_others_get_their_paths(testbed, web_server, uncopied):
    before = counters(testbed)["limit.services"]
    with short_connections(testbed, 6) as both:
        wait_for("a rule for the service", lambda: all(service_rules(switch) for switch in ends(testbed)), TIMEOUT, every=0.02)
        with transfer(testbed):
            assert_disjoint(paths(established(testbed, SUBFLOWS)))
        told = [short.finish() for short in both.values()]
    assert [one["failed"] for one in told] == [0, 0], [one["causes"] for one in told]
    assert counters(testbed)["limit.services"] > before
    wait_for("no rule for the service", lambda: not any(service_rules(switch) for switch in ends(testbed)), TIMEOUT)
    quiet(testbed)


def test_a_connection_whose_end_nobody_sees_is_forgotten(testbed, web_server, uncopied):
    network = testbed.network
    before = remembered(testbed)
    running = started(network.clients[0], "drip", MPTCP, network.addresses(network.servers[0])[0], WEB_PORT)
    try:
        wait_for("its paths", lambda: of_the_service(testbed) and all_active(testbed), TIMEOUT)
        with short_connections(testbed, 6) as both:
            wait_for("ends unseen", lambda: all(service_rules(switch) for switch in ends(testbed)), TIMEOUT, every=0.02)
            end_group(running)
            told = [short.finish() for short in both.values()]
    finally:
        end_group(running)
    assert [one["failed"] for one in told] == [0, 0], [one["causes"] for one in told]
    wait_for("nothing left of it", lambda: nothing_left(testbed, before), FORGOTTEN_SECONDS)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_few_of_its_packets_come_to_the_controller(testbed, web_server, uncopied, protocol, capsys):
    client, server = testbed.network.clients[0], testbed.network.servers[0]
    prepare(client)
    for size in SIZES:
        before, used = at_the_controller(testbed), processor_seconds(testbed.onos.pid())
        told = busy(client, testbed.network.addresses(server)[0], protocol, size, AT_ONCE, SECONDS, testbed.folder)
        packets = at_the_controller(testbed) - before
        part = (processor_seconds(testbed.onos.pid()) - used) / SECONDS
        tell(capsys, f"{AT_ONCE} {protocol} connections at once, {size} B: {packets} packets to the controller in {SECONDS} s, "
                     f"{told['perSecond']:.0f} connections/s, p99 {told['p99Millis']:.0f} ms; ONOS takes {part:.2f} processors")
        assert told["failed"] == 0, told["causes"]
        assert packets < told["requests"], "each has ten packets and more"


def at_the_controller(testbed: Testbed) -> int:
    """How many packets the rules of all switches have sent to the controller so far."""
    tables = (run(["ovs-ofctl", "-O", "OpenFlow13", "dump-flows", switch], "reading rules").splitlines()
              for switch in testbed.network.topology.switches)
    return sum(int(rule.split("n_packets=")[1].split(",")[0]) for table in tables for rule in table if "CONTROLLER" in rule)


def ends(testbed: Testbed) -> tuple[str, str]:
    """The switches of the client and the server."""
    first, last = testbed.network.topology.pair(0)
    return first, last


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


def service_rules(switch: str) -> list[str]:
    """The rules that take the packets of a whole service off the controller."""
    rules = run(["ovs-ofctl", "-O", "OpenFlow13", "dump-flows", switch], "reading rules").splitlines()
    return [rule for rule in rules if "priority=55," in rule]
