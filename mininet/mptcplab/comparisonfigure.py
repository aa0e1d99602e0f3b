# SPDX-License-Identifier: Apache-2.0
"""The figure of ``./lab compare``, as wide as a column of a paper. Needs Debian's python3-matplotlib."""

import json
from pathlib import Path

from . import columnfigure

JSON_FILE = "comparison.json"
_NONE = {"mean": None, "halfWidth": None}
"""Where no transfer ended."""


def draw(file: Path) -> list[Path]:
    """Draws the goodputs, or the completion times, of a comparison's JSON with their intervals beside it, as PNG and as PDF; the
    files, none if nothing was measured."""
    if not file.exists():
        return []
    found = json.loads(file.read_text(encoding="utf-8"))
    means = found["means"]
    # Of transfers with sizes, people compare how long they take.
    figure, label = (("completionSeconds", "completion time, s") if "completionSeconds" in means[0]
                     else ("goodputMbps", "goodput, Mbit/s"))
    return columnfigure.saved(columnfigure.bars(
        columnfigure.labels(means, "allocator", "congestion"), [one.get(figure, _NONE) for one in means],
        f"{label} ({found['topology']}, {found['transfers']} × {found['subflows']} subflows)"), file)
