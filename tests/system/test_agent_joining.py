# SPDX-License-Identifier: Apache-2.0
"""A connection joins two others and leaves them, with host agents on real kernels (long): the shares move to their new values in
time, and nobody pays for it meanwhile. Needs ``--topology fig1 --pairs 3``."""

import time
from collections.abc import Iterator

import pytest

from conftest import active, quiet, tell
from mptcplab import demo
from mptcplab.agents import Agents
from mptcplab.processes import wait_for
from mptcplab.sampling import Sampler
from mptcplab.testbed import Testbed
from stream import Stream

pytestmark = pytest.mark.long

PORT = 5300
STAYING = (0, 2)
"""The connections that the other one joins."""

EVERY_SECONDS, WINDOW_SECONDS = 0.1, 1.0
SETTLED_SECONDS, OBSERVED_SECONDS = 8, 14
"""After a change, in seconds: from when to when a connection's rate counts as its new share."""

NEAR = 0.15
"""Part of a share by which a rate over one window may differ from it."""

MOST_SECONDS = 4
"""Until all rates are near their new shares. The aim is 2; a busy machine takes longer."""

LEAST_PART = 0.5
"""Of its new share for each connection that stays."""

LEAST_SUM = 0.8
"""Of the smaller sum of before and after for all, in any window. Who leaves lets a third of the network lie idle, until the
others have heard of it."""


class Arrivals:
    """What the switches send to each server, from the counters of their interfaces."""

    def __init__(self, sampler: Sampler, ports: list[str]) -> None:
        self._sampler, self._ports = sampler, ports

    def rates(self, begin: float, end: float) -> list[float]:
        """The mean towards each server between two times, Mbit/s on the wire."""
        return [self._sampler.rate((port,), begin, end) for port in self._ports]

    def windows(self, begin: float, end: float) -> Iterator[tuple[float, list[float]]]:
        """The end of each window that lies between two times, and the rates in it."""
        at = begin + WINDOW_SECONDS
        while at <= end:
            yield at, self.rates(at - WINDOW_SECONDS, at)
            at += EVERY_SECONDS


@pytest.fixture(scope="module")
def arrivals(session_testbed: Testbed) -> Iterator[Arrivals]:
    testbed, network = session_testbed, session_testbed.network
    if len(network.clients) < 3:
        pytest.skip("needs three pairs of hosts that share links")
    demo.configure(testbed.onos, subflows=2)
    Agents(testbed).start()
    quiet(testbed)
    ports = [network.interface(network.topology.pair(index)[1], server.name) for index, server in enumerate(network.servers)]
    sampler = Sampler([], EVERY_SECONDS)
    sampler.start()
    try:
        yield Arrivals(sampler, ports)
    finally:
        sampler.stop()


def follow(arrivals: Arrivals, changed: float, of: list[int]) -> tuple[list[float], float, float]:
    """Watches a change of the shares of some connections: the new rates of all, after how many seconds all windows are near them,
    and the smallest part of its new rate that the first or the last connection had in a window until then."""
    end = changed + OBSERVED_SECONDS
    wait_for("the end of an observation", lambda: time.monotonic() >= end, OBSERVED_SECONDS + 10)
    after = arrivals.rates(changed + SETTLED_SECONDS, end)
    far, least = 0.0, 1.0
    for at, rates in arrivals.windows(changed, changed + SETTLED_SECONDS):
        least = min(least, *(rates[one] / after[one] for one in STAYING))
        if any(abs(rates[one] - after[one]) > NEAR * after[one] for one in of):
            # A window is as late as its end, and what it shows begins earlier.
            far = at - changed - WINDOW_SECONDS
    return after, max(0.0, far), least


def least_sum(arrivals: Arrivals, begin: float, end: float) -> float:
    return min(sum(rates) for _, rates in arrivals.windows(begin, end))


def test_shares_follow_a_connection_that_joins_and_leaves(session_testbed, arrivals, capsys):
    network = session_testbed.network

    def stream(index: int) -> Stream:
        return Stream(network.clients[index], network.servers[index], network.addresses(network.servers[index])[0], PORT + index)
    first, last, middle = stream(0), stream(2), None
    try:
        wait_for("paths of both", lambda: sum(c["state"] == "active" and len(c["subflows"]) == 2
                                              for c in active(session_testbed)) == 2, 40)
        begun = time.monotonic()
        two, _, _ = follow(arrivals, begun, [0, 2])
        joined = time.monotonic()
        middle = stream(1)
        three, joining, least_joining = follow(arrivals, joined, [0, 1, 2])
        left = time.monotonic()
        middle.finish()
        again, leaving, least_leaving = follow(arrivals, left, [0, 2])
        first.finish()
        last.finish()
    finally:
        for running in (first, middle, last):
            if running:
                running.stop()
    sum_joining = least_sum(arrivals, joined - 2, joined + SETTLED_SECONDS) / min(sum(two), sum(three))
    sum_leaving = least_sum(arrivals, left - 2, left + SETTLED_SECONDS) / min(sum(three), sum(again))
    tell(capsys, f"shares {shown(two)}, with a third connection {shown(three)}, after it {shown(again)} Mbit/s; near them "
                 f"after {joining:.1f} and {leaving:.1f} s; least part of a new share {least_joining:.2f} and "
                 f"{least_leaving:.2f}, of the sum {sum_joining:.2f} and {sum_leaving:.2f}")
    assert joining <= MOST_SECONDS and leaving <= MOST_SECONDS
    assert least_joining >= LEAST_PART and least_leaving >= LEAST_PART
    assert sum_joining >= LEAST_SUM and sum_leaving >= LEAST_SUM


def shown(rates: list[float]) -> str:
    return ", ".join(f"{rate:.1f}" for rate in rates)
