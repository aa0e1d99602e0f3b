# SPDX-License-Identifier: Apache-2.0
"""eMPTCP by packets: files in its 8-ary fat tree of 128 hosts (Fig. 7, 8), fairness (Fig. 9), and incast in that tree."""

from collections.abc import Sequence
from pathlib import Path

import runs
import simulated
from mptcplab.intervals import fairness
from tables import Claim, Rows, markdown, mean, select

_FILES, _FAIRNESS, _INCAST = "emptcp/by-packets", "emptcp/fairness", "emptcp/incast"
_LABELS = {"emptcp": "eMPTCP", "mptcp": "MPTCP with New Reno", "lia": "MPTCP with LIA", "tcp": "TCP New Reno"}
_PUBLISHED = (("mptcp", -0.35, 0.10), ("tcp", -0.50, 0.186))
"""Fig. 7 and 8: what a file takes less with eMPTCP, and its goodput is more."""

_GOODPUT = 1000 * 1428 / 1514
"""Mbit/s of payload on a host's link."""

_FAIR = 0.95
"""Jain's index of flows that have their fair share."""


def claims(folder: Path) -> list[Claim]:
    """What packets say of the paper's claims; nothing without them."""
    return [*_of_files(simulated.rows(folder, _FILES)), *_of_fairness(simulated.rows(folder, _FAIRNESS)),
            *_of_incast(simulated.rows(folder, _INCAST))]


def changes(rows: Rows, other: str, what: str, of: Sequence[str] = ("size", "load", "shape", "run")) -> list[float]:
    """Of each set of files or blocks, the relative change from another window to eMPTCP; ``of``: the columns that tell sets
    apart."""
    ours, theirs = ({tuple(row[name] for name in of): row[what] for row in select(rows, window=window)}
                    for window in ("emptcp", other))
    return [ours[key] / theirs[key] - 1 for key in ours]


def _of_files(rows: Rows) -> list[Claim]:
    found: list[Claim] = []
    for size in sorted({row["size"] for row in rows}):
        these = select(rows, size=size)
        for other, shorter, more in _PUBLISHED:
            for figure, what, measure, published in (("Fig. 7", "a file takes", "mean_ms", shorter),
                                                     ("Fig. 8", "goodput", "goodput", more)):
                ours = changes(these, other, measure)
                found.append((f"{figure}: {what}, files of {size / 1000:.0f} kB, against {_LABELS[other]}",
                              f"{100 * published:+.1f} %",
                              f"{runs.percent(ours)}, {100 * min(ours):+.0f} to {100 * max(ours):+.0f} over the family",
                              runs.is_change(published, ours)))
    return found


def _of_fairness(rows: Rows) -> list[Claim]:
    found: list[Claim] = []
    for tcp in dict.fromkeys(row["tcp"] for row in rows):
        indices = [_index(row) for row in select(rows, tcp=tcp, window="emptcp")]
        found.append((f"Fig. 9: two eMPTCP and two TCP flows have their fair shares, {tcp}: Jain's index {_FAIR} at least", "yes",
                      runs.text(indices), mean(indices) >= _FAIR))
    return found


def _of_incast(rows: Rows) -> list[Claim]:
    found: list[Claim] = []
    for other in ("mptcp", "lia") if rows else ():
        ours = changes(rows, other, "all_ms", ("size", "senders", "run"))
        found.append((f"abstract: mitigates incast: all blocks are there sooner than with {_LABELS[other]}", "yes",
                      f"{runs.percent(ours)}, {100 * min(ours):+.0f} to {100 * max(ours):+.0f} over the family",
                      runs.has_sign(ours, -1)))
    return found


def _index(row: dict[str, float]) -> float:
    return fairness([row[name] for name in ("multipath_1", "multipath_2", "tcp_1", "tcp_2")])


def section(folder: Path) -> str:
    """The tables, as far as they were made."""
    makers = {_FILES: _files, _FAIRNESS: _fairness, _INCAST: _incast}
    made = [make(folder, rows) for name, make in makers.items() if (rows := simulated.rows(folder, name))]
    return "".join(made) or "**By packets** Not made: that needs ns-3 (`./lab reproduce emptcp --simulator`).\n"


def _files(folder: Path, rows: Rows) -> str:
    table = [[f"{size / 1000:.0f} kB", f"{load:g}", f"{shape:g}", _LABELS[window],
              *(runs.text([row[what] for row in these]) for what in ("mean_ms", "p99_ms", "goodput")),
              f"{sum(row['ended'] for row in these):.0f} of {sum(row['files'] for row in these):.0f}"]
             for size, load, shape in dict.fromkeys((row["size"], row["load"], row["shape"]) for row in rows)
             for window in _LABELS for these in [select(rows, size=size, load=load, shape=shape, window=window)]]
    return f"""\
**Fig. 7 and 8 by packets** The paper's own network in ns-3: 128 hosts in an 8-ary fat tree, 1 Gbit/s, 5 µs for a link and 10 for
a switch. Files between random hosts, the same for all windows. Four subflows, on disjoint paths with eMPTCP as its controller
gives them, on hashed ones with the others. What it does not give is a family here: size, load (part of a host's link), Weibull
shape. Queues have 100 packets, and mark from 20 on for eMPTCP. The least retransmission time-out is 10 ms.

{markdown(["file", "load", "shape", "window", "mean, ms", "99th percentile, ms", "goodput of a file, Mbit/s", "ended"], table)}

{simulated.told(folder, _FILES)}

"""


def _fairness(folder: Path, rows: Rows) -> str:
    table = [[tcp, _LABELS.get(window, "MPTCP with Reno"),
              *(runs.text([row[name] for row in these], 1) for name in ("multipath_1", "multipath_2", "tcp_1", "tcp_2")),
              runs.text([_index(row) for row in these])]
             for tcp, window in dict.fromkeys((row["tcp"], row["window"]) for row in rows)
             for these in [select(rows, tcp=tcp, window=window)]]
    return f"""\
**Fig. 9 by packets** Two connections of two subflows and two TCPs (Reno) on one link of 100 Mbit/s that marks from 20 packets
on, and drops what cannot be marked there. Mbit/s of payload while all four are there, and Jain's index.

{markdown(["", "window", "multipath 1", "multipath 2", "TCP 1", "TCP 2", "Jain's index"], table)}

{simulated.told(folder, _FAIRNESS)}

"""


def _incast(folder: Path, rows: Rows) -> str:
    table = [[f"{size / 1000:.0f} kB", f"{senders:.0f}", _LABELS[window],
              *(runs.text([row[what] for row in these], 1) for what in ("median_ms", "all_ms")),
              f"{senders * size * 8e-3 / _GOODPUT:.1f}"]
             for size, senders in dict.fromkeys((row["size"], row["senders"]) for row in rows)
             for window in _LABELS for these in [select(rows, size=size, senders=senders, window=window)]]
    return f"""\
**Incast by packets** Hosts of the same tree send a block each to one host within 100 µs. The paper says that eMPTCP *greatly
mitigates the incast issue*, and has no figure of it. So numbers of senders and sizes are ours. When half of the blocks are there,
and all, in ms; at least: what the last link takes for them. Four subflows begin with up to 40 packets together, so that eight
senders overflow a queue.

{markdown(["block", "senders", "window", "half, ms", "all, ms", "at least, ms"], table)}

{simulated.told(folder, _INCAST)}

"""
