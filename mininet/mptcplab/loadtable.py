# SPDX-License-Identifier: Apache-2.0
"""What ``./lab bench load`` has measured, as a table for people and as entries of the contract's JSON."""

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from .rest import Json

Figures = dict[str, float | None]
"""Name of a figure → what one round has measured; None if there was nothing to measure."""


@dataclass
class Rounds:
    """What has been measured so far, by what was on the network; oldest first.

    ``loop``: the forwarder alone, beside a program that takes as much processor time as ONOS takes more with the application;
    ``uncopied``: the application where switches copy no SYN, FIN and RST.
    """

    alone: list[Figures] = field(default_factory=list)
    ours: list[Figures] = field(default_factory=list)
    loop: list[Figures] = field(default_factory=list)
    uncopied: list[Figures] = field(default_factory=list)


_LOOP = " loop: the same beside a program that takes as much processor time as ONOS takes more with the application"


@dataclass(frozen=True)
class Row:
    """A figure: its key in ``Figures``, its words in the table, its unit, and whether more of it is better."""

    key: str
    words: str
    unit: str
    more_is_better: bool = False
    digits: int = 1


def _connections(key: str) -> tuple[Row, ...]:
    return (Row(f"{key}-rate", "answered", "requests/s", more_is_better=True), Row(f"{key}-p50", "median", "ms"),
            Row(f"{key}-p99", "99th percentile", "ms"), Row(f"{key}-failed", "failed", "requests", digits=0),
            Row(f"{key}-requests", "n", "requests", digits=0))


def _busy(key: str) -> tuple[Row, ...]:
    return (*_connections(key), Row(f"{key}-rules", "rules in the busiest switch", "rules", digits=0),
            Row(f"{key}-processor", "ONOS takes", "processors", digits=2))


GROUPS: dict[str, tuple[Row, ...]] = {
    "SYN to established, median of 100": (
        Row("setup-tcp", "TCP", "ms", digits=2), Row("setup-mptcp", "MPTCP", "ms", digits=2),
        Row("apart-tcp", "switches on another processor: TCP", "ms", digits=2),
        Row("apart-mptcp", "switches on another processor: MPTCP", "ms", digits=2)),
    "TCP, 20 at once, answers of 200 B": _busy("tcp-200"),
    "TCP, 20 at once, answers of 2 kB": _busy("tcp-2000"),
    "MPTCP, 20 at once, answers of 200 B": _busy("mptcp-200"),
    "MPTCP, 20 at once, answers of 2 kB": _busy("mptcp-2000"),
    "TCP, 20 at once, 200 B, ONOS on a processor of its own": _connections("own-tcp"),
    "MPTCP, 20 at once, 200 B, ONOS on a processor of its own": _connections("own-mptcp"),
    "a transfer of 20 s beside both kinds below": (
        Row("transfer-goodput", "its goodput", "Mbit/s", more_is_better=True),
        Row("beside-mbps", "the short ones take, on the wire", "Mbit/s"),
        Row("transfer-part", "its goodput by what they leave", "part", more_is_better=True, digits=2),
        Row("transfer-paths", "third subflow to disjoint paths", "ms", digits=0)),
    "short MPTCP beside it": (Row("beside-mptcp-wanted", "wanted", "requests/s", True, 0), *_connections("beside-mptcp")),
    "short TCP beside it": (Row("beside-tcp-wanted", "wanted", "requests/s", True, 0), *_connections("beside-tcp")),
    "rules in the busiest switch": (Row("rules-end", "at the end of the round", "rules", digits=0),
                                    Row("rules-later", "30 s later", "rules", digits=0)),
}


def text(rounds: Rounds, loads: tuple[float, float]) -> str:
    """The table: by turns, forwarder alone and with the application; the ratio of their means; the same against rounds of the
    forwarder beside a busy loop, and for rounds without copies."""
    none: Figures = {}
    alone, ours, loop, uncopied = rounds.alone, rounds.ours, rounds.loop, rounds.uncopied
    turns = [*(figures for both in itertools.zip_longest(alone, ours, fillvalue=none) for figures in both), *loop, *uncopied]
    names = [*(name for _ in alone for name in ("alone", "with")), *("loop" for _ in loop), *("uncopied" for _ in uncopied)]
    head = "".join(f"{name:>9}" for name in names)
    more = ("  with÷loop" if loop else "") + (" uncopied÷alone" if uncopied else "")
    lines = ["", f" {'':<46}{head} {'with÷alone':>11}{more}"]
    for group, rows in GROUPS.items():
        lines.append(f" {group}")
        for row in rows:
            cells = "".join(f"{_cell(figures.get(row.key), row.digits):>9}" for figures in turns)
            against_loop = f"{_ratio(row, loop, ours):>11}" if loop else ""
            lines.append(f"   {row.words + ', ' + row.unit:<44}{cells} {_ratio(row, alone, ours):>11}{against_loop}"
                         f"{_ratio(row, alone, uncopied):>15}".rstrip())
    return "\n".join([*lines, "", " alone: the forwarder without the application; uncopied: switches copy no SYN, FIN and RST",
                      *([_LOOP] if loop else []), f" load of the machine {loads[0]:.1f} before, {loads[1]:.1f} after", ""])


def entries(rounds: Rounds, loads: tuple[float, float]) -> list[Json]:
    """The contract's list: a ratio above 1 is better than the peer, most often the forwarder alone. ``oursRuns`` and ``peerRuns``
    have each round."""
    measured = {row.key for figures in rounds.loop for rows in GROUPS.values() for row in rows if row.key in figures}
    return [*_entries("load", rounds.alone, rounds.ours, loads),
            *(_entries("load-uncopied", rounds.alone, rounds.uncopied, loads) if rounds.uncopied else ()),
            *_entries("load-loop", rounds.loop, rounds.ours, loads, "forwarder beside a busy loop", measured)]


def _entries(name: str, alone: Sequence[Figures], ours: Sequence[Figures], loads: tuple[float, float],
             peer: str = "forwarder alone", only: Collection[str] | None = None) -> Iterator[Json]:
    for rows in GROUPS.values():
        for row in rows:
            if only is not None and row.key not in only:
                continue
            here, there = mean(ours, row.key), mean(alone, row.key)
            above, below = (here, there) if row.more_is_better else (there, here)
            yield {"name": f"{name}-{row.key}", "unit": row.unit, "ours": _rounded(here), "peer": peer,
                   "peerScore": _rounded(there), "ratio": _rounded(above / below) if above is not None and below else None,
                   "oursRuns": [_rounded(figures.get(row.key)) for figures in ours],
                   "peerRuns": [_rounded(figures.get(row.key)) for figures in alone],
                   "machineLoad": [round(load, 1) for load in loads]}


def mean(rounds: Sequence[Figures], key: str) -> float | None:
    """Of the rounds that have the figure; None if none has."""
    found = [value for value in (figures.get(key) for figures in rounds) if value is not None]
    return sum(found) / len(found) if found else None


def _ratio(row: Row, alone: Sequence[Figures], ours: Sequence[Figures]) -> str:
    here, there = mean(ours, row.key), mean(alone, row.key)
    # How many there were, or were wanted, is no figure to compare.
    if here is None or not there or row.key.endswith(("-requests", "-wanted")):
        return ""
    return f"{here / there:.2f}"


def _cell(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _rounded(value: float | None) -> float | None:
    """Four digits: more than that is noise."""
    return None if value is None else float(f"{value:.4g}")
