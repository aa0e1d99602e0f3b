# SPDX-License-Identifier: Apache-2.0
"""Drawing: one function for each kind of figure, so that all of them look alike. Needs Debian's python3-matplotlib."""

_STYLES = {
    "k-max-min": ("C0", "o"), "k-max": ("C1", "s"), "shortest": ("C2", "^"), "widest-disjoint": ("C3", "d"),
    "limit": ("black", "."),
    "link-disjoint": ("C0", "o"), "node-disjoint": ("C1", "s"), "zone-disjoint": ("C2", "^"),
}


def lines(path, title, x_label, y_label, series, logarithmic=False):
    """Draws ``series``, a list of (label, strategy or None, line style, xs, ys), into a PNG file."""
    figure, axes = _figure(title, x_label, y_label)
    for label, strategy, style, xs, ys in series:
        colour, marker = _STYLES.get(strategy, (None, "."))
        # Hollow and of different sizes, so that one shows behind another.
        size = {"s": 9, "o": 6}.get(marker, 4)
        axes.plot(xs, ys, label=label, color=colour, marker=marker, linestyle=style, markersize=size, fillstyle="none")
    if logarithmic:
        axes.set_xscale("log")
        axes.set_yscale("log")
    _finish(figure, axes, path)


def steps(path, title, x_label, y_label, series):
    """Draws cumulative distributions: ``series`` is a list of (label, strategy, line style, values, shares)."""
    figure, axes = _figure(title, x_label, y_label)
    for label, strategy, style, xs, ys in series:
        axes.step(xs, ys, where="post", label=label, color=_STYLES[strategy][0], linestyle=style)
    axes.set_ylim(0, 1.05)
    _finish(figure, axes, path)


def bars(path, title, y_label, groups, series):
    """Draws a bar for each of ``groups`` and each (label, strategy or None, values, half widths of intervals or None)."""
    figure, axes = _figure(title, "", y_label)
    width = 0.8 / len(series)
    for index, (label, strategy, values, intervals) in enumerate(series):
        places = [group + (index - (len(series) - 1) / 2) * width for group in range(len(groups))]
        axes.bar(places, values, width, yerr=intervals, label=label, color=_STYLES.get(strategy, (None,))[0], capsize=2)
    axes.set_xticks(range(len(groups)), groups)
    axes.set_ylim(bottom=0)
    _finish(figure, axes, path)


def _figure(title, x_label, y_label):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(6.4, 4.2))
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.grid(True, alpha=0.3)
    return figure, axes


def _finish(figure, axes, path):
    from matplotlib import pyplot
    # Below the axes, where it covers nothing.
    axes.legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncol=4)
    # Without the version of the library in the file, the same data give the same octets.
    figure.savefig(path, dpi=120, bbox_inches="tight", metadata={"Software": None})
    pyplot.close(figure)
