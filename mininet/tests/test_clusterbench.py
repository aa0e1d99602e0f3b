# SPDX-License-Identifier: Apache-2.0
"""The table of ``./lab bench cluster`` and its JSON."""

import pytest

from mptcplab import cli, clusterbench
from mptcplab.errors import UsageError

ONE = {**{key: None for key, _, _ in clusterbench.ROWS}, "nodes": 1, "load": 0.5, "setupMillis": 10.0, "perSecond": 400.0}
THREE = {**ONE, "nodes": 3, "load": 1.5, "setupMillis": 20.0, "perSecond": 300.0, "bytesPerConnection": 1234.0}


def test_a_line_for_each_figure_and_a_column_for_each_cluster():
    lines = clusterbench.table([ONE, THREE]).splitlines()
    assert lines[1].split()[-2:] == ["1", "3"]
    assert next(line for line in lines if "20 at once" in line).split()[-2:] == ["400.0", "300.0"]
    assert next(line for line in lines if "a short connection" in line).split()[-2:] == ["–", "1234.0"]


def test_a_ratio_below_one_is_worse_than_one_node():
    ratios = {one["name"]: one["ratio"] for one in clusterbench.entries([ONE, THREE])}
    assert ratios["cluster-setupMillis"] == 0.5
    assert ratios["cluster-perSecond"] == 0.75
    assert ratios["cluster-bytesPerConnection"] is None


def test_it_runs_alone():
    with pytest.raises(UsageError, match="cluster runs alone"):
        cli.outside(["bench", "cluster", "maxflow"])
