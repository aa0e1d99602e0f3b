# SPDX-License-Identifier: Apache-2.0
"""Gómez et al., multipath routing over wireless meshes: Fig. 3–5 (the others need a radio model)."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import plots
from tables import CANNOT_FAIL, Claim, Row, Rows, claims, markdown, only, read, select, verdict

STRATEGIES = ("link-disjoint", "node-disjoint", "zone-disjoint")
_PUBLISHED_ZONE_32 = 0.042


def report(folder: Path) -> str:
    """Draws the figures into ``folder`` and returns the section of the report."""
    shares, counts = read(folder / "gomez-two-routes.csv"), read(folder / "gomez-routes-and-hops.csv")
    _draw(folder, shares, counts)
    return f"""\
## Gómez et al.: link-, node- and zone-disjoint routes

Random geometric graphs on 100 m × 100 m, range 20 m, connected ones only; source nearest to (20, 50), destination nearest to
(80, 50). Graph number s is the first connected one drawn from seed s. Fig. 3 has the graphs 0 to
{shares[0]['graphs'] - 1:.0f} for each number of nodes; Fig. 4 and 5 have 32 nodes and the first {_graphs(counts):.0f}
graphs on which all three find two routes.

{claims(_claims(shares, counts))}

*Comes out*: for figures, the same direction and between half of and twice the published one. *Cannot fail*: all three begin with
the same shortest route, and delete more of the graph from LD to ZD. What a second route is searched in gets smaller, so these
claims hold for every graph; they check the program, not the paper.

**Fig. 3** Share of the graphs with two routes or more. In brackets the exact search (`--exact`), which the paper does not have:
greedy deletion misses routes that exist.

{_share_table(shares)}

![Fig. 3](gomez-3.png)

**Fig. 4** Routes found, share of the graphs (32 nodes)

{_distribution(counts, "routes")}

![Fig. 4](gomez-4.png)

**Fig. 5** Hops of the first and of the second route, mean over the graphs (32 nodes)

{markdown(["", "first", "second"], [[f"`{name}`", f"{_mean(counts, name, 'hops-1'):.2f}", f"{_mean(counts, name, 'hops-2'):.2f}"]
                                    for name in STRATEGIES])}

![Fig. 5](gomez-5.png)
"""


def _claims(shares: Rows, counts: Rows) -> list[Claim]:
    by_nodes = [[only(shares, nodes=nodes, strategy=name)["share"] for name in STRATEGIES] for nodes in _nodes(shares)]
    zone = only(shares, nodes=32.0, strategy="zone-disjoint")["share"]
    node_three = sum(_shares(counts, "node-disjoint", "routes").get(routes, 0) for routes in (3, 4, 5, 6))
    zone_three = _shares(counts, "zone-disjoint", "routes").get(3, 0)
    first = [_mean(counts, name, "hops-1") for name in STRATEGIES]
    second = [_mean(counts, name, "hops-2") for name in STRATEGIES]
    routes = [_mean(counts, name, "routes") for name in STRATEGIES]
    return [
        ("Fig. 3: zone-disjoint, 32 nodes, two routes or more", "4.2 %", f"{100 * zone:.1f} %",
         verdict(_PUBLISHED_ZONE_32, zone)),
        ("Fig. 3: LD ≥ ND ≥ ZD at every number of nodes", "yes", f"{_ordered(by_nodes)} of {len(by_nodes)}",
         _certain(_ordered(by_nodes) == len(by_nodes))),
        ("Fig. 4: most routes with LD, fewest with ZD", "yes", " > ".join(f"{value:.2f}" for value in routes),
         routes == sorted(routes, reverse=True)),
        ("Fig. 4: ND finds three or more with a probability that counts", "yes", f"{100 * node_three:.1f} %", node_three > 0.01),
        ("Fig. 4: ZD never finds more than two", "yes", f"{100 * zone_three:.1f} % have three", zone_three == 0),
        ("Fig. 5: the first route is the same for all", "yes", f"{first[0]:.2f} hops", _certain(len(set(first)) == 1)),
        ("Fig. 5: second routes get longer from LD to ZD", "yes", " < ".join(f"{value:.2f}" for value in second),
         _certain(second == sorted(second))),
    ]


def _certain(holds: bool) -> str:
    return CANNOT_FAIL if holds else "no"


def _ordered(by_nodes: Sequence[Sequence[float]]) -> int:
    return sum(shares == sorted(shares, reverse=True) for shares in by_nodes)


def _nodes(shares: Rows) -> list[float]:
    return sorted({row["nodes"] for row in shares})


def _graphs(counts: Rows) -> float:
    return sum(row["count"] for row in select(counts, what="routes", strategy=STRATEGIES[0]))


def _shares(counts: Rows, strategy: str, what: str) -> dict[float, float]:
    """Value to its share of the graphs."""
    return {row["value"]: row["count"] / _graphs(counts) for row in select(counts, what=what, strategy=strategy)}


def _mean(counts: Rows, strategy: str, what: str) -> float:
    return sum(value * share for value, share in _shares(counts, strategy, what).items())


def _share_table(shares: Rows) -> str:
    return markdown(["nodes", *STRATEGIES], [[f"{nodes:.0f}", *(_share(only(shares, nodes=nodes, strategy=name))
                                                              for name in STRATEGIES)] for nodes in _nodes(shares)])


def _share(row: Row) -> str:
    exact = "" if row["share_exact"] is None else f" ({100 * row['share_exact']:.1f} %)"
    return f"{100 * row['share']:.1f} %{exact}"


def _distribution(counts: Rows, what: str) -> str:
    values = sorted({row["value"] for row in select(counts, what=what)})
    return markdown(["", *(f"{value:.0f}" for value in values)],
                    [[f"`{name}`", *(f"{100 * _shares(counts, name, what).get(value, 0):.1f} %" for value in values)]
                     for name in STRATEGIES])


def _draw(folder: Path, shares: Rows, counts: Rows) -> None:
    plots.lines(folder / "gomez-3.png", "Gómez Fig. 3: two routes or more (dotted: exact search)", "nodes",
                "share of the graphs",
                [(name if column == "share" else None, name, style, _nodes(shares),
                  [only(shares, nodes=nodes, strategy=name)[column] for nodes in _nodes(shares)])
                 for name in STRATEGIES for column, style in (("share", "-"), ("share_exact", ":"))
                 if only(shares, nodes=32.0, strategy=name)[column] is not None])
    plots.steps(folder / "gomez-4.png", "Gómez Fig. 4: routes found, 32 nodes", "routes", "cumulative share of the graphs",
                [(name, name, "-", *_cumulative(_shares(counts, name, "routes"))) for name in STRATEGIES])
    plots.steps(folder / "gomez-5.png", "Gómez Fig. 5: hops of the first (dotted) and the second route, 32 nodes", "hops",
                "cumulative share of the graphs",
                [(name if what == "hops-2" else None, name, style, *_cumulative(_shares(counts, name, what)))
                 for name in STRATEGIES for what, style in (("hops-1", ":"), ("hops-2", "-"))])


def _cumulative(shares: Mapping[float, float]) -> tuple[list[float], list[float]]:
    values = sorted(shares)
    sums = [sum(shares[other] for other in values if other <= value) for value in values]
    return [values[0] - 1, *values, values[-1] + 1], [0, *sums, sums[-1]]
