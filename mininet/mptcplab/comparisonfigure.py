# SPDX-License-Identifier: Apache-2.0
"""The figure of ``./lab compare``, as wide as a column of a paper. Needs Debian's python3-matplotlib."""

import io
import json
from collections.abc import Sequence
from pathlib import Path

from . import files
from .rest import Json

JSON_FILE = "comparison.json"
_INCHES = 3.4
"""A column of a page with two."""


def draw(file: Path) -> list[Path]:
    """Draws the goodputs of a comparison's JSON with their intervals beside it, as PNG and as PDF; the files, none if nothing was
    measured."""
    if not file.exists():
        return []
    found = json.loads(file.read_text(encoding="utf-8"))
    means = found["means"]
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(_INCHES, 0.9 + 0.28 * len(means)))
    labels, goodputs = _labels(means), [one["goodputMbps"] for one in means]
    axes.barh(labels, [one["mean"] for one in goodputs], xerr=[one["halfWidth"] for one in goodputs], height=0.6, capsize=2,
              color="0.7", error_kw={"linewidth": 0.8})
    axes.invert_yaxis()
    axes.tick_params(labelsize=7)
    axes.set_xlabel(f"goodput, Mbit/s ({found['topology']}, {found['connections']} × {found['subflows']} subflows)", fontsize=7)
    drawn = []
    # Without date and version in the file the same figures give the same octets.
    for kind, metadata in (("png", {"Software": None}), ("pdf", {"CreationDate": None, "Producer": None})):
        octets = io.BytesIO()
        figure.savefig(octets, format=kind, dpi=300, bbox_inches="tight", metadata=metadata)
        drawn.append(file.with_suffix(f".{kind}"))
        files.write(drawn[-1], octets.getvalue())
    pyplot.close(figure)
    return drawn


def _labels(means: Sequence[Json]) -> list[str]:
    """The allocator, too, where there are several."""
    several = len({one["allocator"] for one in means}) > 1
    return [f"{one['strategy']}, {one['allocator']}" if several else one["strategy"] for one in means]
