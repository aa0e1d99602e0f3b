# SPDX-License-Identifier: Apache-2.0
"""The network as a whole on a map (long): connections arrive one after the other, two leave, a link fails meanwhile. Each time
the expected shares come to those that ``./lab plan`` has for the same connections. Where one that leaves opens a better path to
another, that one moves: what the move costs it, and a failure amid the move."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
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

ORDER, LEAVES = (1, 2, 0), 1
"""Pairs of hosts: Nashville to Sunnyvale, Atlanta to Sunnyvale, Chicago to Houston. While the second is there, the two others
share a link; once it has left, one of them moves, and both have 20 instead of 15 Mbit/s (``./lab plan`` has 20)."""

MOST_SECONDS, OF_BEFORE = 1.0, 0.9
"""No move may keep its connection below this part of its rate for longer, beyond what the machine does without a move."""

STEP_SECONDS = 0.25
"""Between looks at the receivers' counters; a rate is over two of them."""

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
    pairs = [number % len(testbed.network.clients) for number in range(ARRIVALS)]
    with streams(testbed, pairs) as senders:
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


def test_a_move_costs_its_connection_little(testbed: Testbed, sampler: Sampler, capsys: pytest.CaptureFixture[str]) -> None:
    with streams(testbed, ORDER) as senders:
        settled(testbed)
        earlier = moves(testbed)
        before = {c["id"]: c["expectedUpMbps"] for c in active(testbed)}
        name, at = move_after_leaving(testbed, senders[LEAVES])
        wait_for("what comes after the move", lambda: time.monotonic() > at + 2 * AROUND_SECONDS, 30)
        counter = receiver(testbed, name)
        rate = sampler.rate(counter, at - AROUND_SECONDS, at)
        noise = seconds_below(sampler, counter, OF_BEFORE * rate, at - 2 * AROUND_SECONDS, at)
        low = seconds_below(sampler, counter, OF_BEFORE * rate, at, at + 2 * AROUND_SECONDS)
        after = sampler.rate(counter, at, at + 2 * AROUND_SECONDS)
        settled(testbed)
        now, moved = {c["id"]: c["expectedUpMbps"] for c in active(testbed)}, {*earlier, *moves(testbed)}
        tell(capsys, f"a move: its server got {rate:.1f} Mbit/s before and {after:.1f} after, less than {OF_BEFORE} of before "
                     f"for {low:.2f} s at a stretch ({noise:.2f} s without a move); expected {[before[c] for c in now]} before, "
                     f"{list(now.values())} now; {len(moved)} moves")
        assert rate > 1
        assert low <= max(MOST_SECONDS, noise + 2 * STEP_SECONDS)
        assert min(now.values()) > 1.1 * min(before[c] for c in now), "a move gains 10 %"
        assert len(moved) <= len(ORDER), "at most one move for each arrival"


def test_a_failure_amid_a_move_is_repaired_first(testbed: Testbed, capsys: pytest.CaptureFixture[str]) -> None:
    with streams(testbed, ORDER) as senders:
        settled(testbed)
        name, at = move_after_leaving(testbed, senders[LEAVES])
        moved = next(c for c in active(testbed) if c["id"] == name)
        link = max(paths(moved), key=len)[1:3]
        with failing(testbed, (link[0], link[1])) as failure:
            late = time.monotonic() - at
            millis = cut_and_follow(testbed, failure)
            tell(capsys, f"a failure {late:.2f} s after a move: new rules after {millis} ms")
            assert millis is not None and millis < 10_000
            assert all(frozenset(link) not in links_of(found) for c in active(testbed) for found in paths(c))
        all_links_up(testbed)


@contextmanager
def streams(testbed: Testbed, pairs: Sequence[int]) -> Iterator[list[ExitStack]]:
    """Connections between these pairs of hosts, begun one after the other; gives what ends each of them."""
    network = testbed.network
    wait_for("no traffic but MPTCP's on any link", lambda: no_other_traffic(testbed), 60)
    senders: list[ExitStack] = []
    with ExitStack() as running, managed_at_once(testbed):
        for server in network.servers:
            running.callback(end_group, started(server, "sink", MPTCP, PORT))
            wait_for("the server", lambda: listens(server, PORT), 20)
        for number, pair in enumerate(pairs, 1):
            sender = running.enter_context(ExitStack())
            senders.append(sender)
            client, address = network.clients[pair], network.addresses(network.servers[pair])[0]
            sender.callback(end_group, started(client, "stream", MPTCP, address, PORT))
            wait_for(f"connection {number} with three subflows", lambda: all_placed(testbed, number, client), 30, every=0.05)
        yield senders


def move_after_leaving(testbed: Testbed, leaving: ExitStack) -> tuple[str, float]:
    """Ends a connection; returns the name of the first one that moves then, and when (``time.monotonic``)."""
    before = set(moves(testbed))
    leaving.close()
    name, at = wait_for("a move", lambda: next((move for move in moves(testbed) if move not in before), None), TIMEOUT,
                        every=0.05)
    return name, at - time.time() + time.monotonic()


def receiver(testbed: Testbed, name: str) -> tuple[str]:
    """The counter of what a connection's server gets: its switch's interface."""
    network = testbed.network
    address = next(c for c in active(testbed) if c["id"] == name)["subflows"][0]["dst"].rsplit(":", 1)[0]
    number = next(i for i, server in enumerate(network.servers) if network.addresses(server)[0] == address)
    return (network.interface(network.topology.pair(number)[1], network.servers[number].name),)


def seconds_below(sampler: Sampler, counter: tuple[str], level: float, begin: float, end: float) -> float:
    """The longest stretch for which a counter's rate was below a level, Mbit/s, without a break."""
    longest = stretch = 0.0
    for step in range(int((end - begin) / STEP_SECONDS) - 1):
        at = begin + step * STEP_SECONDS
        low = sampler.rate(counter, at, at + 2 * STEP_SECONDS) < level
        stretch = stretch + STEP_SECONDS if low else 0.0
        longest = max(longest, stretch)
    return longest


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
