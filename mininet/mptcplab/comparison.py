# SPDX-License-Identifier: Apache-2.0
"""``./lab compare``: strategies and allocators beside each other, on real kernels and one boot of ONOS.

Each round has all of them once, in random order, so that a drift of the machine is nobody's advantage.
"""

import argparse
import csv
import io
import json
import random
import shlex
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from . import demo, files, intervals, provenance, report
from .agents import Agents
from .comparisonfigure import JSON_FILE
from .errors import LabError
from .processor import STOLEN_PERCENT
from .rest import Json
from .settings import progress
from .testbed import Testbed
from .topology import Topology

CSV_FILE = "comparison.csv"

FIGURES: Mapping[str, tuple[str, int]] = {
    "goodputMbps": ("goodput", 2), "smallestMbps": ("smallest", 2), "fairness": ("Jain's index", 3),
    "setUpMillis": ("set-up, ms", 0), "recoveryMillis": ("recovery, ms", 0), "lostMegabits": ("lost, Mbit", 2)}
"""A column of the file → its heading, and how many digits people get. Goodputs are payload, of all transfers and of the one that
got least, Mbit/s. Set-up: of the slowest connection, from when it has earned its paths until their rules are in the switches.
Recovery: from a failure until then."""

_COLUMNS = ("run", "turn", "strategy", "allocator", *FIGURES, "stolenPercent", "load", "problems")
_ATTEMPTS = 3
_QUIET_SECONDS = 60


def run(options: argparse.Namespace, topology: Topology) -> int:
    """Inside the namespace: measures, writes the files after each run, and prints the table. Returns the exit status."""
    turns = list(order(options.strategies, options.allocators, options.runs, options.seed))
    rows: list[Json] = []
    with Testbed(topology, options.connections, options.subflows, congestion=options.congestion) as testbed:
        demo.configure(testbed.onos, subflows=options.subflows)
        if not options.no_agents:
            testbed.onos.configure(mostSubflows=options.subflows)
            Agents(testbed).start()
        about = _about(options, topology, testbed)
        begun = time.monotonic()
        try:
            for number, (turn, strategy, allocator) in enumerate(turns, 1):
                row = _measured(testbed, options, strategy, allocator)
                rows.append({"run": turn, "turn": number, "strategy": strategy, "allocator": allocator, **row})
                _write(options.out, about, rows)
                left = (time.monotonic() - begun) / number * (len(turns) - number) / 60
                progress(f"{number} of {len(turns)}, {strategy}, {allocator}: {row['goodputMbps']:.2f} Mbit/s"
                         + (f"; about {left:.0f} min left" if left >= 1 else ""))
        finally:
            if rows:
                print(table(about, rows), flush=True)
    return 1 if any(row["problems"] for row in rows) else 0


def order(strategies: Sequence[str], allocators: Sequence[str], runs: int, seed: int) -> Iterator[tuple[int, str, str]]:
    """(round, strategy, allocator), each pair once in each round; the same seed gives the same order."""
    draw = random.Random(seed)
    pairs = [(strategy, allocator) for strategy in strategies for allocator in allocators]
    for turn in range(1, runs + 1):
        for pair in draw.sample(pairs, len(pairs)):
            yield (turn, *pair)


def _measured(testbed: Testbed, options: argparse.Namespace, strategy: str, allocator: str) -> Json:
    """One run; again, twice at most, if it failed, if much processor time was stolen, or if the application missed a transfer.
    LabError if the last one failed, too."""
    demo.configure(testbed.onos, strategy, allocator)
    for left in reversed(range(_ATTEMPTS)):
        try:
            row, why = _run(testbed, options)
        except LabError as failure:
            if not left:
                raise
            row, why = {}, str(failure)
        testbed.wait_for_links()
        testbed.wait_until_idle(_QUIET_SECONDS)
        if not why:
            break
        progress(f"{strategy}, {allocator}: {why}" + (", so once more" if left else "; kept"))
    return row


def _run(testbed: Testbed, options: argparse.Namespace) -> tuple[Json, str]:
    """What it gives, and why it should not count; that is empty if it should."""
    result, problems = demo.demonstrate(testbed, options.seconds, options.subflows, options.udp, options.connections,
                                        options.fail)
    if result["run"]["interrupted"]:
        raise SystemExit(result["run"]["status"])
    stolen = result["run"]["stolenPercent"]
    for problem in problems:
        progress(f"not as promised: {problem}")
    row = {**figures(result, [_life(testbed, one["id"]) for one in result["connections"]]),
           "stolenPercent": stolen, "load": result["run"]["load"], "problems": len(problems)}
    if stolen > STOLEN_PERCENT:
        return row, f"{stolen:.1f} % of the processors' time was stolen"
    missed = options.connections - len(report.once(_carried(result)))
    return row, f"{missed} transfers are not among its connections" if missed else ""


def _life(testbed: Testbed, connection: str) -> Sequence[Json]:
    events: Sequence[Json] = testbed.onos.rest.get(f"/mptcp/connections/{connection}/events")["events"]
    return events


def _carried(result: Json) -> list[Json]:
    return [one for one in result["connections"] if one["goodputMbps"] > 0]


def figures(result: Json, lives: Sequence[Sequence[Json]]) -> Json:
    """What a demonstration gives for the table; ``lives``: the events of its connections. What there is not is None."""
    goodputs = [one["goodputMbps"] for one in report.once(_carried(result))]
    set_ups = [done - life[0]["millis"] for life in lives for done in [_installed(life)] if done]
    failure = result.get("failure", {})
    return {"goodputMbps": round(sum(goodputs), 3), "smallestMbps": min(goodputs, default=0.0),
            "fairness": round(intervals.fairness(goodputs), 4) if goodputs else None,
            "setUpMillis": max(set_ups, default=None), "recoveryMillis": failure.get("rerouteMillis"),
            "lostMegabits": failure.get("lostMegabits"), "goodputs": goodputs}


def _installed(life: Sequence[Json]) -> int | None:
    return next((event["millis"] for event in life if event["type"] == "installed"), None)


def _about(options: argparse.Namespace, topology: Topology, testbed: Testbed) -> Json:
    return {**provenance.of_testbed(testbed, command(options.arguments, options.seed), options.seed),
            "onos": testbed.onos.version(), "topology": topology.name, "seconds": options.seconds,
            "runs": options.runs, "connections": options.connections, "subflows": options.subflows,
            "agents": not options.no_agents, "udpMbps": options.udp}


def command(arguments: Sequence[str], seed: int) -> str:
    """The line that repeats a comparison."""
    more = [] if "--seed" in arguments else ["--seed", str(seed)]
    return shlex.join(["./lab", "compare", *arguments, *more])


def means(rows: Sequence[Json]) -> list[Json]:
    """For each strategy and allocator, the highest goodput first: each figure's mean, half of its 95 % confidence interval, and
    of how many runs it is."""
    return [{"strategy": strategy, "allocator": allocator,
             **{figure: _mean(some) for figure in FIGURES if (some := _values(mine, figure))}}
            for (strategy, allocator), mine in _ranked(rows)]


def _ranked(rows: Sequence[Json]) -> list[tuple[tuple[str, str], list[Json]]]:
    found: dict[tuple[str, str], list[Json]] = {}
    for row in rows:
        found.setdefault((row["strategy"], row["allocator"]), []).append(row)
    return sorted(found.items(), key=lambda pair: -statistics.fmean(_values(pair[1], "goodputMbps")))


def _values(rows: Sequence[Json], figure: str) -> list[float]:
    return [row[figure] for row in rows if row[figure] is not None]


def _mean(values: Sequence[float]) -> Json:
    return {"mean": round(statistics.fmean(values), 4), "halfWidth": round(intervals.half_width(values), 4), "runs": len(values)}


def _write(folder: Path, about: Json, rows: Sequence[Json]) -> None:
    text = io.StringIO()
    writer = csv.DictWriter(text, _COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    files.write(folder / CSV_FILE, text.getvalue())
    files.write(folder / JSON_FILE, json.dumps({**about, "means": means(rows), "measured": list(rows)}, indent=2) + "\n")


def table(about: Json, rows: Sequence[Json]) -> str:
    """For people: a line for each strategy and allocator, the highest goodput first."""
    shown = [figure for figure in FIGURES if _values(rows, figure)]
    stolen = max(row["stolenPercent"] for row in rows)
    transfers = (f"{about['connections']} × {about['subflows']} subflows, {about['seconds']} s, "
                 f"{'with' if about['agents'] else 'without'} agents")
    machine = f"Linux {about['kernel']}, ONOS {about['onos']}, commit {about['commit']}"
    lines = ["", f" {about['topology']}: {transfers}; means and 95 % intervals of {about['runs']} runs",
             f" {machine}; at most {stolen:.1f} % of processor time stolen",
             "", _line("strategy", "allocator", [FIGURES[figure][0] for figure in shown])]
    for (strategy, allocator), mine in _ranked(rows):
        cells = [_cell(_values(mine, figure), FIGURES[figure][1]) for figure in shown]
        mark = " *" * any(row["stolenPercent"] > STOLEN_PERCENT for row in mine)
        lines.append(_line(strategy, allocator, cells) + mark)
    if stolen > STOLEN_PERCENT:
        lines.append(f" *: more than {STOLEN_PERCENT:g} % of the processors' time was stolen in one of its runs")
    return "\n".join([*lines, "", f" again: {about['command']}", ""])


def _line(strategy: str, allocator: str, cells: Sequence[str]) -> str:
    return f" {strategy:<17} {allocator:<12}" + "".join(f"{cell:>18}" for cell in cells)


def _cell(values: Sequence[float], digits: int) -> str:
    return intervals.interval(values, digits) if values else "–"
