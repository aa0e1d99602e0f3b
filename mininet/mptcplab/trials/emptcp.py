# SPDX-License-Identifier: Apache-2.0
"""eMPTCP (Wang and Hamdi): when a host asks for paths, and how long files take in a small fat tree (Fig. 7 to 9).

The paper simulates 128 hosts and leaves open how flows arrive. Here four pairs of hosts in a 4-ary fat tree with links of 10
Mbit/s send files with Weibull gaps.
"""

import contextlib
import random
import threading
import time
from collections.abc import Iterator

from .. import filetransfer
from ..agents import Agents
from ..rest import Json
from ..settings import progress
from ..testbed import Testbed
from ..topology import load
from . import bed
from .bed import Row

WINDOWS = ("emptcp", "emptcp-published", "reno", "tcp")
"""The paper's window with τ turned round, and as printed; New Reno over MPTCP on the same paths, and over plain TCP."""

FILE = 2_000_000
FILES = 3
"""A pair sends so many in a run, one after the other."""

_SHAPE, _SCALE_SECONDS = 0.8, 0.3
_SECONDS = 12
_LITTLE_MBPS = 4
"""An application that sends no more than this needs one path."""

_EVERY_SECONDS = 0.25
_PORT = 5201


def requests(runs: int) -> list[Row]:
    """A connection on Multiflow's three paths whose agent asks for what is needed: its subflows, ζ and its rate over time, for a
    program that sends all it can, and for one that sends little."""
    rows = []
    with Testbed(bed.diamond(1), 1, 1) as testbed:
        bed.prepare(testbed, subflows=3, mostSubflows=3, agentSubflows="needed", manageAfterMillis=0, manageAfterBytes=0)
        agents = Agents(testbed)
        agents.start("emptcp")
        for number in range(1, runs + 1):
            for sends, options in (("all", []), ("little", ["-b", f"{_LITTLE_MBPS}M"])):
                bed.settle(testbed)
                told = _followed(testbed, options)
                rows += [{"run": number, "sends": sends, **row} for row in told]
                progress(f"run {number}, sends {sends}: {told[-1]['subflows']} subflows, {told[-1]['mbps']:.2f} Mbit/s")
    return rows


def _followed(testbed: Testbed, options: list[str]) -> list[Row]:
    transfer = testbed.transfer(seconds=_SECONDS, port=_PORT, options=options)
    rows = []
    try:
        while transfer.runs():
            bed.at(time.monotonic() + _EVERY_SECONDS)
            active = [one for one in bed.connections(testbed) if one["state"] == "active"]
            if active:
                largest = max(active, key=_rate)
                rows.append({"second": round(time.monotonic() - transfer.started, 2), "subflows": len(largest["subflows"]),
                             "fair": largest["fairUpMbps"], "available": largest["availableUpMbps"],
                             "measured": (largest["measuredUpMbps"] or 0)})
        transfer.finish()
    finally:
        transfer.stop()
    return [{**row, "mbps": round(transfer.goodput(), 4)} for row in rows]


def _rate(one: Json) -> float:
    return float(one["measuredUpMbps"] or 0)


def fat_tree(runs: int) -> list[Row]:
    """How long each file takes, with each window; the gaps are the same for all."""
    rows = []
    topology = load("fattree4")
    pairs = len(topology.pairs)
    with Testbed(topology, pairs, 1) as testbed, filetransfer.servers(testbed):
        bed.prepare(testbed, subflows=2, mostSubflows=4, manageAfterMillis=0, manageAfterBytes=0)
        for number in range(1, runs + 1):
            for window in WINDOWS:
                bed.settle(testbed)
                with _windows(testbed, window):
                    told = _files(testbed, number, "tcp" if window == "tcp" else "mptcp")
                rows += [{"run": number, "window": window, **row} for row in told]
                progress(f"run {number} of {runs}, {window}: {sum(row['seconds'] for row in told) / len(told):.2f} s a file")
    return rows


@contextlib.contextmanager
def _windows(testbed: Testbed, window: str) -> Iterator[None]:
    agents = Agents(testbed)
    if window == "tcp":
        for client in testbed.network.clients:
            client.pexec(["sysctl", "-q", "-w", "net.ipv4.tcp_congestion_control=reno"])
    else:
        agents.start(window)
    try:
        yield
    finally:
        if window != "tcp":
            agents.leave()


def _files(testbed: Testbed, seed: int, protocol: str) -> list[Row]:
    rows: list[Row] = []
    failures: list[BaseException] = []

    def sends(pair: int) -> None:
        draw = random.Random(1000 * seed + pair)
        try:
            for _ in range(FILES):
                bed.at(time.monotonic() + draw.weibullvariate(_SCALE_SECONDS, _SHAPE))
                rows.extend({"pair": pair, **one} for one in bed.sent(bed.send(testbed, [pair], FILE, protocol)))
        except BaseException as failure:  # told by the thread that waits
            failures.append(failure)
    threads = [threading.Thread(target=sends, args=(pair,)) for pair in range(len(testbed.network.clients))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return rows
