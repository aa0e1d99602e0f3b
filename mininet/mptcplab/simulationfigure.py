# SPDX-License-Identifier: Apache-2.0
"""The figures of ``./lab simulate``, each as wide as a column of a paper. Needs Debian's python3-matplotlib."""

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from . import columnfigure
from .rest import Json

if TYPE_CHECKING:
    from matplotlib.figure import Figure

JSON_FILE = "simulation.json"
_POINTS = 400
"""Of a curve at most: more cannot be seen."""
_STYLES = ("-", "--", ":", "-.")


def draw(folder: Path) -> list[Path]:
    """Draws mean completion times, and their distributions over all seeds, of the folder of a simulation; the files, none if
    nothing was simulated."""
    file = folder / JSON_FILE
    if not file.exists():
        return []
    found = json.loads(file.read_text(encoding="utf-8"))
    return [*columnfigure.saved(_means(found["means"]), folder / "simulation-means"),
            *columnfigure.saved(_distributions(_times(folder, found), found["means"]), folder / "simulation-times")]


def _means(means: Sequence[Json]) -> "Figure":
    return columnfigure.bars(labels(means), [one["meanSeconds"] for one in means], "mean completion time, s")


def _distributions(times: Mapping[str, Sequence[float]], means: Sequence[Json]) -> "Figure":
    from matplotlib.figure import Figure
    figure = Figure(figsize=(columnfigure.INCHES, 2.4))
    axes = figure.subplots()
    for number, (label, one) in enumerate(zip(labels(means), means)):
        curve = times[_group(one)]
        shown = sorted({round(i * (len(curve) - 1) / _POINTS) for i in range(_POINTS + 1)}) if curve else []
        axes.plot([curve[i] for i in shown], [(i + 1) / len(curve) for i in shown], _STYLES[number % len(_STYLES)], label=label,
                  linewidth=1)
    axes.set_xscale("log")
    axes.tick_params(labelsize=7)
    axes.set_xlabel("completion time, s", fontsize=7)
    axes.set_ylabel("part of the connections", fontsize=7)
    axes.legend(fontsize=6)
    return figure


def _group(run: Json) -> str:
    return f"{run['strategy']}-{run['allocator']}-{run['model']}"


def _times(folder: Path, found: Json) -> dict[str, list[float]]:
    """Group → completion times of the connections that have ended, of all finished runs, the shortest first."""
    times: dict[str, list[float]] = {_group(one): [] for one in found["means"]}
    for run in found["runs"]:
        file = folder / "runs" / f"{_group(run)}-{run['seed']}-connections.csv"
        if file.exists():
            with open(file, encoding="utf-8", newline="") as opened:
                ended = [row["completionSeconds"] for row in csv.DictReader(opened)]
            times[_group(run)] += [float(time) for time in ended if time]
    return {group: sorted(all_times) for group, all_times in times.items()}


def labels(means: Sequence[Json]) -> list[str]:
    """Allocators and models, too, where there are several."""
    return columnfigure.labels(means, "allocator", "model")
