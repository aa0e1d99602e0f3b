# SPDX-License-Identifier: Apache-2.0
"""``./lab compare``: strategies, allocators and congestion controls beside each other, on real kernels and one boot of ONOS.

Each round has all of them once, in random order, so that a drift of the machine is nobody's advantage.
"""

import argparse
import csv
import io
import itertools
import json
import math
import random
import shlex
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from . import demo, files, intervals, provenance, report, traffic
from .agents import Agents
from .comparisonfigure import JSON_FILE
from .errors import LabError
from .processor import STOLEN_PERCENT
from .rest import Json
from .sampling import SubflowTimes, segments
from .settings import progress
from .testbed import Testbed
from .topology import Topology

CSV_FILE = "comparison.csv"

FIGURES: Mapping[str, tuple[str, int]] = {
    "goodputMbps": ("goodput", 2), "smallestMbps": ("smallest", 2), "completionSeconds": ("completion, s", 2),
    "fairness": ("Jain's index", 3), "setUpMillis": ("set-up, ms", 0), "recoveryMillis": ("recovery, ms", 0),
    "lostMegabits": ("lost, Mbit", 2), "rttMillis": ("RTT, ms", 1), "retransmittedPercent": ("sent again, %", 2)}
"""A column of the file → its heading, and how many digits people get. Goodputs are payload, of all transfers and of the one that
got least, Mbit/s. Completion: the mean of transfers with a size. Set-up: of the slowest connection, from when it has earned its
paths until their rules are in the switches. Recovery: from a failure until then. RTT: of the senders' subflows that have sent.
Sent again: of the senders' TCP segments."""

_ATTEMPTS = 3
_QUIET_SECONDS = 60


class Kind(NamedTuple):
    """What is compared with others. ``congestion``: in place of limits to expected throughputs; without a name, those."""

    strategy: str
    allocator: str
    congestion: str = ""

    def __str__(self) -> str:
        return ", ".join(filter(None, self))


_COLUMNS = ("run", "turn", *Kind._fields, *FIGURES, "stolenPercent", "load", "problems")


def run(options: argparse.Namespace, topology: Topology) -> int:
    """Inside the namespace: measures, writes the files after each run, and prints the table. Returns the exit status."""
    kinds = [Kind(*names) for names in itertools.product(options.strategies, options.allocators, options.congestion or [""])]
    turns = list(order(kinds, options.runs, options.seed))
    rows: list[Json] = []
    with Testbed(topology, options.connections, options.subflows) as testbed:
        demo.configure(testbed.onos, subflows=options.subflows)
        control = _with_kernels(testbed) if options.no_agents else _with_agents(testbed, options.subflows)
        about = _about(options, topology, testbed)
        begun = time.monotonic()
        try:
            for number, (turn, kind) in enumerate(turns, 1):
                control(kind.congestion)
                row = _measured(testbed, options, kind)
                rows.append({"run": turn, "turn": number, **kind._asdict(), **row})
                _write(options.out, about, rows)
                left = (time.monotonic() - begun) / number * (len(turns) - number) / 60
                progress(f"{number} of {len(turns)}, {kind}: {row['goodputMbps']:.2f} Mbit/s"
                         + (f"; about {left:.0f} min left" if left >= 1 else ""))
        finally:
            if rows:
                print(table(about, rows), flush=True)
    return 1 if any(row["problems"] for row in rows) else 0


def order(kinds: Sequence[Kind], runs: int, seed: int) -> Iterator[tuple[int, Kind]]:
    """(round, what is measured), each once in each round; the same seed gives the same order."""
    draw = random.Random(seed)
    for turn in range(1, runs + 1):
        for kind in draw.sample(kinds, len(kinds)):
            yield turn, kind


def _with_agents(testbed: Testbed, subflows: int) -> Callable[[str], None]:
    """Gives agents a congestion control, or lets them limit rates; those that have it already run on."""
    testbed.onos.configure(mostSubflows=subflows)
    running: list[tuple[str, Agents]] = []

    def control(name: str) -> None:
        if [name] == [had for had, _ in running]:
            return
        while running:
            running.pop()[1].leave()
        agents = Agents(testbed)
        agents.start(name or None)
        running.append((name, agents))
    return control


def _with_kernels(testbed: Testbed) -> Callable[[str], None]:
    """Gives the hosts' kernels a congestion control for connections that begin from then on."""
    network = testbed.network

    def control(name: str) -> None:
        for host in (*network.clients, *network.servers):
            _, why, status = host.pexec(["sysctl", "-q", "-w",
                                         f"net.ipv4.tcp_congestion_control={name or network.congestion_control}"])
            if status:
                raise LabError(f"{host.name} does not take the congestion control {name}: {why.strip()}")
    return control


def _measured(testbed: Testbed, options: argparse.Namespace, kind: Kind) -> Json:
    """One run; again, twice at most, if it failed, if much processor time was stolen, or if the application missed a transfer.
    LabError if the last one failed, too."""
    demo.configure(testbed.onos, kind.strategy, kind.allocator)
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
        progress(f"{kind}: {why}" + (", so once more" if left else "; kept"))
    return row


def _run(testbed: Testbed, options: argparse.Namespace) -> tuple[Json, str]:
    """What it gives, and why it should not count; that is empty if it should."""
    clients = testbed.network.clients
    times, before = SubflowTimes(clients), segments(clients)
    times.start()
    try:
        result, row, problems = (_of_traffic if options.arrivals else _of_transfers)(testbed, options)
    finally:
        times.stop()
    sent, again = (now - then for now, then in zip(segments(clients), before))
    stolen = result["run"]["stolenPercent"]
    for problem in problems:
        progress(f"not as promised: {problem}")
    row.update(rttMillis=round(statistics.fmean(times.found), 2) if times.found else None,
               retransmittedPercent=round(100 * again / max(1, sent), 3),
               stolenPercent=stolen, load=result["run"]["load"], problems=len(problems))
    if stolen > STOLEN_PERCENT:
        return row, f"{stolen:.1f} % of the processors' time was stolen"
    missed = 0 if options.arrivals else options.connections - len(report.once(_carried(result)))
    return row, f"{missed} transfers are not among its connections" if missed else ""


def _of_transfers(testbed: Testbed, options: argparse.Namespace) -> tuple[Json, Json, list[str]]:
    """What a demonstration says, its figures, and what it promised in vain."""
    result, problems = demo.demonstrate(testbed, options.seconds, options.subflows, options.udp, options.connections,
                                        options.fail)
    if result["run"]["interrupted"]:
        raise SystemExit(result["run"]["status"])
    return result, figures(result, [_life(testbed, one["id"]) for one in result["connections"]]), problems


def _of_traffic(testbed: Testbed, options: argparse.Namespace) -> tuple[Json, Json, list[str]]:
    """The same of a file's traffic."""
    result = traffic.run(testbed, options.arrivals, options.seconds)
    return result, figures_of_traffic(result), [f"{one['source']} → {one['target']}, second {one['at']:g}: {one['failed']}"
                                                for one in result["transfers"] if "failed" in one]


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


def figures_of_traffic(result: Json) -> Json:
    """What a file's traffic gives for the table. Goodput is what all carried between the first's begin and the last's end."""
    done = [one for one in result["transfers"] if "failed" not in one]
    goodputs = [one["goodputMbps"] for one in done]
    carried = sum(one["goodputMbps"] * one["completionSeconds"] for one in done)
    begin, end = (limit([one["begunSecond"] + part * one["completionSeconds"] for one in done], default=0.0)
                  for limit, part in ((min, 0), (max, 1)))
    sized = [one["completionSeconds"] for one in done if one["bytes"]]
    return {"goodputMbps": round(carried / (end - begin), 3) if done else 0.0, "smallestMbps": min(goodputs, default=0.0),
            "completionSeconds": round(statistics.fmean(sized), 3) if sized else None,
            "fairness": round(intervals.fairness(goodputs), 4) if goodputs else None,
            "setUpMillis": None, "recoveryMillis": None, "lostMegabits": None, "goodputs": goodputs,
            "completions": [one["completionSeconds"] for one in result["transfers"]]}


def _installed(life: Sequence[Json]) -> int | None:
    return next((event["millis"] for event in life if event["type"] == "installed"), None)


def _about(options: argparse.Namespace, topology: Topology, testbed: Testbed) -> Json:
    return {**provenance.of_testbed(testbed, command(options.arguments, options.seed), options.seed),
            "onos": testbed.onos.version(), "topology": topology.name, "seconds": options.seconds,
            "runs": options.runs, "connections": options.connections, "subflows": options.subflows,
            "traffic": options.traffic, "transfers": len(options.arrivals or range(options.connections)),
            "agents": not options.no_agents, "udpMbps": options.udp}


def command(arguments: Sequence[str], seed: int) -> str:
    """The line that repeats a comparison."""
    more = [] if "--seed" in arguments else ["--seed", str(seed)]
    return shlex.join(["./lab", "compare", *arguments, *more])


def means(rows: Sequence[Json]) -> list[Json]:
    """For each of what is compared, the best first: each figure's mean, half of its 95 % confidence interval, and the number of
    runs."""
    return [{**kind._asdict(), **{figure: _mean(some) for figure in FIGURES if (some := _values(mine, figure))}}
            for kind, mine in _ranked(rows)]


def _ranked(rows: Sequence[Json]) -> list[tuple[Kind, list[Json]]]:
    """Transfers with a size: the shortest completion times first, and last those of which none ended; others: the highest
    goodput."""
    found: dict[Kind, list[Json]] = {}
    for row in rows:
        found.setdefault(Kind(*(row[field] for field in Kind._fields)), []).append(row)
    if _values(rows, "completionSeconds"):
        return sorted(found.items(), key=lambda pair: statistics.fmean(_values(pair[1], "completionSeconds") or [math.inf]))
    return sorted(found.items(), key=lambda pair: -statistics.fmean(_values(pair[1], "goodputMbps")))


def _values(rows: Sequence[Json], figure: str) -> list[float]:
    return [row[figure] for row in rows if row.get(figure) is not None]


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
    """For people: a line for each of what is compared, the best first."""
    shown = [figure for figure in FIGURES if _values(rows, figure)]
    stolen = max(row["stolenPercent"] for row in rows)
    what = f"{about['transfers']} transfers of {about['traffic']}" if about["traffic"] else f"{about['transfers']}"
    transfers = (f"{what} × {about['subflows']} subflows, {about['seconds']} s, "
                 f"{'with' if about['agents'] else 'without'} agents")
    machine = f"Linux {about['kernel']}, ONOS {about['onos']}, commit {about['commit']}"
    names = [field for field in Kind._fields if any(row[field] for row in rows)]
    lines = ["", f" {about['topology']}: {transfers}; means and 95 % intervals of {about['runs']} runs",
             f" {machine}; at most {stolen:.1f} % of processor time stolen",
             "", _line(names, [FIGURES[figure][0] for figure in shown])]
    for kind, mine in _ranked(rows):
        cells = [_cell(_values(mine, figure), FIGURES[figure][1]) for figure in shown]
        mark = " *" * any(row["stolenPercent"] > STOLEN_PERCENT for row in mine)
        lines.append(_line([getattr(kind, name) for name in names], cells) + mark)
    if stolen > STOLEN_PERCENT:
        lines.append(f" *: more than {STOLEN_PERCENT:g} % of the processors' time was stolen in one of its runs")
    return "\n".join([*lines, "", f" again: {about['command']}", ""])


def _line(names: Sequence[str], cells: Sequence[str]) -> str:
    return " " + " ".join(f"{name:<17}" for name in names) + "".join(f"{cell:>17}" for cell in cells)


def _cell(values: Sequence[float], digits: int) -> str:
    return intervals.interval(values, digits) if values else "–"
