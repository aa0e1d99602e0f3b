# SPDX-License-Identifier: Apache-2.0
"""The network as a whole on a map (long): connections arrive one after the other, two leave, a link fails meanwhile. Each time
the expected shares come to those that ``./lab plan`` has for the same connections."""

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest

from conftest import active, all_links_up, links_of, managed_at_once, tell
from life import cut_and_follow, failing, paths
from mptcplab.errors import LabError
from mptcplab.hosts import listens
from mptcplab.processes import end_group, wait_for
from mptcplab.rest import Json
from mptcplab.sampling import Sampler
from mptcplab.testbed import Testbed
from programs import MPTCP
from test_plan import ACKNOWLEDGEMENTS, PORT, all_placed, in_order, meetings, no_other_traffic, planned, settled
from test_soak import started

ARRIVALS, LEAVING = 8, 2
NEAR = 0.98
"""Of the plan's sum and of its smallest share: so near are the expected ones. Demands that are measured vary."""

TIMEOUT = 90
"""Seconds, on a machine that is busy with other things; how long it took is told."""

ONE_MOVE_SECONDS = 1.0
"""Events of one connection that are closer are of one move: its subflows move together."""

AROUND_SECONDS = 2.0
"""Before and after a move: what the connection's server gets is compared over these."""

pytestmark = pytest.mark.long


@pytest.fixture
def sampler() -> Iterator[Sampler]:
    """Reads what every interface has sent, four times a second."""
    running = Sampler(set(), every=0.25)
    running.start()
    yield running
    running.stop()


def test_shares_come_to_the_plans_through_arrivals_departures_and_a_failure(
        testbed: Testbed, sampler: Sampler, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    network = testbed.network
    wait_for("no traffic but MPTCP's on any link", lambda: no_other_traffic(testbed), 60)
    senders: list[ExitStack] = []
    with ExitStack() as running, managed_at_once(testbed):
        for server in network.servers:
            running.callback(end_group, started(server, "sink", MPTCP, PORT))
            wait_for("the server", lambda: listens(server, PORT), 20)
        for number in range(ARRIVALS):
            sender = running.enter_context(ExitStack())
            senders.append(sender)
            pair = number % len(network.clients)
            client, address = network.clients[pair], network.addresses(network.servers[pair])[0]
            sender.callback(end_group, started(client, "stream", MPTCP, address, PORT))
            wait_for(f"connection {number + 1} with three subflows", lambda: all_placed(testbed, number + 1, client), 30,
                     every=0.05)
        arrived = time.monotonic()
        plan = planned(testbed, unlimited(in_order(testbed)), tmp_path)
        seconds = reached(testbed, plan, arrived)
        settled(testbed)
        reached(testbed, plan, time.monotonic())
        moved = moves(testbed)
        tell(capsys, f"{ARRIVALS} arrivals: the plan's shares after {seconds:.1f} s, then {beside(testbed, plan)}; "
                     f"{len(moved)} moves; {kept(testbed, sampler, moved)}")
        assert len(moved) <= ARRIVALS, moved

        for sender in senders[:LEAVING]:
            sender.close()
        left = time.monotonic()
        wait_for("two that have ended", lambda: len(active(testbed)) == ARRIVALS - LEAVING, TIMEOUT, every=0.1)
        stay = in_order(testbed)
        path = paths(stay[0])[0]
        with failing(testbed, (path[0], path[1])) as failure:
            millis = cut_and_follow(testbed, failure)
            tell(capsys, f"a failure while the others spread out: new rules after {millis} ms")
            assert millis is not None and millis < 10_000
            assert all(frozenset(path[:2]) not in links_of(found) for c in active(testbed) for found in paths(c))
        all_links_up(testbed)
        back = time.monotonic()
        plan = planned(testbed, unlimited(in_order(testbed)), tmp_path)
        seconds = reached(testbed, plan, back)
        settled(testbed)
        reached(testbed, plan, time.monotonic())
        tell(capsys, f"{LEAVING} departures and a failure: the plan's shares {seconds:.1f} s after the link came back, "
                     f"{seconds + back - left:.1f} s after they left, then {beside(testbed, plan)}")


def unlimited(connections: list[Json]) -> list[Json]:
    """The connections as they want to be: each sends as much as it can."""
    return [{**c, "demandUpMbps": None} for c in connections]


def reached(testbed: Testbed, plan: Json, since: float) -> float:
    """Waits until sum and smallest of the expected shares are the plan's; returns the seconds since then."""
    rates = [c["expectedMbps"] for c in plan["connections"]]

    def near() -> bool:
        now = in_order(testbed)
        room = ACKNOWLEDGEMENTS * meetings(now)
        found = [c["expectedUpMbps"] for c in now]
        if len(found) != len(rates) or sum(found) < NEAR * sum(rates) - room or min(found) < NEAR * min(rates) - room:
            raise LabError(f"expected {sorted(found)}, planned {sorted(rates)}, room for acknowledgements {room:.1f}")
        return True
    wait_for("the plan's shares", near, TIMEOUT, every=0.2)
    return time.monotonic() - since


def beside(testbed: Testbed, plan: Json) -> str:
    """In words the expected shares as parts of the plan's."""
    rates, found = [c["expectedMbps"] for c in plan["connections"]], [c["expectedUpMbps"] for c in in_order(testbed)]
    return f"{sum(found) / sum(rates):.3f} of its sum and {min(found) / min(rates):.3f} of its smallest"


def moves(testbed: Testbed) -> list[tuple[str, float]]:
    """(Connection, seconds of the Unix epoch) of each move of the connections that are there now."""
    found: list[tuple[str, float]] = []
    for connection in active(testbed):
        last = 0.0
        for event in testbed.onos.rest.get(f"/mptcp/connections/{connection['id']}/events")["events"]:
            at = event["millis"] / 1000
            if event["type"] == "moved":
                if at - last > ONE_MOVE_SECONDS:
                    found.append((connection["id"], at))
                last = at
    return sorted(found, key=lambda move: move[1])


def kept(testbed: Testbed, sampler: Sampler, moved: list[tuple[str, float]]) -> str:
    """In words what the hosts of connections got after their moves, as parts of what they got before."""
    network = testbed.network
    to_wall_clock = time.time() - time.monotonic()
    addresses: Mapping[str, int] = {network.addresses(server)[0]: number for number, server in enumerate(network.servers)}
    parts = []
    for connection in active(testbed):
        number = addresses[connection["subflows"][0]["dst"].rsplit(":", 1)[0]]
        counter = (network.interface(network.topology.pair(number)[1], network.servers[number].name),)
        for at in (at - to_wall_clock for name, at in moved if name == connection["id"]):
            before = sampler.rate(counter, at - AROUND_SECONDS, at)
            if before > 1:
                parts.append(sampler.rate(counter, at, at + AROUND_SECONDS) / before)
    return f"servers got after a move {', '.join(f'{part:.2f}' for part in sorted(parts)) or 'nothing'} of before"
