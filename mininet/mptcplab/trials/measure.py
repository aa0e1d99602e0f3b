# SPDX-License-Identifier: Apache-2.0
"""Runs one experiment inside the namespace and writes what it has measured as CSV."""

import csv
import io
from collections.abc import Callable
from functools import partial
from pathlib import Path

from .. import files
from ..errors import LabError
from . import emptcp, multiflow, sheu, smptcp
from .bed import Row

def _network(nodes: int, _runs: int) -> list[Row]:
    # It is the requests that differ, not the runs.
    return sheu.iperf(nodes)


TRIALS: dict[str, Callable[[int], list[Row]]] = {
    "multiflow/sharing": multiflow.sharing, "multiflow/setup": multiflow.setup, "multiflow/fourth": multiflow.fourth,
    "multiflow/throughput-100": multiflow.large_throughput, "multiflow/sharing-100": multiflow.large_sharing,
    **{f"sheu/iperf-{nodes}": partial(_network, nodes) for nodes in sheu.NODES},
    "emptcp/requests": emptcp.requests, "emptcp/fat-tree": emptcp.fat_tree}
"""By name, each with the number of runs as its argument."""

WITH_QUICK: dict[str, Callable[[int, bool], list[Row]]] = {
    "multiflow/throughput": multiflow.throughput, "smptcp/windows": smptcp.windows, "smptcp/delays": smptcp.delays,
    "smptcp/collisions": smptcp.collisions}
"""Those that have fewer parameters in the quick form; whether it is that is their second argument."""


def run(name: str, runs: int, file: str, quick: bool) -> int:
    """Measures so many runs and writes them to ``file``. LabError if nothing was measured."""
    rows = WITH_QUICK[name](runs, quick) if name in WITH_QUICK else TRIALS[name](runs)
    if not rows:
        raise LabError(f"{name}: nothing was measured")
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    files.write(Path(file), text.getvalue())
    return 0
