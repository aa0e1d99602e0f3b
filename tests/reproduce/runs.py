# SPDX-License-Identifier: Apache-2.0
"""Means over runs with their 95 % intervals, as text and as verdicts."""

import statistics
from collections.abc import Sequence

import tables
from mptcplab.intervals import half_width, interval
from tables import NOT_APART

__all__ = ["against", "changes", "half_width", "has_sign", "is_change", "is_among", "is_close", "is_more",
           "is_not_more", "percent", "text"]

CLOSE = 0.1
"""A mean that is off by no more than this part of the published figure has come out."""


def text(values: Sequence[float], digits: int = 2) -> str:
    """A mean with its interval; a dash if nothing was measured."""
    return interval(values, digits) if values else "–"


def against(ours: Sequence[float], others: Sequence[float], digits: int = 2) -> str:
    """Two means with their intervals."""
    return f"{text(ours, digits)} against {text(others, digits)}"


def is_more(ours: Sequence[float], others: Sequence[float]) -> str:
    """Whether the first mean is above the second; "not apart" where their intervals overlap, or there is no interval."""
    if min(len(ours), len(others)) < 2:
        return "not apart"
    gap, noise = statistics.fmean(ours) - statistics.fmean(others), half_width(ours) + half_width(others)
    return "not apart" if abs(gap) <= noise else "yes" if gap > 0 else "no"


def is_not_more(ours: Sequence[float], others: Sequence[float]) -> str:
    """Whether the first mean is not above the second.

    "yes" only if the intervals leave no room for more than a tenth above it: few runs that differ much show nothing.
    """
    if min(len(ours), len(others)) < 2:
        return "not apart"
    gap, noise = statistics.fmean(ours) - statistics.fmean(others), half_width(ours) + half_width(others)
    return "no" if gap > noise else "yes" if gap + noise <= CLOSE * statistics.fmean(others) else "not apart"


def is_close(published: float, ours: Sequence[float]) -> str:
    """Whether a published mean comes out: within a tenth. "not apart" if it is further off, but within the interval."""
    off = abs(statistics.fmean(ours) - published)
    return "yes" if off <= CLOSE * published else "not apart" if off <= half_width(ours) else "no"


def is_among(low: float, high: float, ours: Sequence[float]) -> str:
    """Whether a mean is in a published range, as far as its interval goes; "direction only" from half to twice of that on."""
    middle, error = statistics.fmean(ours), half_width(ours)
    if middle + error >= low and middle - error <= high:
        return "yes" if low <= middle <= high else "not apart"
    return "direction only" if low / 2 <= middle <= 2 * high else "no"


def is_change(published: float, ours: Sequence[float]) -> str:
    """Whether the mean of changes is the published one, as parts: its direction, and half to twice its size."""
    if len(ours) < 2:
        return NOT_APART
    return tables.interval(published, statistics.fmean(ours), half_width(ours))


def has_sign(ours: Sequence[float], wanted: int = 1) -> str:
    """Whether the mean of changes has that sign, beyond its interval."""
    return NOT_APART if len(ours) < 2 else tables.sign(statistics.fmean(ours), half_width(ours), wanted)


def changes(ours: Sequence[float], others: Sequence[float]) -> list[float]:
    """The relative changes of pairs of values."""
    return [one / other - 1 for one, other in zip(ours, others)]


def percent(values: Sequence[float]) -> str:
    """A mean change in per cent with its interval, as far as there are several."""
    return f"{100 * statistics.fmean(values):+.1f} %" + (f" ± {100 * half_width(values):.1f}" if len(values) > 1 else "")
