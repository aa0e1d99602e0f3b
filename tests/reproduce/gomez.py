# SPDX-License-Identifier: Apache-2.0
"""Gómez et al., multipath routing over wireless meshes: Fig. 3–5 and 6 (by packets)."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import plots
import gomez_simulated
from tables import (ARITHMETIC, CANNOT_FAIL, SIMULATOR, Claim, Row, Rows, all_of, claims, markdown, only, read, same_share,
                    select, statuses, wilson)

STRATEGIES = ("link-disjoint", "node-disjoint", "zone-disjoint")
_PUBLISHED_ZONE_32 = 0.042
_PUBLISHED_RUNS = 1000
_UNLIKELY = 0.05
"""Shares differ if a difference as large as seen has less than this probability."""
_COUNTS = 0.01
"""A probability that is not negligible."""
_ITEMS = {"Fig. 1": "the protocol stack",
          "Fig. 2": "the text names the routes, which all three share; where the other nodes lie is in the picture only",
          "Fig. 3": "", "Fig. 4": "", "Fig. 5": "", "Fig. 6": "needs a radio model of 802.11b: --simulator"}


def report(folder: Path) -> str:
    """Draws the figures into ``folder`` and returns the section of the report."""
    shares, counts = read(folder / "gomez-two-routes.csv"), read(folder / "gomez-routes-and-hops.csv")
    _draw(folder, shares, counts)
    made = {ARITHMETIC: _claims(shares, counts), SIMULATOR: gomez_simulated.claims(folder)}
    return f"""\
## Gómez et al.: link-, node- and zone-disjoint routes

Random geometric graphs on 100 m × 100 m, range 20 m, connected ones only; source nearest to (20, 50), destination nearest to
(80, 50). Graph number s is the first connected one drawn from seed s. Fig. 3 has the graphs 0 to
{shares[0]['graphs'] - 1:.0f} for each number of nodes; Fig. 4 and 5 have 32 nodes and the first {_graphs(counts):.0f}
graphs on which all three find two routes.

{statuses(_ITEMS, made)}

{claims(all_of(made))}

In brackets 95 % confidence intervals (Wilson), and p, the probability of a difference as large if both shares were equal: below
{_UNLIKELY} they differ. The paper's {100 * _PUBLISHED_ZONE_32:.1f} % is of {_PUBLISHED_RUNS} graphs. *Not apart*: the intervals
overlap, or hold the limit. *Cannot fail*: all three begin with
the same shortest route, and delete more of the graph from LD to ZD. What a second route is searched in gets smaller, so these
claims hold for every graph; they check the program, not the paper.

**Fig. 3** Share of the graphs with two routes or more, with 95 % intervals. In round brackets the exact search
(`--exact`), which the paper does not have: greedy deletion misses routes that exist.

{_share_table(shares)}

![Fig. 3](gomez-3.png)

**Fig. 4** Routes found, share of the graphs (32 nodes)

{_distribution(counts, "routes")}

![Fig. 4](gomez-4.png)

**Fig. 5** Hops of the first and of the second route, mean over the graphs (32 nodes)

{markdown(["", "first", "second"], [[f"`{name}`", f"{_mean(counts, name, 'hops-1'):.2f}", f"{_mean(counts, name, 'hops-2'):.2f}"]
                                    for name in STRATEGIES])}

![Fig. 5](gomez-5.png)

{gomez_simulated.section(folder)}"""


def _claims(shares: Rows, counts: Rows) -> list[Claim]:
    by_nodes = [[only(shares, nodes=nodes, strategy=name)["share"] for name in STRATEGIES] for nodes in _nodes(shares)]
    zone = only(shares, nodes=32.0, strategy="zone-disjoint")
    found = zone["share"] * zone["graphs"]
    likely = same_share(found, zone["graphs"], _PUBLISHED_ZONE_32 * _PUBLISHED_RUNS, _PUBLISHED_RUNS)
    graphs = _graphs(counts)
    node_three, zone_three = (graphs * sum(share for routes, share in _shares(counts, name, "routes").items() if routes > 2)
                              for name in ("node-disjoint", "zone-disjoint"))
    node_low, node_high = wilson(node_three, graphs)
    first = [_mean(counts, name, "hops-1") for name in STRATEGIES]
    second = [_mean(counts, name, "hops-2") for name in STRATEGIES]
    return [
        ("Fig. 3: zone-disjoint, 32 nodes, two routes or more", "4.2 %",
         f"{_with_interval(found, zone['graphs'])}, p = {likely:.2f}", likely >= _UNLIKELY),
        ("Fig. 3: LD ≥ ND ≥ ZD at every number of nodes", "yes", f"{_ordered(by_nodes)} of {len(by_nodes)}",
         _certain(_ordered(by_nodes) == len(by_nodes))),
        ("Fig. 4: most routes with LD, fewest with ZD", "yes",
         " > ".join(f"{_mean(counts, name, 'routes'):.2f} ± {_error(counts, name, 'routes'):.2f}" for name in STRATEGIES),
         _falling(counts, "routes")),
        ("Fig. 4: ND finds three or more with a probability that counts", "yes",
         _with_interval(node_three, graphs), "yes" if node_low > _COUNTS else "not apart" if node_high > _COUNTS else "no"),
        ("Fig. 4: ZD never finds more than two", "yes", f"{_with_interval(zone_three, graphs)} have three", zone_three < 0.5),
        ("Fig. 5: the first route is the same for all", "yes", f"{first[0]:.2f} hops", _certain(len(set(first)) == 1)),
        ("Fig. 5: second routes get longer from LD to ZD", "yes", " < ".join(f"{value:.2f}" for value in second),
         _certain(second == sorted(second))),
    ]


def _with_interval(count: float, of: float) -> str:
    low, high = wilson(count, of)
    return f"{100 * count / of:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def _error(counts: Rows, strategy: str, what: str) -> float:
    """Half the width of the 95 % interval of a mean."""
    shares, middle = _shares(counts, strategy, what), _mean(counts, strategy, what)
    return 1.96 * math.sqrt(sum(share * (value - middle) ** 2 for value, share in shares.items()) / _graphs(counts))


def _falling(counts: Rows, what: str) -> str:
    """Whether the means fall from LD to ND to ZD; "not apart" where two intervals overlap."""
    pairs = list(zip(STRATEGIES, STRATEGIES[1:]))
    gaps = [_mean(counts, more, what) - _mean(counts, less, what) for more, less in pairs]
    noise = [_error(counts, more, what) + _error(counts, less, what) for more, less in pairs]
    if any(gap < -error for gap, error in zip(gaps, noise)):
        return "no"
    return "yes" if all(gap > error for gap, error in zip(gaps, noise)) else "not apart"


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
    low, high = wilson(row["share"] * row["graphs"], row["graphs"])
    exact = "" if row["share_exact"] is None else f" ({100 * row['share_exact']:.1f} %)"
    return f"{100 * row['share']:.1f} % [{100 * low:.1f}, {100 * high:.1f}]{exact}"


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
