# SPDX-License-Identifier: Apache-2.0
"""Writes what ``./lab bench --json FILE`` measured into a document. Arguments: that file, the document, and the load average
before. The document has ``<!-- ./lab bench -->`` and ``<!-- end -->`` around the table, and for growth such marks as
``<!-- ./lab bench growth: nodes -->``; what stands between them is replaced."""

import datetime
import json
import math
import os
import platform
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import parts
from tables import markdown

_WHAT = {
    "maxflow-fattree32": "maximum flow between edge switches, among 9,472 vertices",
    "maxflow-fattree32-jgrapht": "the same",
    "widest-disjoint-fattree32": "three paths among 1,280 switches",
    "widest-disjoint-waxman50": "three paths, 50 switches, capacities by direction",
    "widest-disjoint-waxman50-symmetric": "capacities by link",
    "k-max-min-waxman50": "the heuristic of Sheu et al.; the peer: the optimum, as no library has the heuristic",
    "max-min-300": "shares of 300 connections, three paths each",
    "max-min-1000": "shares of 1,000 connections, three paths each",
    "max-min-1000-uneven": "the same, uneven capacities",
    "max-min-arrival": "one more of them, from the last answer",
    "max-min-arrival-scratch": "one more of them, from scratch",
    "max-min-10000": "one more of 10,000, from the last answer",
    "zeta-1000": "the attainable rate of one of them",
    "proportional-1000": "proportional fairness",
    "proportional-1000-uneven": "the same, uneven capacities",
}
_GROWTH = "growth-"


def table(entries: Iterable[dict[str, Any]], load: float, commit: str) -> str:
    """The table, with the machine, the commit and the load average before it; entries without a peer's time are left out."""
    known = [entry for entry in entries if "peerScore" in entry and "forks" in entry]
    rows = [[f"`{entry['name']}`", _WHAT.get(entry["name"], ""), time(entry["ours"], entry["oursError"], entry["oursN"]),
             entry["peer"], time(entry["peerScore"], entry["peerError"], entry["peerN"]), f"{entry['ratio']:.3g}"]
            for entry in known]
    forks, seeds = ({entry[what] for entry in known} for what in ("forks", "seeds"))
    return (f"{_where(load, commit)}; Java machines for each: {_numbers(forks)}; seeds: {_numbers(seeds)}. "
            "In brackets: n.\n\n"
            + markdown(["benchmark", "what", "ours", "peer", "", "ratio"], rows))


def _where(load: float, commit: str) -> str:
    return (f"{datetime.date.today()}, commit {commit}, {platform.machine()}, {os.cpu_count()} cores, load average {load:.1f} "
            "before")


def growth_table(entries: Sequence[dict[str, Any]], load: float, commit: str) -> str:
    """The same of series over the same sizes: a line for ours and for the peer of each, with the exponent of its growth."""
    sizes = sorted({point["size"] for entry in entries for point in entry["points"]})
    rows = []
    for entry in entries:
        points = {point["size"]: point for point in entry["points"]}
        for label, side, exponent in ((f"`{entry['name'].removeprefix(_GROWTH)}`", "ours", "exponent"),
                                      (entry["peer"], "peer", "peerExponent")):
            rows.append([label, *(_at(points.get(size, {}), side) for size in sizes), _exponent(entry, exponent)])
    forks, seeds = ({entry[what] for entry in entries} for what in ("forks", "seeds"))
    return (f"{_where(load, commit)}; Java machines for each: {_numbers(forks)}; seeds: {_numbers(seeds)}. In brackets: n.\n\n"
            + markdown([entries[0]["size"], *(f"{size:,}" for size in sizes), "exponent"], rows))


def _at(point: dict[str, Any], side: str) -> str:
    """What one side took; a dash where it was not measured."""
    score = point.get("ours" if side == "ours" else "peerScore")
    return "–" if score is None else time(score, point[f"{side}Error"], point[f"{side}N"])


def _exponent(entry: dict[str, Any], name: str) -> str:
    found, error = entry.get(name), entry.get(f"{name}Error")
    return "–" if found is None else f"{found:.2f}" if error is None else f"{found:.2f} ± {error:.2f}"


def _numbers(found: Iterable[int]) -> str:
    return ", ".join(str(number) for number in sorted(found))


def time(micros: float, error: float | None, count: int) -> str:
    """A time with its interval, in the unit in which it is a number from 1 to 999, and n."""
    unit, factor = next(((unit, factor) for unit, factor in (("s", 1e6), ("ms", 1e3)) if micros >= factor), ("µs", 1))
    value, half = micros / factor, None if error is None else error / factor
    # As many digits as the interval is worth two of, and three at most.
    digits = max(0, 2 - math.floor(math.log10(value))) if value > 0 else 0
    if half:
        digits = max(0, min(digits, 1 - math.floor(math.log10(half))))
    interval = "" if half is None else f" ± {half:.{digits}f}"
    return f"{value:.{digits}f}{interval} {unit} ({count})"


def fill(document: Path, text: str, what: str = "") -> bool:
    """Puts text between the marks of a document; false if it has none. ``what``: a benchmark with marks of its own."""
    before = document.read_text(encoding="utf-8")
    place = re.compile(rf"(<!-- \./lab bench{re.escape(what)} -->\n).*?(<!-- end -->)", re.DOTALL)
    after, places = place.subn(lambda found: f"{found[1]}{text}\n{found[2]}", before)
    if places:
        document.write_text(after, encoding="utf-8")
    return places > 0


def main(arguments: Sequence[str]) -> int:
    """Fills a document; 2 if it has no place for a table."""
    entries = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    document, load, commit = Path(arguments[1]), float(arguments[2]), parts.commit()
    tables = {}
    if any("peerScore" in entry for entry in entries):
        tables[""] = table(entries, load, commit)
    series = [entry for entry in entries if entry["name"].startswith(_GROWTH)]
    for size in dict.fromkeys(entry["size"] for entry in series):
        tables[f" growth: {size}"] = growth_table([entry for entry in series if entry["size"] == size], load, commit)
    for what, text in tables.items():
        if not fill(document, text, what):
            print(f"lab: ./lab bench: {document} has no lines <!-- ./lab bench{what} --> and <!-- end -->", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
