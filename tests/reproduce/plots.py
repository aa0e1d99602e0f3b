# SPDX-License-Identifier: Apache-2.0
"""Drawing: one function for each kind of figure, so that all of them look alike. Needs Debian's python3-matplotlib."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

Line = tuple[str | None, str | None, str, Sequence[float], Sequence[float]]
"""Label or None, strategy or None, line style, xs, ys."""

Bars = tuple[str, str | None, Sequence[float], Sequence[float] | None]
"""Label, strategy or None, values, half widths of intervals or None."""

Pair = tuple[str, Line, Line | None]
"""A name, our line, and the peer's or None."""

_STYLES = {
    "k-max-min": ("C0", "o"), "k-max": ("C1", "s"), "shortest": ("C2", "^"), "widest-disjoint": ("C3", "d"),
    "first-k-max": ("C4", "v"), "limit": ("black", "."), "network-wide": ("C5", "*"), "resource-pool": ("C6", "P"),
    "multiflow": ("C8", "<"), "ecmp": ("C7", "x"),
    "link-disjoint": ("C0", "o"), "node-disjoint": ("C1", "s"), "zone-disjoint": ("C2", "^"),
}


def lines(path: Path, title: str, x_label: str, y_label: str, series: Iterable[Line], logarithmic: bool = False) -> None:
    """Draws ``series`` into a PNG file."""
    figure, axes = _figure(title, x_label, y_label)
    for label, strategy, style, xs, ys in series:
        colour, marker = _STYLES.get(strategy or "", (None, "."))
        # Hollow and of different sizes, so that one shows behind another.
        size = {"s": 9, "o": 6}.get(marker, 4)
        axes.plot(xs, ys, label=label, color=colour, marker=marker, linestyle=style, markersize=size, fillstyle="none")
    if logarithmic:
        axes.set_xscale("log")
        axes.set_yscale("log")
    _finish(figure, axes, path)


def steps(path: Path, title: str, x_label: str, y_label: str, series: Iterable[Line]) -> None:
    """Draws cumulative distributions: xs of ``series`` are values, ys their shares."""
    figure, axes = _figure(title, x_label, y_label)
    for label, strategy, style, xs, ys in series:
        axes.step(xs, ys, where="post", label=label, color=_STYLES[strategy or ""][0], linestyle=style)
    axes.set_ylim(0, 1.05)
    _finish(figure, axes, path)


def bars(path: Path, title: str, y_label: str, groups: Sequence[str], series: Sequence[Bars]) -> None:
    """Draws a bar for each of ``groups`` and each of ``series``."""
    figure, axes = _figure(title, "", y_label)
    width = 0.8 / len(series)
    for index, (label, strategy, values, intervals) in enumerate(series):
        places = [group + (index - (len(series) - 1) / 2) * width for group in range(len(groups))]
        axes.bar(places, values, width, yerr=intervals, label=label, color=_STYLES.get(strategy or "", (None,))[0], capsize=2)
    axes.set_xticks(range(len(groups)), groups)
    axes.set_ylim(bottom=0)
    _finish(figure, axes, path)


def beside(path: Path, title: str, x_label: str, y_label: str, series: Iterable[Pair]) -> None:
    """Draws pairs of lines on logarithmic scales, each with a colour of its own: (name, ours, the peer's dotted one or None)."""
    figure, axes = _figure(title, x_label, y_label)
    for index, (name, ours, peer) in enumerate(series):
        axes.plot(ours[3], ours[4], label=name, color=f"C{index}", marker="o", markersize=4, fillstyle="none")
        if peer:
            axes.plot(peer[3], peer[4], color=f"C{index}", marker=".", linestyle=":")
    axes.set_xscale("log")
    axes.set_yscale("log")
    _finish(figure, axes, path)


def _figure(title: str, x_label: str, y_label: str) -> tuple[Any, Any]:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(6.4, 4.2))
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.grid(True, alpha=0.3)
    return figure, axes


def _finish(figure: Any, axes: Any, path: Path) -> None:
    from matplotlib import pyplot
    # Below the axes, where it covers nothing.
    axes.legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncol=4)
    # Without the version of the library in the file, the same data give the same octets.
    figure.savefig(path, dpi=120, bbox_inches="tight", metadata={"Software": None})
    pyplot.close(figure)
