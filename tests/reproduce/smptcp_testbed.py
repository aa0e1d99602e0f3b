# SPDX-License-Identifier: Apache-2.0
"""S-MPTCP on the testbed: how connections share fig1 (Tables 1, 6, 7, Fig. 3, 8), and collisions (Tables 9, 10)."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import plots
import runs
import smptcp_delays
import testbed
from smptcp_shares import Shares
from tables import Claim, Rows, markdown, mean, select

_WINDOWS, _COLLISIONS = "smptcp/windows", "smptcp/collisions"
_LABELS = {"smptcp": "S-MPTCP's window", "limits": "limits by agents", "reno": "Reno",
           "alpha-1": "S-MPTCP's, α = 1", "beta-3": "S-MPTCP's, β = 3 (cq ≥ 3·q)"}
_PUBLISHED = {"smptcp": (33.950, 0.018, 2.0), "reno": (33.967, 2.847, 11.0)}
"""Table 7: total in Mbit/s, standard deviation, seconds. Reno is the nearest that kernels have to LIA."""

_SOLUTIONS = {"regular": ("hashing (`ecmp`)", (13.149, 30.926)), "disjoint": ("disjoint paths (`multiflow`)", (18.816, 27.345)),
              "smptcp": ("S-MPTCP", (18.862, 37.716))}
"""Tables 9 and 10: what one connection and two connections have together, Mbit/s."""

_NEAR = 0.1
_FULL = 1428 / 1514


def shares(rows: Rows) -> Mapping[str, Sequence[Shares]]:
    """Window → the shares of each of its runs."""
    return {window: [Shares(select(rows, window=window, run=number)) for number in dict.fromkeys(row["run"] for row in rows)]
            for window in dict.fromkeys(row["window"] for row in rows)}


def claims(folder: Path) -> list[Claim]:
    """What the transfers say of the paper's claims; nothing without them."""
    return [*_of_windows(testbed.rows(folder, _WINDOWS)), *smptcp_delays.claims(folder),
            *_of_collisions(testbed.rows(folder, _COLLISIONS))]


def _of_windows(rows: Rows) -> list[Claim]:
    if not rows:
        return []
    found = shares(rows)
    total, deviation = ({window: [getattr(one, what) for one in some] for window, some in found.items()}
                        for what in ("total", "deviation"))
    largest = [max(one.rates) / (one.total - max(one.rates)) for one in found["reno"]]
    rows_of_claims: list[Claim] = [
        ("Table 7: total with S-MPTCP", "33.950", runs.text(total["smptcp"]), runs.is_close(33.950, total["smptcp"])),
        ("Table 7: SD with S-MPTCP below that of regular MPTCP (LIA; here Reno)", "0.018 against 2.847",
         runs.against(deviation["smptcp"], deviation["reno"]), runs.is_more(deviation["reno"], deviation["smptcp"])),
        ("Table 7: SD with S-MPTCP is 0.018", "0.018", runs.text(deviation["smptcp"], 3),
         mean(deviation["smptcp"]) <= 2 * 0.018),
        ("Table 7: S-MPTCP settles in 2 s", "2.0 s", _times(found["smptcp"]), _settles(found["smptcp"], 2.0)),
        ("Table 1: regular MPTCP shares unevenly, SD 2.8 to 3.5", "2.847 to 3.511", runs.text(deviation["reno"]),
         runs.is_among(2.847, 3.511, deviation["reno"])),
        ("Fig. 3: one connection approaches the sum of the others (BALIA; here Reno): has four fifths of it at least", "1 : 1",
         f"{runs.text(largest)} : 1", _is_at_least(1 - 2 * _NEAR, largest)),
        ("Fig. 8: with S-MPTCP all three come to 12 Mbit/s on the wire", f"{12 * _FULL:.1f} of payload",
         ", ".join(f"{mean(one.rates[index] for one in found['smptcp']):.1f}" for index in range(3)),
         all(runs.is_close(12 * _FULL, [one.rates[index] for one in found["smptcp"]]) == "yes" for index in range(3)))]
    if "beta-3" in found:
        rows_of_claims += [
            ("Table 6: a larger β is less fair, cq ≥ β·q as the table wants", "0.088 against 0.017",
             runs.against(deviation["beta-3"], deviation["smptcp"]), runs.is_more(deviation["beta-3"], deviation["smptcp"])),
            ("Table 6: α = 1 settles later than α = 5", "3.4 against 2.0 s",
             f"{_times(found['alpha-1'])} against {_times(found['smptcp'])}", _later(found["alpha-1"], found["smptcp"]))]
    return rows_of_claims


def _seconds(some: Sequence[Shares]) -> list[float]:
    return [one.seconds for one in some if one.seconds is not None]


def _times(some: Sequence[Shares]) -> str:
    settled = _seconds(some)
    late = len(some) - len(settled)
    return (f"{runs.text(settled, 1)} s" if settled else "not settled") + (f" ({late} of {len(some)} runs never)" if late else "")


def _settles(some: Sequence[Shares], published: float) -> str:
    settled = _seconds(some)
    if len(settled) < len(some):
        return "no"
    if mean(settled) > 2 * published:
        return "no"
    return "yes" if mean(settled) + runs.half_width(settled) <= 2 * published else "not apart"


def _is_at_least(least: float, values: Sequence[float]) -> str:
    """Whether a mean is that much, as far as its interval goes."""
    gap = mean(values) - least
    return "not apart" if abs(gap) <= runs.half_width(values) else "yes" if gap > 0 else "no"


def _later(slow: Sequence[Shares], fast: Sequence[Shares]) -> str:
    if len(_seconds(slow)) < len(slow) or len(_seconds(fast)) < len(fast):
        return "not apart"
    return runs.is_more(_seconds(slow), _seconds(fast))


def _of_collisions(rows: Rows) -> list[Claim]:
    if not rows:
        return []
    found = {(solution, count): [row["mbps"] for row in select(rows, solution=solution, connections=count)]
             for solution in _SOLUTIONS for count in (1, 2)}
    rows_of_claims: list[Claim] = []
    for count, table, figure in ((1, "Table 9", "Fig. 10"), (2, "Table 10", "Fig. 11")):
        for solution, (label, published) in _SOLUTIONS.items():
            rows_of_claims.append((f"{table}: {label}", f"{published[count - 1]:.3f}", runs.text(found[solution, count]),
                                   runs.is_close(published[count - 1], found[solution, count])))
        rows_of_claims.append((f"{figure}: S-MPTCP has more than hashing", "yes",
                               runs.against(found["smptcp", count], found["regular", count]),
                               runs.is_more(found["smptcp", count], found["regular", count])))
    rows_of_claims.append(("Fig. 11: S-MPTCP has more than disjoint paths alone", "yes",
                           runs.against(found["smptcp", 2], found["disjoint", 2]),
                           runs.is_more(found["smptcp", 2], found["disjoint", 2])))
    levels = [level * _FULL for level in (20, 30, 40)]
    near = [any(abs(rate - level) <= _NEAR * level for level in levels) for rate in found["regular", 2]]
    rows_of_claims.append(("Fig. 4: with hashing two connections have 20, 30 or 40 Mbit/s on the wire", "yes",
                           f"{sum(near)} of {len(near)} runs within a tenth", all(near)))
    return rows_of_claims


def section(folder: Path) -> str:
    """The tables, as far as they were measured; draws their figures."""
    windows, collisions = testbed.rows(folder, _WINDOWS), testbed.rows(folder, _COLLISIONS)
    if not windows:
        return "**With transfers** Not measured: that needs the testbed (`./lab reproduce smptcp --testbed`).\n"
    return _windows(folder, windows) + smptcp_delays.section(folder) + (_collisions(folder, collisions) if collisions else "")


def _windows(folder: Path, rows: Rows) -> str:
    found = shares(rows)
    table = []
    for window, some in found.items():
        published = _PUBLISHED.get(window)
        table.append([_LABELS[window], runs.text([one.total for one in some]), runs.text([one.deviation for one in some]),
                      _times(some), ", ".join(f"{value}" for value in published) if published else ""])
    first = min(row["run"] for row in rows)
    for number, window in (("3", "reno"), ("8", "smptcp")):
        these = select(rows, window=window, run=first)
        plots.lines(folder / f"smptcp-{number}.png", f"S-MPTCP Fig. {number}: a run with {_LABELS[window]}", "s", "Mbit/s",
                    [(f"connection {connection:.0f}", None, "-", [row["second"] for row in select(these, connection=connection)],
                      [row["mbps"] for row in select(these, connection=connection)])
                     for connection in sorted({row["connection"] for row in these})])
    return f"""\
**Tables 1, 6 and 7, Fig. 3 and 8 with transfers** Three connections with two subflows each share `fig1`, on the same paths with
all windows: agents open the subflows and set the window. Kernels of today have no coupled congestion control (LIA, OLIA, BALIA,
wVegas); Reno over each subflow stands for them, and S-MPTCP's window is added to Reno. Connections begin 2 s apart (there 5 s)
and the first runs for 16 s (there 50 s). Links have no delay of their own. Total and standard deviation (SD) of payload over
the last 6 s, Mbit/s. *Settled*: from then on each connection's mean over 2 s is within a tenth of that of its last 6 s; the
paper does not define it.

{markdown(["window", "total", "SD", "settled after", "published: total, SD, s (Reno: LIA)"], table)}

![Fig. 3](smptcp-3.png) ![Fig. 8](smptcp-8.png)

{testbed.told(folder, _WINDOWS)}

"""


def _collisions(folder: Path, rows: Rows) -> str:
    table = []
    for solution, (label, published) in _SOLUTIONS.items():
        cells = []
        for count in (1, 2):
            cells += [f"{published[count - 1]:.3f}",
                      runs.text([row["mbps"] for row in select(rows, solution=solution, connections=count)])]
        table.append([label, *cells])
    return f"""\
**Tables 9 and 10, Fig. 4, 10 and 11 with transfers** Payload of one connection and of two together in `fig2b`, Mbit/s; 20 and
40 on the wire are possible. One connection uses the first pair of `fig2b`, where hashing puts two subflows on one path in half
of the cases; the paper's Fig. 2(a) is a picture.

{markdown(["", "Table 9", "ours", "Table 10", "ours"], table)}

{testbed.told(folder, _COLLISIONS)}
"""
