# SPDX-License-Identifier: Apache-2.0
"""S-MPTCP (Liu et al.): how three connections share ``fig1`` (Tables 1, 6, 7, Fig. 3, 8), and collisions (Tables 9, 10)."""

import contextlib
import itertools
from collections.abc import Iterator
from typing import NamedTuple

from mptcpagent.compiling import FOLDER, compile_source, place

from ..agents import Agents
from ..settings import progress
from ..testbed import Testbed
from ..topology import load
from ..transfer import Transfer
from . import bed
from .bed import Row
from .delays import delayed

WINDOWS = ("smptcp", "balia", "reno", "limits", "smptcp-published", "lia", "olia", "wvegas")
"""The paper's window over Reno; BALIA, with which the paper compares it first; a kernel's own; our agents' limits in place of
windows; the paper's window over BALIA, as it has it; its other baselines. The quick form takes the first four."""

_QUICK_WINDOWS = 4

VARIANTS = {"alpha-1": ("-DALPHA=1",), "beta-3": ("-DBETA_OF_LAST=3",)}
"""Table 6: other parameters of the window; β on the side that fits the table."""

CONNECTIONS = 3
DELAYS = (15, 100, 500)
"""Milliseconds, one way."""

_INTERVAL = 0.5
_PORT = 5201


class Lengths(NamedTuple):
    """Of an experiment, in seconds: how long the first connection runs, and how much later each other one begins; how long those
    run that collide."""

    first: int
    apart: int
    colliding: int


PUBLISHED, QUICK = Lengths(50, 5, 50), Lengths(16, 2, 5)


def _lengths(quick: bool) -> Lengths:
    return QUICK if quick else PUBLISHED


def windows(runs: int, quick: bool) -> list[Row]:
    """Payload of each connection in each half second. Connections begin one after the other, and end together."""
    rows = []
    names = WINDOWS[:_QUICK_WINDOWS] if quick else (*WINDOWS, *VARIANTS)
    with _fig1() as testbed:
        for number in range(1, runs + 1):
            for name in names:
                with _agents(testbed, name):
                    rows += [{"run": number, "window": name, **row} for row in _trajectories(testbed, _lengths(quick))]
                bed.settle(testbed)
                progress(f"run {number} of {runs}, {name}: {_told(rows, number, name)}")
    return rows


@contextlib.contextmanager
def _fig1() -> Iterator[Testbed]:
    with Testbed(load("fig1"), CONNECTIONS, 2) as testbed:
        bed.prepare(testbed, strategy="resource-pool", allocator="smptcp", subflows=2, mostSubflows=2)
        yield testbed


def _told(rows: list[Row], number: int, name: str) -> str:
    rates: dict[int, list[float]] = {}
    mine = [row for row in rows if (row["run"], row["window"]) == (number, name)]
    end = max(row["second"] for row in mine)
    for row in mine:
        if row["second"] > end / 2:
            rates.setdefault(row["connection"], []).append(row["mbps"])
    return ", ".join(f"{sum(some) / len(some):.2f}" for some in rates.values()) + " Mbit/s in the last half"


@contextlib.contextmanager
def _agents(testbed: Testbed, name: str) -> Iterator[None]:
    """While its body runs, agents open the same subflows and control their windows, or limit their rates."""
    agents = Agents(testbed)
    folder = testbed.folder / "agents"
    # Agents take a compiled program from there.
    compiled = place("smptcp", folder)
    if name in VARIANTS:
        folder.mkdir(mode=0o700, exist_ok=True)
        compiled.write_bytes(compile_source(FOLDER / "smptcp.bpf.c", VARIANTS[name]))
    agents.start(None if name == "limits" else "smptcp" if name in VARIANTS else name)
    try:
        yield
    finally:
        agents.leave()
        if name in VARIANTS:
            # The next ones are to have the published parameters.
            compiled.unlink()


def _trajectories(testbed: Testbed, lengths: Lengths) -> list[Row]:
    network = testbed.network
    transfers: list[Transfer] = []
    try:
        for index in range(CONNECTIONS):
            if transfers:
                bed.at(transfers[0].started + lengths.apart * index)
            transfers.append(testbed.transfer(network.clients[index], network.servers[index],
                                              lengths.first - lengths.apart * index, _PORT, interval=_INTERVAL))
        for transfer in transfers:
            transfer.finish()
    finally:
        for transfer in transfers:
            transfer.stop()
    first = transfers[0].started
    return [{"connection": index, "second": round(transfer.started - first + part["sum"]["start"], 2),
             "mbps": round(part["sum"]["bits_per_second"] / 1e6, 4)}
            for index, transfer in enumerate(transfers, 1) for part in transfer.intervals()
            # What is left of the last interval may be a few milliseconds.
            if part["sum"]["seconds"] > _INTERVAL / 2]


def delays(runs: int, quick: bool) -> list[Row]:
    """Table 8: the same with a delay on each path, one way, in milliseconds."""
    rows = []
    with _fig1() as testbed:
        for millis in DELAYS[:1 if quick else None]:
            with delayed(testbed, millis):
                for number, name in itertools.product(range(1, runs + 1), ("smptcp", "balia")):
                    with _agents(testbed, name):
                        rows += [{"run": number, "window": name, "delay": millis, **row}
                                 for row in _trajectories(testbed, _lengths(quick))]
                    bed.settle(testbed)
                    mine = [row for row in rows if row["delay"] == millis]
                    progress(f"{millis} ms, run {number} of {runs}, {name}: {_told(mine, number, name)}")
    return rows


def collisions(runs: int, quick: bool) -> list[Row]:
    """One connection (Table 9) and two (Table 10) on ``fig2b``, with BALIA by hashing and on disjoint paths, and with S-MPTCP."""
    rows = []
    seconds = _lengths(quick).colliding
    with Testbed(load("fig2b"), 2, 2) as testbed:
        bed.prepare(testbed, subflows=2, mostSubflows=2)
        with _agents(testbed, "balia"):
            # Hashing draws anew each time, so it has twice as many.
            for solution, strategy, times in (("regular", "ecmp", 2 * runs), ("disjoint", "multiflow", runs)):
                testbed.onos.configure(strategy=strategy, allocator="max-min")
                rows += _collided(testbed, solution, times, seconds)
        testbed.onos.configure(strategy="resource-pool", allocator="smptcp")
        with _agents(testbed, "smptcp"):
            rows += _collided(testbed, "smptcp", runs, seconds)
    return rows


def _collided(testbed: Testbed, solution: str, times: int, seconds: int) -> list[Row]:
    network = testbed.network
    rows = []
    for connections in (1, 2):
        for number in range(1, times + 1):
            bed.settle(testbed)
            transfers = [testbed.transfer(network.clients[index], network.servers[index], seconds, _PORT)
                         for index in range(connections)]
            try:
                for transfer in transfers:
                    transfer.finish()
            finally:
                for transfer in transfers:
                    transfer.stop()
            rates = [transfer.goodput() for transfer in transfers]
            rows.append({"connections": connections, "solution": solution, "run": number, "mbps": round(sum(rates), 4)})
            progress(f"{connections} connections, {solution}: {sum(rates):.2f} Mbit/s")
    return rows
