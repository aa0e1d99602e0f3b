# SPDX-License-Identifier: Apache-2.0
"""Draws what ``./lab bench growth --json FILE`` wrote: how times grow. Arguments: that file, and a PNG file."""

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import plots

_BEGINNING = "growth-"


def draw(entries: Iterable[dict[str, Any]], picture: Path) -> bool:
    """Draws all series among a benchmark's entries; false if there are none."""
    series = []
    for entry in entries:
        if entry["name"].startswith(_BEGINNING):
            points = entry["points"]
            measured = [point for point in points if "peerScore" in point]
            name = f"{entry['name'][len(_BEGINNING):]}, by {entry['size']}: {entry['exponent']:.2f}"
            series.append((name, _line(points, "ours"), _line(measured, "peerScore") if measured else None))
    if not series:
        return False
    plots.beside(picture, "How times grow (dotted: the peer), with the exponents of ours", "connections or nodes", "µs", series)
    return True


def _line(points: Sequence[dict[str, Any]], what: str) -> plots.Line:
    return None, None, "-", [point["size"] for point in points], [point[what] for point in points]


def main(arguments: Sequence[str]) -> int:
    """Draws a file; 2 if it has no growth."""
    entries = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    if not draw(entries, Path(arguments[1])):
        print("lab: ./lab bench: --plot draws growth: name it, as in ./lab bench growth --plot growth.png", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
