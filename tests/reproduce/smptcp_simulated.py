# SPDX-License-Identifier: Apache-2.0
"""S-MPTCP by packets: its tables with its own baselines, over queues of three lengths."""

from collections.abc import Sequence
from pathlib import Path

import plots
import runs
import simulated
from smptcp_published import BASELINES, DELAYED, LABELS, TABLES, cell
from smptcp_shares import after
from tables import Claim, Rows, markdown, mean, select

_TABLES, _PARAMETERS, _DELAYS = "smptcp/tables", "smptcp/parameters", "smptcp/by-delay"
_TRAJECTORIES, _COLLISIONS = "smptcp/trajectories", "smptcp/all-collisions"


def claims(folder: Path) -> list[Claim]:
    """What packets say of the paper's claims; nothing without them. A claim holds if it does for each length of queue."""
    return [*_of_tables(simulated.rows(folder, _TABLES)), *_of_parameters(simulated.rows(folder, _PARAMETERS)),
            *_of_delays(simulated.rows(folder, _DELAYS)), *_of_collisions(simulated.rows(folder, _COLLISIONS))]


def _column(rows: Rows, what: str) -> list[float]:
    return [row[what] for row in rows]


def _over(queues: Sequence[float], answers: Sequence[str]) -> str:
    """Of all queues: yes or no if it is that with all; else the direction is not certain."""
    words = set(answers)
    if len(words) == 1:
        return words.pop()
    return "direction only" if "yes" in words else "not apart" if "not apart" in words else "no"


def _of_tables(rows: Rows) -> list[Claim]:
    if not rows:
        return []
    queues = sorted({row["queue"] for row in rows})

    def of(control: str, what: str, queue: float) -> list[float]:
        return _column(select(rows, control=control, queue=queue), what)

    def text(control: str, what: str) -> str:
        return "; ".join(f"queue {queue:.0f}: {runs.text(of(control, what, queue))}" for queue in queues)
    found: list[Claim] = []
    for control in (*BASELINES, "smptcp-published"):
        table = "Table 7" if control == "smptcp-published" else "Table 1"
        total, deviation, _ = TABLES[control]
        found.append((f"{table}: total with {LABELS[control]}", f"{total:.3f}", text(control, "total"),
                      _over(queues, [runs.is_close(total, of(control, "total", queue)) for queue in queues])))
        found.append((f"{table}: SD with {LABELS[control]}", f"{deviation:.3f}", text(control, "sd"),
                      _over(queues, [runs.is_among(deviation / 2, 2 * deviation, of(control, "sd", queue)) for queue in queues])))
    for other in BASELINES:
        found.append((f"Table 7: SD with S-MPTCP below that with {LABELS[other]}", "yes",
                      "; ".join(f"queue {queue:.0f}: {runs.against(of('smptcp-published', 'sd', queue), of(other, 'sd', queue))}"
                                for queue in queues),
                      _over(queues, [runs.is_more(of(other, "sd", queue), of("smptcp-published", "sd", queue))
                                      for queue in queues])))
    largest = {queue: [max(rates) / (sum(rates) - max(rates)) for rates in _rates(select(rows, control="balia", queue=queue))]
               for queue in queues}
    found.append(("Fig. 3: with BALIA one connection approaches the sum of the others: has four fifths of it at least", "1 : 1",
                  "; ".join(f"queue {queue:.0f}: {runs.text(some)} : 1" for queue, some in largest.items()),
                  _over(queues, ["yes" if mean(some) - runs.half_width(some) >= 0.8 else "not apart"
                                 if mean(some) + runs.half_width(some) >= 0.8 and len(some) > 1 else "no"
                                 for some in largest.values()])))
    return found


def _rates(rows: Rows) -> list[list[float]]:
    return [[row[f"rate_{number}"] for number in (1, 2, 3)] for row in rows]


def _of_parameters(rows: Rows) -> list[Claim]:
    if not rows:
        return []
    found: list[Claim] = []
    for side, label in (("last", "cq ≥ β·q as the table wants"), ("now", "β·cq ≥ q as printed")):
        fair, unfair = (_column(select(rows, beta_of=of, alpha=5, beta=beta), "sd") for of, beta in (("last", 1), (side, 3)))
        found.append((f"Table 6: β = 3 is less fair than 1, {label}", "0.088 against 0.017", runs.against(unfair, fair),
                      runs.is_more(unfair, fair)))
    return found


def _of_delays(rows: Rows) -> list[Claim]:
    found: list[Claim] = []
    for lasts in sorted({row["lasts"] for row in rows}):
        some = select(rows, lasts=lasts, control="smptcp")
        delays = sorted({row["delay"] for row in some})
        totals = [mean(_column(select(some, delay=delay), "total")) for delay in delays]
        found.append((f"Table 8: the total with S-MPTCP does not depend on the delay, in {lasts:.0f} s", "33.8 to 34.0",
                      f"{min(totals):.2f} to {max(totals):.2f}", min(totals) >= 0.9 * max(totals)))
    return found


def _of_collisions(rows: Rows) -> list[Claim]:
    if not rows:
        return []

    def carried(connections: int, met: float) -> list[float]:
        return _column(select(rows, connections=connections, met=met), "mbps")

    def expected(connections: int) -> float:
        """The mean over all outcomes of hashing."""
        return sum(row["mbps"] * row["outcomes"] / row["of"] for row in select(rows, connections=connections)) \
            / len({row["run"] for row in rows})
    levels = [(level, mean(carried(2, met))) for met, level in ((0, 37.7), (1, 28.3), (2, 18.9))]
    return [("Table 9: regular MPTCP, the mean of all outcomes", "13.149", f"{expected(1):.2f}",
             runs.is_close(13.149, [expected(1)])),
            ("Table 9: S-MPTCP, and disjoint paths: no collision", "18.862, 18.816", runs.text(carried(1, 0)),
             runs.is_close(18.862, carried(1, 0))),
            ("Table 10: regular MPTCP, the mean of all outcomes", "30.926", f"{expected(2):.2f}",
             runs.is_close(30.926, [expected(2)])),
            ("Table 10: disjoint paths of each connection: the same outcomes", "27.345", f"{expected(2):.2f}",
             runs.is_close(27.345, [expected(2)])),
            ("Table 10: S-MPTCP, no collision", "37.716", runs.text(carried(2, 0)), runs.is_close(37.716, carried(2, 0))),
            ("Fig. 4: three levels, 40, 30 and 20 Mbit/s on the wire", "37.7, 28.3, 18.9 of payload",
             ", ".join(f"{ours:.1f}" for _, ours in levels), all(abs(ours - level) <= 0.1 * level for level, ours in levels))]


def section(folder: Path) -> str:
    """The tables, as far as they were made; draws their figures."""
    rows = simulated.rows(folder, _TABLES)
    if not rows:
        return "**By packets** Not made: that needs ns-3 (`./lab reproduce smptcp --simulator`).\n"
    return (_tables(folder, rows) + _parameters(folder, simulated.rows(folder, _PARAMETERS))
            + _delays(folder, simulated.rows(folder, _DELAYS)) + _trajectories(folder, simulated.rows(folder, _TRAJECTORIES))
            + _collisions(folder, simulated.rows(folder, _COLLISIONS)))


def _tables(folder: Path, rows: Rows) -> str:
    table = [[LABELS[control], f"{queue:.0f}", *(runs.text(_column(these, what)) for what in ("total", "sd")),
              after(_column(these, "settled")), cell(TABLES.get(control))]
             for control in LABELS for queue in sorted({row["queue"] for row in rows})
             for these in [select(rows, control=control, queue=queue)] if these]
    return f"""\
**Tables 1 and 7 by packets** The three connections on `fig1` in ns-3: links of 5 ms, 50 s as published, 5 s apart, with the
controls that the paper compares. They are the agent's own, from the sources that run in kernels. The paper does not give the
queues; Mininet has 1000 packets unless told otherwise. Total and standard deviation (SD) of payload in the last 25 s, Mbit/s.
*Settled*: from then on each connection's mean over 2 s is within a tenth of that of its last 25 s, from the last one's begin.

{markdown(["control", "queue, packets", "total", "SD", "settled after", "published: total, SD, s"], table)}

{simulated.told(folder, _TABLES)}

"""


def _parameters(folder: Path, rows: Rows) -> str:
    if not rows:
        return ""
    table = [[f"{alpha:.0f}", f"{beta:.0f}", {"last": "cq ≥ β·q", "now": "β·cq ≥ q"}[side],
              *(runs.text(_column(these, what), 3) for what in ("total", "sd")), after(_column(these, "settled"))]
             for side, alpha, beta in dict.fromkeys((row["beta_of"], row["alpha"], row["beta"]) for row in rows)
             for these in [select(rows, beta_of=side, alpha=alpha, beta=beta)]]
    return f"""\
**Table 6 by packets** S-MPTCP over Reno with other α and β, queues of 100 packets.

{markdown(["α", "β", "alert", "total", "SD", "settled after"], table)}

{simulated.told(folder, _PARAMETERS)}

"""


def _delays(folder: Path, rows: Rows) -> str:
    if not rows:
        return ""
    table = [[LABELS[control], f"{delay:.0f}", f"{lasts:.0f}", *(runs.text(_column(these, what)) for what in ("total", "sd")),
              after(_column(these, "settled")), cell(DELAYED[control, int(delay)])]
             for control, delay, lasts in sorted({(row["control"], row["delay"], row["lasts"]) for row in rows})
             for these in [select(rows, control=control, delay=delay, lasts=lasts)]]
    return f"""\
**Table 8 by packets** The same with other delays of a path, one way, and queues of 100 packets; S-MPTCP over Reno.

{markdown(["control", "delay, ms", "runs for, s", "total", "SD", "settled after", "published: total, SD, s"], table)}

{simulated.told(folder, _DELAYS)}

"""


def _trajectories(folder: Path, rows: Rows) -> str:
    if not rows:
        return ""
    for number, control in (("3", "balia"), ("8", "smptcp")):
        these = select(rows, control=control)
        plots.lines(folder / f"smptcp-{number}-packets.png",
                    f"S-MPTCP Fig. {number} by packets: {LABELS[control]}, queues of 1000", "s", "Mbit/s",
                    [(f"connection {one:.0f}", None, "-", _column(select(these, connection=one), "second"),
                      _column(select(these, connection=one), "mbps")) for one in (1.0, 2.0, 3.0)])
    return "![Fig. 3 by packets](smptcp-3-packets.png) ![Fig. 8 by packets](smptcp-8-packets.png)\n\n"


def _collisions(folder: Path, rows: Rows) -> str:
    if not rows:
        return ""
    table = [[f"{row['connections']:.0f}", f"{row['met']:.0f}", f"{row['outcomes']:.0f} of {row['of']:.0f}",
              runs.text(_column(select(rows, connections=row["connections"], met=row["met"]), "mbps"))]
             for row in select(rows, run=min(row["run"] for row in rows))]
    return f"""\
**Tables 9 and 10 by packets** Each outcome of hashing on `fig2b`, with BALIA: in how many of all outcomes it happens, and what
all connections carry then, Mbit/s of payload. Two connections that each choose among their own paths have the same outcomes
whether they hash or take disjoint paths, as either has one subflow in each plane. The paper's means of ten runs differ by 3.6
Mbit/s.

{markdown(["connections", "collisions", "outcomes", "carried"], table)}

{simulated.told(folder, _COLLISIONS)}

"""
