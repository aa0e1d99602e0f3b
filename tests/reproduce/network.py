# SPDX-License-Identifier: Apache-2.0
"""All strategies beside the best of any routing: sum, smallest share and geometric mean, moves and times."""

from collections.abc import Callable, Sequence
from pathlib import Path

import plots
from mptcplab.intervals import interval
from tables import Row, Rows, markdown, mean, read, select

_TOPOLOGIES = {"os3e": "Internet2 OS3E, 34 nodes", "cernet": "CERNET, 37 nodes", "waxman": "Waxman, 40 nodes, mean degree 5",
               "fattree": "fat tree of 80 switches, 10 Mbit/s a link"}
_DRAWN = ("os3e", "cernet", "waxman")
"""Those with capacities drawn from 5 to 50 Mbit/s."""

_DEFAULT = "widest-disjoint"
_STYLES = {"link-disjoint": "--", "node-disjoint": "--", "zone-disjoint": "--"}
"""Where two strategies have the same colour."""

_AIMS = (("8, 16, 24", (8, 16, 24), 0.92, 0.97), ("16, 24", (16, 24), 0.95, 0.97), ("48", (48,), 0.93, None))
"""Numbers of connections, least sum and least smallest share of the default strategy, once all moves are made."""


def report(folder: Path) -> str:
    """Draws the figures into ``folder`` and returns the section of the report."""
    rows = {name: read(folder / f"network-{name}.csv") for name in _TOPOLOGIES}
    everything = [row for name in _TOPOLOGIES for row in rows[name]]
    drawn = [row for name in _DRAWN for row in rows[name]]
    _draw(folder, everything)
    sets = len({row["seed"] for row in everything})
    return f"""\
## The network as a whole: all strategies beside the best of any routing

No paper has this. Connections between uniformly drawn pairs of nodes (of the fat tree: edge switches) arrive one after the
other, three subflows each, and send one way without limit. Then they move to better paths until none gains, and with
`widest-disjoint` and `network-wide` the background plan follows. Shares are those of `max-min`, as parts of the best max-min fair
rates of any routing, which may split every flow over the whole graph. {sets} {"sets" if sets > 1 else "set"} for each topology
and number of connections, with the seeds from 1; capacities are drawn from 5 to 50 Mbit/s but in the fat tree.

A sum above 1 is possible at the cost of fairness. `resource-pool`, `shortest` and `ecmp` give up disjoint paths. ± is half the
95 % interval of the mean over sets. *Time* is processor time: an arrival's three subflows with all shares after each, and all
moves with their searches.

The aims for `{_DEFAULT}`, over {", ".join(f"`{name}`" for name in _DRAWN)}:

{_aims(drawn)}

All strategies, the mean over all topologies and numbers of connections:

{_table([("strategy", lambda row: f"`{row['strategy']}`")], everything)}

![Sum of all shares](network-sum.png) ![Smallest share](network-smallest.png) ![Geometric mean](network-mean.png)

{_each(rows)}
"""


def _aims(drawn: Rows) -> str:
    lines = []
    for name, sizes, least_sum, least_smallest in _AIMS:
        these = [row for row in select(drawn, strategy=_DEFAULT) if row["connections"] in sizes]
        for what, column, least in (("sum", "sum", least_sum), ("smallest share", "smallest", least_smallest)):
            if least is not None:
                found = [row[column] for row in these]
                lines.append([f"{what}, {name} connections", f"{least:.2f}", interval(found, 3),
                              "met" if mean(found) >= least else "not met"])
    return markdown(["aim", "at least", "ours", ""], lines)


def _each(rows: dict[str, Rows]) -> str:
    parts = []
    for name, about in _TOPOLOGIES.items():
        first: list[tuple[str, Callable[[Row], str]]] = [("connections", lambda row: f"{row['connections']:.0f}"),
                                                         ("strategy", lambda row: f"`{row['strategy']}`")]
        parts.append(f"**{name}** {about}\n\n{_table(first, rows[name])}")
    return "\n\n".join(parts)


def _table(first: Sequence[tuple[str, Callable[[Row], str]]], rows: Rows) -> str:
    """A line for each group of rows that have the same first cells."""
    groups: dict[tuple[str, ...], Rows] = {}
    for row in rows:
        groups.setdefault(tuple(cell(row) for _, cell in first), []).append(row)
    head = [*(name for name, _ in first), "first: sum", "smallest", "mean", "after moves: sum", "smallest", "mean",
            "moves a connection", "an arrival, ms", "all moves, ms"]
    lines = []
    for key, group in groups.items():
        lines.append([*key, *(f"{mean(row[column] for row in group):.2f}" for column in ("first_sum", "first_smallest",
                                                                                      "first_mean")),
                      *(interval([row[column] for row in group], 3) for column in ("sum", "smallest", "mean")),
                      f"{mean(row['moves'] / row['connections'] for row in group):.2f}",
                      f"{mean(row['arrival_ms'] for row in group):.1f}", f"{mean(row['moves_ms'] for row in group):.0f}"])
    return markdown(head, lines)


def _draw(folder: Path, rows: Rows) -> None:
    sizes = sorted({row["connections"] for row in rows})
    names = list(dict.fromkeys(row["strategy"] for row in rows))
    for column, title in (("sum", "sum of all shares"), ("smallest", "smallest share"), ("mean", "geometric mean of all shares")):
        def ours(name: str, column: str = column) -> list[float]:
            return [mean(row[column] for row in select(rows, strategy=name, connections=size)) for size in sizes]
        series: list[plots.Line] = [(name, name, _STYLES.get(name, "-"), sizes, ours(name)) for name in names]
        series.append((f"{_DEFAULT}, first placement", _DEFAULT, ":", sizes, ours(_DEFAULT, f"first_{column}")))
        plots.lines(folder / f"network-{column}.png", f"{title.capitalize()}, the mean over all topologies", "connections",
                    "part of the best of any routing", series)
