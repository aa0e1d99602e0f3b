# SPDX-License-Identifier: Apache-2.0
"""A demonstration without agents beside the same one with agents (``./lab demo --compare``)."""

import statistics
from collections.abc import Callable, Iterator, Sequence

from .rest import Json
from .settings import progress
from .testbed import Testbed

WITHOUT = "withoutAgents"
"""The field of the JSON with the demonstration without agents, in the same form."""

_QUIET_SECONDS = 60

_TOLERANCE = 1.0
"""Mbit/s between what a transfer gets and what it is expected to get, in one of the table's lines."""


def run(testbed: Testbed, demonstrate: Callable[[], tuple[Json, list[str]]], start_agents: Callable[[], None]
        ) -> tuple[Json, list[str]]:
    """Demonstrates without agents, starts them when nothing of that is left, and demonstrates again; returns both `together`, and
    the problems of both. LabError if the first one's connections do not end."""
    progress("without agents")
    without, problems = demonstrate()
    if without["run"]["interrupted"]:
        return without, problems
    testbed.wait_for_links()
    testbed.wait_until_idle(_QUIET_SECONDS)
    progress("with agents")
    start_agents()
    with_agents, more = demonstrate()
    return together(without, with_agents), [*(f"without agents: {problem}" for problem in problems),
                                            *(f"with agents: {problem}" for problem in more)]


def together(without: Json, with_agents: Json) -> Json:
    """Both in one: the contract's JSON of the demonstration with agents, and the other one in ``withoutAgents``; ``ok`` if both
    are."""
    return {**with_agents, WITHOUT: without, "ok": without["ok"] and with_agents["ok"]}


def table(result: Json) -> str:
    """A table of what `together` has returned, for people: rates on the wire, Mbit/s."""
    columns = [transfers(result[WITHOUT]), transfers(result)]
    lines = [f" {'on the wire, Mbit/s':<36} {'without agents':>21} {'with agents':>21}",
             f" {'':<36} " + " ".join([f"{'expected':>11} {'got':>9}"] * 2)]
    for row in range(max(map(len, columns))):
        here = [column[row] if row < len(column) else None for column in columns]
        name = next(f"{one['client']} → {one['server']}" for one in here if one)
        lines.append(f" {name:<36} " + " ".join(_cells(one) for one in here))
    lines.append(f" {'sum':<36} " + " ".join(
        f"{sum(one['expectedMbps'] for one in column):>11.2f} {sum(got(column)):>9.2f}" for column in columns))
    lines += [f" {name:<36} " + " ".join(f"{value:>21}" for value in values) for name, values in _figures(columns)]
    return "\n".join([*lines, ""])


def transfers(result: Json) -> list[Json]:
    """The connections with transfers, those between the same hosts together, the one that got most first."""
    carried = [one for one in result["connections"] if one["goodputMbps"] > 0]
    return sorted(carried, key=lambda one: (one["client"], one["server"], -one["goodputMbps"]))


def got(column: Sequence[Json]) -> list[float]:
    """What each transfer has on the wire, Mbit/s."""
    return [sum(s["measuredMbps"] for s in one["subflows"]) for one in column]


def _cells(one: Json | None) -> str:
    if not one:
        return f"{'–':>11} {'–':>9}"
    return f"{one['expectedMbps']:>11.2f} {got([one])[0]:>9.2f}"


def _figures(columns: Sequence[Sequence[Json]]) -> Iterator[tuple[str, list[str]]]:
    """Lines below the sums: a name, and a text for each column."""
    if max(map(len, columns)) > 1:
        yield "standard deviation", [f"{statistics.pstdev(got(column)):.2f}" if column else "–" for column in columns]
        yield f"within {_TOLERANCE:g} Mbit/s of what is expected", [
            f"{sum(abs(rate - one['expectedMbps']) <= _TOLERANCE for one, rate in zip(column, got(column)))} of {len(column)}"
            for column in columns]
    yield "goodput, sum", [f"{sum(one['goodputMbps'] for one in column):.2f}" for column in columns]
    yield "subflows", [str(sum(len(one["subflows"]) for one in column)) for column in columns]
