# SPDX-License-Identifier: Apache-2.0
"""Means of a few measurements with their confidence intervals, and Jain's index."""

import statistics
from collections.abc import Sequence

_STUDENT = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}
"""Of n measurements: by what the standard error is multiplied for a 95 % confidence interval."""

_NORMAL = 1.96


def interval(values: Sequence[float], digits: int) -> str:
    """A mean with its 95 % confidence interval, as far as there are several values."""
    mean = f"{statistics.fmean(values):.{digits}f}"
    if len(values) < 2:
        return mean
    return f"{mean} ± {half_width(values):.{digits}f}"


def half_width(values: Sequence[float]) -> float:
    """Half the 95 % confidence interval of the mean, by Student's distribution; 0 for one value."""
    if len(values) < 2:
        return 0.0
    return _quantile(len(values)) * statistics.stdev(values) / len(values) ** 0.5


def _quantile(count: int) -> float:
    """Student's 97.5 % quantile: of the table, or by its expansion in the degrees of freedom, which is right to 0.01 there."""
    return _STUDENT.get(count) or _NORMAL + (_NORMAL ** 3 + _NORMAL) / (4 * (count - 1))


def fairness(rates: Sequence[float]) -> float:
    """Jain's index: 1 if all are equal, 1/n if one has everything."""
    squares = len(rates) * sum(rate * rate for rate in rates)
    return sum(rates) ** 2 / squares if squares else 0.0
