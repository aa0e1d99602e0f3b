# SPDX-License-Identifier: Apache-2.0
"""S-MPTCP (Liu et al.): how three connections share ``fig1`` (Tables 1, 6, 7, Fig. 3, 8), and collisions (Tables 9, 10)."""

import contextlib
import os
from collections.abc import Iterator

from mptcpagent.compiling import FOLDER, compile_source

from ..agents import Agents
from ..settings import progress
from ..testbed import Testbed
from ..topology import load
from ..transfer import Transfer
from . import bed
from .bed import Row
from .delays import delayed

WINDOWS = ("smptcp", "limits", "reno")
"""The paper's window, our agents' limits in its place, and a kernel's own on the same paths."""

VARIANTS = {"alpha-1": ("-DALPHA=1",), "beta-3": ("-DBETA_OF_LAST=3",)}
"""Table 6: other parameters of the window; β on the side that fits the table."""

CONNECTIONS = 3
DELAYS = ((15, 20), (100, 24), (500, 50))
"""Milliseconds, and for how many seconds the first connection runs."""

SECONDS = 16
APART_SECONDS = 2
_INTERVAL, _LAST_SECONDS = 0.5, 6
_COLLISION_SECONDS = 5
_PORT = 5201


def windows(runs: int) -> list[Row]:
    """Payload of each connection in each half second. Connections begin two seconds apart, and end together."""
    rows = []
    names = (*WINDOWS, *(VARIANTS if runs > 1 else ()))
    with Testbed(load("fig1"), CONNECTIONS, 2) as testbed:
        bed.prepare(testbed, strategy="resource-pool", allocator="smptcp", subflows=2, mostSubflows=2)
        for number in range(1, runs + 1):
            for name in names:
                with _agents(testbed, name):
                    rows += [{"run": number, "window": name, **row} for row in _trajectories(testbed)]
                bed.settle(testbed)
                progress(f"run {number} of {runs}, {name}: {_told(rows, number, name)}")
    return rows


def _told(rows: list[Row], number: int, name: str) -> str:
    rates: dict[int, list[float]] = {}
    mine = [row for row in rows if (row["run"], row["window"]) == (number, name)]
    end = max(row["second"] for row in mine)
    for row in mine:
        if row["second"] > end - _LAST_SECONDS:
            rates.setdefault(row["connection"], []).append(row["mbps"])
    return ", ".join(f"{sum(some) / len(some):.2f}" for some in rates.values()) + " Mbit/s at the end"


@contextlib.contextmanager
def _agents(testbed: Testbed, name: str) -> Iterator[None]:
    """While its body runs, agents open the same subflows and control their windows, or limit their rates."""
    agents = Agents(testbed)
    folder = testbed.folder / "agents"
    compiled = folder / "smptcp.bpf.o"
    if name in VARIANTS:
        folder.mkdir(mode=0o700, exist_ok=True)
        compiled.write_bytes(compile_source(FOLDER / "smptcp.bpf.c", VARIANTS[name]))
    agents.start(None if name == "limits" else "smptcp" if name in VARIANTS else name)
    try:
        yield
    finally:
        agents.leave()
        with contextlib.suppress(FileNotFoundError):
            # Agents take a compiled program from there: the next ones are to have the published parameters.
            os.unlink(compiled)


def _trajectories(testbed: Testbed, seconds: int = SECONDS) -> list[Row]:
    network = testbed.network
    transfers: list[Transfer] = []
    try:
        for index in range(CONNECTIONS):
            if transfers:
                begin = transfers[0].started + APART_SECONDS * index
                bed.at(begin)
            transfers.append(testbed.transfer(network.clients[index], network.servers[index], seconds - APART_SECONDS * index,
                                              _PORT, interval=_INTERVAL))
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


def delays(runs: int) -> list[Row]:
    """Table 8: the same with a delay on each path, one way, in milliseconds. Each is measured once."""
    rows = []
    with Testbed(load("fig1"), CONNECTIONS, 2) as testbed:
        bed.prepare(testbed, strategy="resource-pool", allocator="smptcp", subflows=2, mostSubflows=2)
        for millis, seconds in DELAYS[:1 if runs == 1 else None]:
            with delayed(testbed, millis):
                for name in ("smptcp", "reno"):
                    with _agents(testbed, name):
                        rows += [{"run": 1, "window": name, "delay": millis, **row} for row in _trajectories(testbed, seconds)]
                    bed.settle(testbed)
                    progress(f"{millis} ms, {name}: {_told([row for row in rows if row['delay'] == millis], 1, name)}")
    return rows


def collisions(runs: int) -> list[Row]:
    """One connection (Table 9) and two (Table 10) on ``fig2b``, by hashing, with disjoint paths, and with S-MPTCP."""
    rows = []
    with Testbed(load("fig2b"), 2, 2) as testbed:
        bed.prepare(testbed, subflows=2, mostSubflows=2)
        # Hashing draws anew each time, so it has twice as many.
        for solution, strategy, times in (("regular", "ecmp", 2 * runs), ("disjoint", "multiflow", runs)):
            testbed.onos.configure(strategy=strategy, allocator="max-min")
            rows += _collided(testbed, solution, times)
        testbed.onos.configure(strategy="resource-pool", allocator="smptcp")
        with _agents(testbed, "smptcp"):
            rows += _collided(testbed, "smptcp", runs)
    return rows


def _collided(testbed: Testbed, solution: str, times: int) -> list[Row]:
    network = testbed.network
    rows = []
    for connections in (1, 2):
        for number in range(1, times + 1):
            bed.settle(testbed)
            transfers = [testbed.transfer(network.clients[index], network.servers[index], _COLLISION_SECONDS, _PORT)
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
