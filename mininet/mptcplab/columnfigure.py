# SPDX-License-Identifier: Apache-2.0
"""Figures as wide as a column of a paper. Need Debian's python3-matplotlib."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from . import files
from .rest import Json

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INCHES = 3.4
"""A column of a page with two."""


def labels(means: Sequence[Json], *further: str) -> list[str]:
    """The strategies; of the further fields those that vary, without the strategies where only these do."""
    varying = [field for field in ("strategy", *further) if len({one[field] for one in means}) > 1] or ["strategy"]
    return [", ".join(one[field] for field in varying) for one in means]


def bars(names: Sequence[str], intervals: Sequence[Json], label: str) -> "Figure":
    """A bar for each mean, with the half-width of its interval; what is None counts as 0."""
    from matplotlib.figure import Figure
    figure = Figure(figsize=(INCHES, 0.9 + 0.28 * len(names)))
    axes = figure.subplots()
    axes.barh(names, [one["mean"] or 0 for one in intervals], xerr=[one["halfWidth"] or 0 for one in intervals], height=0.6,
              capsize=2, color="0.7", error_kw={"linewidth": 0.8})
    axes.invert_yaxis()
    axes.tick_params(labelsize=7)
    axes.set_xlabel(label, fontsize=7)
    return figure


def saved(figure: "Figure", name: Path) -> list[Path]:
    """Writes a figure as PNG and as PDF; the files."""
    drawn = []
    # Without date and version in the file the same figures give the same octets.
    for kind, metadata in (("png", {"Software": None}), ("pdf", {"CreationDate": None, "Producer": None})):
        octets = io.BytesIO()
        figure.savefig(octets, format=kind, dpi=300, bbox_inches="tight", metadata=metadata)
        drawn.append(name.with_suffix(f".{kind}"))
        files.write(drawn[-1], octets.getvalue())
    return drawn
