# SPDX-License-Identifier: Apache-2.0
"""S-MPTCP on the testbed: how connections share fig1 (Tables 1, 6, 7, Fig. 3, 8), and collisions (Tables 9, 10)."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import plots
import runs
import smptcp_delays
import testbed
from smptcp_published import BASELINES, LABELS, TABLES, cell
from smptcp_shares import Shares, all_after, by_run
from tables import Claim, Rows, markdown, mean, select

_WINDOWS, _COLLISIONS = "smptcp/windows", "smptcp/collisions"
_SOLUTIONS = {"regular": ("BALIA, hashing (`ecmp`)", (13.149, 30.926)),
              "disjoint": ("BALIA, disjoint paths (`multiflow`)", (18.816, 27.345)), "smptcp": ("S-MPTCP", (18.862, 37.716))}
"""Tables 9 and 10: what one connection and two connections have together, Mbit/s."""

_NEAR = 0.1
_FULL = 1428 / 1514


def shares(rows: Rows) -> Mapping[str, Sequence[Shares]]:
    """Window → the shares of each of its runs."""
    return {window: by_run(select(rows, window=window)) for window in dict.fromkeys(row["window"] for row in rows)}


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
    ours = "smptcp-published" if "smptcp-published" in found else "smptcp"
    baselines = [name for name in BASELINES if name in found]
    claims_of_rows: list[Claim] = []
    for name in (*baselines, ours):
        table, (published, spread, _) = "Table 7" if name == ours else "Table 1", TABLES.get(name, TABLES["smptcp-published"])
        claims_of_rows += [
            (f"{table}: total with {LABELS[name]}", f"{published:.3f}", runs.text(total[name]),
             runs.is_close(published, total[name])),
            (f"{table}: SD with {LABELS[name]}", f"{spread:.3f}", runs.text(deviation[name], 3),
             runs.is_among(spread / 2, 2 * spread, deviation[name]))]
    claims_of_rows += [(f"Table 7: SD with S-MPTCP below that with {LABELS[name]}", "yes",
                        runs.against(deviation[ours], deviation[name]), runs.is_more(deviation[name], deviation[ours]))
                       for name in baselines]
    largest = [max(one.rates) / (one.total - max(one.rates)) for one in found["balia"]]
    claims_of_rows += [
        ("Table 7: S-MPTCP settles in 2 s", "2.0 s", all_after(found[ours]), _settles(found[ours], 2.0)),
        ("Fig. 3: with BALIA one connection approaches the sum of the others: has four fifths of it at least", "1 : 1",
         f"{runs.text(largest)} : 1", _is_at_least(1 - 2 * _NEAR, largest)),
        ("Fig. 8: with S-MPTCP all three come to 12 Mbit/s on the wire", f"{12 * _FULL:.1f} of payload",
         ", ".join(f"{mean(one.rates[index] for one in found[ours]):.1f}" for index in range(3)),
         all(runs.is_close(12 * _FULL, [one.rates[index] for one in found[ours]]) == "yes" for index in range(3)))]
    if "beta-3" in found:
        claims_of_rows += [
            ("Table 6: a larger β is less fair, cq ≥ β·q as the table wants", "0.088 against 0.017",
             runs.against(deviation["beta-3"], deviation["smptcp"]), runs.is_more(deviation["beta-3"], deviation["smptcp"])),
            ("Table 6: α = 1 settles later than α = 5", "3.4 against 2.0 s",
             f"{all_after(found['alpha-1'])} against {all_after(found['smptcp'])}", _later(found["alpha-1"], found["smptcp"]))]
    return claims_of_rows


def _seconds(some: Sequence[Shares]) -> list[float]:
    return [one.seconds for one in some if one.seconds is not None]


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
    table = [[LABELS[window], runs.text([one.total for one in some]), runs.text([one.deviation for one in some], 3),
              all_after(some), cell(TABLES.get(window))] for window, some in found.items()]
    first = min(row["run"] for row in rows)
    for number, window in (("3", "balia"), ("8", "smptcp-published" if "smptcp-published" in found else "smptcp")):
        these = select(rows, window=window, run=first)
        plots.lines(folder / f"smptcp-{number}.png", f"S-MPTCP Fig. {number}: a run with {LABELS[window]}", "s", "Mbit/s",
                    [(f"connection {connection:.0f}", None, "-", [row["second"] for row in select(these, connection=connection)],
                      [row["mbps"] for row in select(these, connection=connection)])
                     for connection in sorted({row["connection"] for row in these})])
    begins = [min(row["second"] for row in select(rows, connection=number)) for number in (1, 2)]
    return f"""\
**Tables 1, 6 and 7, Fig. 3 and 8 with transfers** Three connections with two subflows each share `fig1`, on the same paths with
all windows: agents open the subflows and set the window. The paper's baselines are the agent's own, as no kernel has them.
Connections begin {begins[1] - begins[0]:.0f} s apart (there 5 s) and the first runs for {_lasts(rows)} s (there 50 s). Links
have no delay of their own. Total and standard deviation (SD) of payload over the last half, Mbit/s. *Settled*: from then on each
connection's mean over 2 s is within a tenth of that of the last half; the paper does not define it.

{markdown(["window", "total", "SD", "settled after", "published: total, SD, s"], table)}

![Fig. 3](smptcp-3.png) ![Fig. 8](smptcp-8.png)

{testbed.told(folder, _WINDOWS)}

"""


def _lasts(rows: Rows) -> int:
    return int(max(row["second"] for row in rows))


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
