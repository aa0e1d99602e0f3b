# SPDX-License-Identifier: Apache-2.0
"""S-MPTCP's tables: three connections on Fig. 1, with the paper's own baselines, and collisions on Fig. 2.

The paper does not give the length of queues, which is Mininet's 1000 packets unless set. So there are three of them.
"""

import itertools
import json
import statistics
from collections.abc import Iterator, Sequence
from typing import Any

from mptcplab.settings import ROOT

from .running import Result, run
from .scenario import Connection, Noise, Path, Scenario, series

Row = dict[str, Any]

QUEUES = (25, 100, 1000)
BASELINES = ("balia", "olia", "lia", "wvegas")
_APART, _LASTS, _LAST = 5.0, 50.0, 25.0
"""Seconds between the connections, of the first, and of its end that shares are of."""

_ACCESS, _NEAR, _WINDOW = 0.1, 0.1, 2.0
_PATHS = ((("a1", "m1", "n1", "b1"), 4.0), (("a1", "m2", "n2", "b1"), 8.0), (("a2", "m2", "n2", "b2"), 2.0),
          (("a2", "m3", "n3", "b2"), 10.0), (("a3", "m3", "n3", "b3"), 2.0), (("a3", "m4", "n4", "b3"), 10.0))
"""The two paths of each connection, and the throughput that allocators expect of them: 12 Mbit/s for each connection."""


def _links(topology: str) -> list[tuple[str, str, float]]:
    read = json.loads((ROOT / "mininet" / "mptcplab" / "topologies" / f"{topology}.json").read_text(encoding="utf-8"))
    return [(link["source"], link["target"], link["capacityMbps"]) for link in read["links"]]


def fig1(control: str, queue: int, seed: int, delay: float = 0.015, lasts: float = _LASTS) -> Scenario:
    """Three connections 5 s apart; ``delay``: of a path, in seconds, one way. Noise is a thousandth of a link."""
    links = _links("fig1")
    connections = tuple(
        Connection(tuple(Path(nodes, expected) for nodes, expected in _PATHS[2 * number:2 * number + 2]), control,
                   # Runs differ by when connections begin, within a tenth of a second.
                   start=number * _APART + 0.01 * ((seed * 7 + number * 3) % 10), buffer=64 << 20) for number in range(3))
    return Scenario(connections, lasts, series(links, delay / 3, queue), sample=0.5, seed=seed,
                    noise=tuple(Noise((one, other), mbps / 1000) for one, other, mbps in links if one[0] == "m"))


def shares(result: Result, lasts: float = _LASTS) -> Row:
    """Payload of each connection over the last half (Mbit/s), and after how many seconds from the last one's begin all stay
    near."""
    last = min(_LAST, lasts / 2)
    rates = [one.mbps(lasts - last, lasts) for one in result.connections]
    return {**{f"rate_{number}": round(rate, 4) for number, rate in enumerate(rates, 1)}, "total": round(sum(rates), 4),
            "sd": round(statistics.pstdev(rates), 4), "settled": _settled(result, rates, lasts - last)}


def _settled(result: Result, rates: Sequence[float], end: float) -> float | None:
    begun = max(one.started for one in result.connections)
    at, moment = 2 * _APART + 0.5, None
    while at <= end:
        if any(abs(one.mbps(at, at + _WINDOW) - rate) > _NEAR * rate for one, rate in zip(result.connections, rates)):
            moment = None
        elif moment is None:
            moment = round(at - begun, 2)
        at += 0.5
    return moment


def tables(runs: int, quick: bool) -> Iterator[Row]:
    """Tables 1 and 7."""
    controls = (*BASELINES, "smptcp", "smptcp-published", "reno")
    for queue, control in itertools.product(QUEUES[1:2] if quick else QUEUES, controls):
        for seed in range(1, runs + 1):
            yield {"queue": queue, "control": control, "run": seed, **shares(run(fig1(control, queue, seed)))}


def parameters(runs: int, quick: bool) -> Iterator[Row]:
    """Table 6: α and β, with β on the side that the table wants, and as printed."""
    alphas, betas = ((1, 5), (1, 3)) if quick else ((1, 3, 5, 10), (1, 2, 3))
    for side, alpha, beta in itertools.product(("last", "now"), alphas, betas):
        if side == "now" and beta == 1:
            continue
        control = f"smptcp:ALPHA={alpha}:BETA_OF_{side.upper()}={beta}"
        for seed in range(1, runs + 1):
            yield {"beta_of": side, "alpha": alpha, "beta": beta, "run": seed, **shares(run(fig1(control, 100, seed)))}


def delays(runs: int, quick: bool) -> Iterator[Row]:
    """Table 8 and Fig. 9: over the 50 s of the paper, and over 300, once."""
    for lasts, delay, control in itertools.product((_LASTS,) if quick else (_LASTS, 300.0),
                                                   (15, 500) if quick else (15, 30, 100, 200, 500), ("smptcp", "balia")):
        for seed in range(1, (runs if lasts == _LASTS else 1) + 1):
            yield {"lasts": lasts, "delay": delay, "control": control, "run": seed,
                   **shares(run(fig1(control, 100, seed, delay / 1000, lasts)), lasts)}


def trajectories(_runs: int, _quick: bool) -> Iterator[Row]:
    """Fig. 3 and 8: a run with Mininet's queue."""
    for control in ("balia", "smptcp"):
        for number, one in enumerate(run(fig1(control, 1000, 1)).connections, 1):
            rates = one.rates()
            for (_, before), (second, after) in zip(rates[::2], rates[1::2]):
                yield {"control": control, "connection": number, "second": second, "mbps": round((before + after) / 2, 3)}


def collisions(runs: int, _quick: bool) -> Iterator[Row]:
    """Tables 9 and 10, Fig. 4, 10 and 11: each outcome of hashing with its share of all. ``connections``: one has two subflows
    and two paths; of two each has a subflow in either plane, which chooses between two core switches there."""
    first = [("a1", "p1", "c1", "r1", "b1"), ("a1", "p2", "c3", "r2", "b1")]
    for seed in range(1, runs + 1):
        for subflows in (1, 2):
            yield {"connections": 1, "met": 2 - subflows, "outcomes": 1, "of": 2, "run": seed,
                   "mbps": _carried([first[:subflows] * (3 - subflows)], seed)}
        for met in (0, 1, 2):
            second = [("a2", "p1", "c1" if met else "c2", "r1", "b2"), ("a2", "p2", "c3" if met > 1 else "c4", "r2", "b2")]
            yield {"connections": 2, "met": met, "outcomes": (4, 8, 4)[met], "of": 16, "run": seed,
                   "mbps": _carried([first, second], seed)}


def _carried(connections: Sequence[Sequence[tuple[str, ...]]], seed: int) -> float:
    """Payload of all connections in 30 s after 15, Mbit/s: slow start leaves a window that takes so long to come back."""
    links = _links("fig2b")
    scenario = Scenario(tuple(Connection(tuple(map(Path, paths)), "balia", start=0.05 * ((seed + number) % 3), buffer=64 << 20)
                              for number, paths in enumerate(connections)), 45.0, series(links, 0.005, 100), seed=seed,
                        noise=tuple(Noise((one, other), mbps / 1000) for one, other, mbps in links if one[0] == "p"))
    return round(sum(one.mbps(15, 45) for one in run(scenario).connections), 4)
