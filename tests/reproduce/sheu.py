# SPDX-License-Identifier: Apache-2.0
"""Sheu et al., "An Efficient Multipath Routing Algorithm for Multipath TCP in Software-Defined Networks", Fig. 3.1–3.6."""

import math
from collections.abc import Sequence
from pathlib import Path

import plots
import sheu_simulated
import sheu_testbed
from tables import (ARITHMETIC, KERNELS, NOT_APART, NOT_TESTED, SIMULATOR, Claim, Row, Rows, all_of, claims, interval, markdown,
                    mean, only, percent, read, select, sign, statuses)

STRATEGIES = ("k-max-min", "k-max", "first-k-max", "shortest", "widest-disjoint")
_BASELINES = ("k-max", "first-k-max")
_PICTURE = "a picture of the worked example; Fig. 2.5 and 2.6 have its results"
_SUM = "throughput is measured with iperf there; here it is the sum of bottlenecks, but for --testbed"
_ITEMS = {"Fig. 2.1": _PICTURE, "Fig. 2.2": _PICTURE, "Fig. 2.3": _PICTURE, "Fig. 2.4": _PICTURE, "Fig. 2.5": "", "Fig. 2.6": "",
          "Fig. 3.1": "", "Fig. 3.2": _SUM, "Fig. 3.3": "", "Fig. 3.4": _SUM, "Fig. 3.5": "", "Fig. 3.6": _SUM}
_REAL = ("internet2", "cernet")
_SIMILAR = 0.05
"""What is similar is off by less than this part, error included."""


def report(folder: Path) -> str:
    """Draws the figures into ``folder`` and returns the section of the report."""
    rows, others = read(folder / "sheu.csv"), read(folder / "sheu-residuals.csv")
    waxman, by_k = select(rows, network="waxman"), select(rows, network="waxman-k")
    real = [row for row in rows if row["network"] in _REAL]
    gains, example = read(folder / "sheu-gains.csv"), read(folder / "sheu-example.csv")
    variants = read(folder / "sheu-variants.csv")
    made = {ARITHMETIC: _claims(waxman, real, by_k, gains, example), KERNELS: sheu_testbed.claims(folder),
            SIMULATOR: sheu_simulated.claims(folder)}
    _draw(folder, waxman, real, by_k)
    return f"""\
## Sheu et al.: k max-min bandwidth disjoint paths

The paper measures throughput with iperf in Mininet, under random traffic that it does not describe. But for the last table no
packet is sent here: the throughput of a connection is the sum of its paths' bottlenecks, and of one path where all share it, as
with `shortest`. So these claims are *not tested as published*; what is computed stands beside them. Each link's residual
bandwidth is uniform from 1 to 100 Mbit/s (others: the last table). Waxman graphs have α = 0.6 and a mean degree of 5, all are
connected. Every point is the mean of {rows[0]['requests']:.0f} requests with a network and a pair of nodes of their own (seeds
1, 2, …), the same for all strategies; `k-max-min` has m = 7. `widest-disjoint` is this project's exact strategy, not in the
paper. Rates are Mbit/s.

The paper does not say how its baseline, the "first k-Max disjoint paths", searches. So there are two: `k-max` is the greedy
search on the whole graph that it cites. `first-k-max` is the first set that its own phase two makes, greedy among
the same candidates.

{statuses(_ITEMS, made)}

{claims(all_of(made))}

± is half the 95 % confidence interval; requests are paired. *Comes out*: the same direction, and between half of and twice the
published figure. *Not apart*: the interval holds 0. *Not tested as published*: the paper measured something else than what is
computed here, so its figure is neither confirmed nor refuted.

{_explanation(waxman, real, others, gains)}

**Fig. 3.1, 3.2** (Waxman, k = 3)

{_table(waxman, "nodes")}

![Fig. 3.1](sheu-3.1.png) ![Fig. 3.2](sheu-3.2.png)

**Fig. 3.3, 3.4** (Internet2 layer 2 and CERNET, k = 3)

{_table(real, "network")}

![Fig. 3.3](sheu-3.3.png) ![Fig. 3.4](sheu-3.4.png)

**Fig. 3.5, 3.6** (Waxman, 40 nodes)

{_table(by_k, "k")}

![Fig. 3.5](sheu-3.5.png) ![Fig. 3.6](sheu-3.6.png)

**Other residuals** (k = 3; all against `k-max`)

{_other_residuals(others)}

*steps*: 10, 20, … 100 Mbit/s, so that ties are common. *light* and *heavy traffic*: what flows of 1 to 20 Mbit/s between random
nodes leave on their shortest paths of 100 Mbit/s; one flow for every other link, or three times as many.

**What the paper leaves open** (k = 3): how many paths a node takes from a neighbour (m), whether a node that is relaxed both ways
drops the paths that it did not hand on, as in the worked example, and whether paths may share nodes. *sum* and *narrowest* are
leads over the first line of the network.

{_variants(variants)}

{sheu_testbed.section(folder)}
{sheu_simulated.section(folder)}"""


def gain(rows: Rows, column: str, over: str) -> float:
    """By how much ``k-max-min`` is above another strategy in a column: the mean over the points of the relative change."""
    points = {(row["network"], row["nodes"], row["k"]) for row in rows}
    return mean(_of(rows, point, "k-max-min")[column] / _of(rows, point, over)[column] - 1 for point in sorted(points))


def room(rows: Rows) -> float:
    """By how much the limit for all disjoint paths is above ``k-max``: the mean over the points of the relative lead."""
    return mean(row["limit"] / row["throughput"] - 1 for row in select(rows, strategy="k-max"))


def spread(row: Row) -> float:
    """Between the best and the worst path, in Mbit/s."""
    return row["max"] - row["min"]


def lead(gains: Rows, networks: Sequence[str], over: str, measure: str, column: str = "gain") -> tuple[float, float]:
    """The mean over the points of the lead of ``k-max-min`` in a measure, and half the width of its 95 % interval; ``column``:
    over all requests, or those to which both find as many paths (``gain_as_many``)."""
    error = f"{column}_ci95"
    rows = [row for row in gains if row["network"] in networks and row["over"] == over and row["measure"] == measure
            and row["k"] > 1 and not math.isnan(row[error])]
    return mean(row[column] for row in rows), math.sqrt(sum(row[error] ** 2 for row in rows)) / len(rows)


def _text(gain_and_error: tuple[float, float]) -> str:
    part, error = gain_and_error
    return f"{percent(part)} ± {100 * error:.1f}"


def narrowing(rows: Rows) -> float:
    """By how much the spread of ``k-max-min`` is below that of ``k-max``: the mean over the points."""
    points = {(row["network"], row["nodes"], row["k"]) for row in rows if row["k"] > 1}
    return mean(1 - spread(_of(rows, point, "k-max-min")) / spread(_of(rows, point, "k-max")) for point in sorted(points))


def _of(rows: Rows, point: tuple[str, float, float], strategy: str) -> Row:
    network, nodes, k = point
    return only(rows, network=network, nodes=nodes, k=k, strategy=strategy)


def _claims(waxman: Rows, real: Rows, by_k: Rows, gains: Rows, example: Rows) -> list[Claim]:
    best, first = (only(example, figure=figure)["bottlenecks"] for figure in (2.6, 2.5))
    return [
        ("Fig. 2.5: the first iteration has bottlenecks 8, 8 and 4", "8/8/4", first, first == "8/8/4"),
        ("Fig. 2.6: the best iteration has bottlenecks 7, 8 and 7", "7/8/7", best, best == "7/8/7"),
        *(claim for baseline in _BASELINES for claim in _against(baseline, gains)),
        *_against_shortest(waxman, real, gains),
        *_with_size(waxman, by_k, gains),
    ]


def _against(baseline: str, gains: Rows) -> list[Claim]:
    """The claims against a reading of the first k-Max, on Waxman graphs and on the two real networks."""
    spread, least, middle, rate, hops = (lead(gains, ["waxman"], baseline, measure)
                                         for measure in ("spread", "min", "mean", "throughput", "hops"))
    real_spread, real_rate, real_mean = (lead(gains, _REAL, baseline, measure) for measure in ("spread", "throughput", "mean"))
    return [
        (f"Fig. 3.1: spread between best and worst path against {baseline}", "-35 %", _text(spread), interval(-0.35, *spread)),
        (f"Fig. 3.1: the narrowest path is wider than that of {baseline}", "yes", _text(least), sign(*least)),
        (f"Fig. 3.1: the mean path is as wide as that of {baseline}", "similar", _text(middle),
         abs(middle[0]) + middle[1] < _SIMILAR),
        (f"Fig. 3.2: throughput against {baseline} (the abstract: more than 10 %)", "+8 %", _text(rate), NOT_TESTED),
        (f"abstract: fewer hops than {baseline}", "yes", _text(hops), sign(*hops, wanted=-1)),
        (f"Fig. 3.3: spread against {baseline}, Internet2 and CERNET", "smaller", _text(real_spread),
         sign(*real_spread, wanted=-1)),
        (f"Fig. 3.4: throughput against {baseline}", "+15 %", _text(real_rate), NOT_TESTED),
        (f"the same as Fig. 3.4 against {baseline}, of the mean path instead of the connection", "", _text(real_mean), ""),
    ]


def _against_shortest(waxman: Rows, real: Rows, gains: Rows) -> list[Claim]:
    return [
        ("the most that any disjoint paths could have over k-max, Waxman", "", percent(room(waxman)), ""),
        ("the most that any disjoint paths could have over k-max, Internet2 and CERNET", "", percent(room(real)), ""),
        ("Fig. 3.2: throughput against SPF", "+90 %", _text(lead(gains, ["waxman"], "shortest", "throughput")), NOT_TESTED),
        ("the same, of the mean path instead of the connection", "", _text(lead(gains, ["waxman"], "shortest", "mean")), ""),
        ("Fig. 3.4: throughput against SPF", "+33 %", _text(lead(gains, _REAL, "shortest", "throughput")), NOT_TESTED),
        ("the same, of the mean path instead of the connection", "", _text(lead(gains, _REAL, "shortest", "mean")), ""),
    ]


def _with_size(waxman: Rows, by_k: Rows, gains: Rows) -> list[Claim]:
    """The claims about growth with the number of nodes and of subflows."""
    by_nodes = [row["throughput"] for row in select(waxman, strategy="k-max-min")]
    sums, means = ([row[column] for row in select(by_k, strategy="k-max-min")] for column in ("throughput", "mean"))
    claims_of_size: list[Claim] = [
        ("Fig. 3.2: throughput grows with the number of nodes", "yes",
         f"{by_nodes[0]:.0f} to {by_nodes[-1]:.0f} Mbit/s", NOT_TESTED),
        ("Fig. 3.5: the mean path gets narrower as k grows", "yes", f"{means[0]:.1f} to {means[-1]:.1f} Mbit/s",
         means == sorted(means, reverse=True)),
        ("Fig. 3.6: throughput grows with k", "yes", f"{sums[0]:.0f} to {sums[-1]:.0f} Mbit/s", NOT_TESTED)]
    for baseline in _BASELINES:
        narrower = [sign(row["gain"], row["gain_ci95"], wanted=-1)
                    for row in select(gains, network="waxman-k", over=baseline, measure="spread") if row["k"] > 1]
        leads = [only(by_k, k=k, strategy="k-max-min")["throughput"] - only(by_k, k=k, strategy=baseline)["throughput"]
                 for k in range(1, 7)]
        claims_of_size += [
            (f"Fig. 3.5: spread smaller than that of {baseline} at every k", "yes",
             f"at {narrower.count('yes')} of {len(narrower)}, larger at {narrower.count('no')}", _of_all(narrower)),
            (f"Fig. 3.6: the lead over {baseline} grows with k", "yes",
             f"{leads[0]:+.1f} to {leads[-1]:+.1f} Mbit/s", NOT_TESTED)]
    return claims_of_size


def _of_all(answers: Sequence[str]) -> str:
    """The answer to a claim for every point by those for each."""
    return next((answer for answer in ("no", NOT_APART) if answer in answers), "yes")


def _explanation(waxman: Rows, real: Rows, others: Rows, gains: Rows) -> str:
    largest = max(row["nodes"] for row in waxman)
    ours, rival = (only(waxman, nodes=largest, strategy=name) for name in ("k-max-min", "k-max"))
    at_best = max(room(select(others, network=network, residuals=residuals)) for network, residuals in _settings(others))
    return f"""\
The paper credits its gain in throughput to less head-of-line blocking in the receiver, which sums of bottlenecks do not have.
What they can have is bounded. In a set of disjoint paths the j widest are j disjoint paths, too. So the j-th widest is no wider
than the narrowest of the best j disjoint paths, which `widest-disjoint` finds exactly. The sum of these over all j bounds the sum
of any disjoint paths. `k-max` is within {100 * room(waxman):.1f} % of that sum on the Waxman graphs and within
{100 * room(real):.1f} % on Internet2 and CERNET, and under all residuals tried (last table) within
{100 * at_best:.1f} %. So a published gain of 8 % or 15 % has to come from the transport, from a weaker baseline, as
`first-k-max` is, or from a mean over the paths found, where finding fewer pays: on Internet2 and CERNET that gives
{percent(gain(real, 'mean', 'k-max'))}, on Waxman graphs {percent(gain(waxman, 'mean', 'k-max'))}.

The two heuristics at {largest:.0f} nodes: `k-max-min` finds {ours['paths']:.2f} paths on the mean, `k-max`
{rival['paths']:.2f}; it has more throughput than `k-max` in {100 * ours['above_k_max']:.1f} % of the requests and less in
{100 * ours['below_k_max']:.1f} %. Maximum, mean and minimum are those of the paths found, so finding fewer flatters the minimum
and the spread. Over the requests to which both find as many paths, the leads of `k-max-min` are:

{_as_many(gains)}"""


def _as_many(gains: Rows) -> str:
    table = []
    for networks, label in ((["waxman"], "Waxman"), (_REAL, "Internet2 and CERNET")):
        for baseline in _BASELINES:
            parts = [row["as_many"] / row["requests"] for row in select(gains, over=baseline, measure="min")
                     if row["network"] in networks]
            table.append([f"{label}, over `{baseline}`", f"{100 * mean(parts):.0f} %",
                          *(_text(lead(gains, networks, baseline, measure, "gain_as_many"))
                            for measure in ("throughput", "min", "spread", "hops"))])
    return markdown(["networks, baseline", "of the requests", "sum", "narrowest", "spread", "hops"], table)


def _settings(rows: Rows) -> list[tuple[str, str]]:
    """The pairs of network and residuals, in the order of the file."""
    return list(dict.fromkeys((row["network"], row["residuals"]) for row in rows))


def _other_residuals(rows: Rows) -> str:
    table = []
    for network, residuals in _settings(rows):
        these = select(rows, network=network, residuals=residuals)
        ours, rival, exact = (only(these, strategy=name) for name in ("k-max-min", "k-max", "widest-disjoint"))
        table.append([f"{network}, {residuals}", f"{ours['paths']:.2f} : {rival['paths']:.2f} : {exact['paths']:.2f}",
                      percent(gain(these, "throughput", "k-max")), percent(exact["throughput"] / rival["throughput"] - 1),
                      percent(room(these)), percent(gain(these, "mean", "k-max")), percent(-narrowing(these))])
    return markdown(["network, residuals", "paths, `k-max-min` : `k-max` : `widest-disjoint`", "throughput of `k-max-min`",
                     "of `widest-disjoint`", "limit of all disjoint paths", "mean path of `k-max-min`", "its spread"], table)


def _table(rows: Rows, column: str) -> str:
    head = [column, "strategy", "paths", "best", "mean", "worst", "throughput", "± 95 %", "hops"]
    return markdown(head, [[_name(row[column]), f"`{row['strategy']}`", f"{row['paths']:.2f}", f"{row['max']:.1f}",
                            f"{row['mean']:.1f}", f"{row['min']:.1f}", f"{row['throughput']:.1f}",
                            f"{row['throughput_ci95']:.1f}", f"{row['hops']:.2f}"] for row in rows])


def _variants(rows: Rows) -> str:
    """The heuristic with other parameters, and two strategies beside it."""
    head = ["network", "strategy", "m", "drops", "disjoint", "paths", "narrowest", "sum", "sum, lead", "narrowest, lead"]
    return markdown(head,
                    [[row["network"], f"`{row['strategy']}`", f"{row['m']:.0f}" if row["m"] else "", _drops(row), row["disjoint"],
                      f"{row['paths']:.2f}", f"{row['min']:.1f}", f"{row['throughput']:.1f}",
                      _text((row["sum_gain"], row["sum_gain_ci95"])), _text((row["min_gain"], row["min_gain_ci95"]))]
                     for row in rows])


def _drops(row: Row) -> str:
    return ("yes" if row["drops"] == "true" else "no") if row["m"] else ""


def _name(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.0f}"


def _draw(folder: Path, waxman: Rows, real: Rows, by_k: Rows) -> None:
    for name, rows, x, label in (("3.1", waxman, "nodes", "nodes"), ("3.5", by_k, "k", "k")):
        plots.lines(folder / f"sheu-{name}.png", f"Sheu Fig. {name}: best (dashed), mean and worst (dotted) path", label,
                    "bottleneck, Mbit/s",
                    [(strategy if column == "mean" else None, strategy, style,
                      [row[x] for row in select(rows, strategy=strategy)],
                      [row[column] for row in select(rows, strategy=strategy)])
                     for strategy in STRATEGIES for column, style in (("max", "--"), ("mean", "-"), ("min", ":"))])
    for name, rows, x, label in (("3.2", waxman, "nodes", "nodes"), ("3.6", by_k, "k", "k")):
        plots.lines(folder / f"sheu-{name}.png", f"Sheu Fig. {name}: throughput of a connection", label, "Mbit/s",
                    [(strategy, strategy, "-", [row[x] for row in select(rows, strategy=strategy)],
                      [row["throughput"] for row in select(rows, strategy=strategy)]) for strategy in STRATEGIES]
                    + [("bound of disjoint paths", "limit", ":", [row[x] for row in select(rows, strategy="k-max")],
                        [row["limit"] for row in select(rows, strategy="k-max")])])
    groups = [f"{network}\n{what}" for network in _REAL for what in ("best", "mean", "worst")]
    plots.bars(folder / "sheu-3.3.png", "Sheu Fig. 3.3: best, mean and worst path", "bottleneck, Mbit/s", groups,
               [(strategy, strategy, [only(real, network=network, strategy=strategy)[column]
                                      for network in _REAL for column in ("max", "mean", "min")], None)
                for strategy in STRATEGIES])
    plots.bars(folder / "sheu-3.4.png", "Sheu Fig. 3.4: throughput of a connection", "Mbit/s", list(_REAL),
               [(strategy, strategy, [only(real, network=network, strategy=strategy)["throughput"] for network in _REAL],
                 [only(real, network=network, strategy=strategy)["throughput_ci95"] for network in _REAL])
                for strategy in STRATEGIES])
