# SPDX-License-Identifier: Apache-2.0
"""Sheu et al.: whether paths of equal width carry more than paths of unequal width with the same sum, which they put down to less
head-of-line blocking, and with which receive buffer."""

import itertools
from collections.abc import Iterator
from typing import Any

from .running import run
from .scenario import FULL, Connection, Link, Path, Scenario

Row = dict[str, Any]

WIDTHS = {"equal": (7.0, 7.0, 7.0), "as their example": (8.0, 8.0, 5.0), "unequal": (12.0, 7.0, 2.0)}
"""Mbit/s of three disjoint paths, 21 together. The example's first set has 8, 8 and 4."""

BUFFERS = (64 << 10, 256 << 10, 6 << 20)
_QUEUES = (25, 100, 1000)
_BEGINS, _ENDS = 5.0, 35.0


def scenario(widths: tuple[float, ...], buffer: int, queue: int, control: str, seed: int) -> Scenario:
    """One connection over three paths of 10 ms."""
    links = tuple(link for number, mbps in enumerate(widths)
                  for link in (Link(("s", f"m{number}"), 100, 0.001), Link((f"m{number}", "t"), mbps, 0.009, queue)))
    paths = tuple(Path(("s", f"m{number}", "t")) for number in range(len(widths)))
    return Scenario((Connection(paths, control, start=0.01 * seed, buffer=buffer),), _ENDS, links, seed=seed)


def buffers(runs: int, quick: bool) -> Iterator[Row]:
    """``share``: payload as a part of what the paths can have."""
    queues = _QUEUES[1:2] if quick else _QUEUES
    controls = ("lia",) if quick else ("reno", "lia")
    for queue, control, buffer, seed in itertools.product(queues, controls, BUFFERS, range(1, runs + 1)):
        for name, widths in WIDTHS.items():
            [sent] = run(scenario(widths, buffer, queue, control, seed)).connections
            yield {"queue": queue, "control": control, "buffer": buffer, "widths": name, "run": seed,
                   "share": round(sent.mbps(_BEGINS, _ENDS) / FULL / sum(widths), 4)}
