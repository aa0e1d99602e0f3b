# SPDX-License-Identifier: Apache-2.0
"""Means with confidence intervals, and Jain's index."""

import pytest

from mptcplab import intervals


def test_fairness_is_jain_s_index():
    assert intervals.fairness([4.0, 4.0, 4.0]) == 1
    assert intervals.fairness([9.0, 0.0, 0.0]) == pytest.approx(1 / 3)
    assert intervals.fairness([0.0]) == 0


def test_intervals_are_student_s():
    # Mean 10, standard deviation 1: 4.30 / sqrt(3).
    assert intervals.interval([9.0, 10.0, 11.0], 2) == "10.00 ± 2.48"
    assert intervals.interval([9.0], 1) == "9.0"


@pytest.mark.parametrize("count, quantile", [(11, 2.228), (16, 2.131), (30, 2.045), (101, 1.984)])
def test_intervals_of_many_are_student_s_too(count, quantile):
    values = [float(number) for number in range(count)]
    error = (count * (count + 1) / 12 / count) ** 0.5
    assert intervals.half_width(values) == pytest.approx(quantile * error, rel=0.015)
