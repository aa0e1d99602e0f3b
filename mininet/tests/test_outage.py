# SPDX-License-Identifier: Apache-2.0
"""What ``./lab demo --kill`` takes, and how long a transfer stood."""

import pytest

from mptcplab import cli, outage
from mptcplab.errors import UsageError


def test_a_node_and_a_second_are_understood():
    assert outage.parse("leader@5", 20) == ("leader", 5.0)
    assert outage.parse("storage@2.5", 20) == ("storage", 2.5)


@pytest.mark.parametrize("text", ["leader", "leader@", "leader@x", "leader@nan", "leader@0", "leader@19", "s1@5", "@5"])
def test_anything_else_is_refused_with_what_would_be_right(text):
    with pytest.raises(UsageError, match="--kill leader@6"):
        outage.parse(text, 20)


@pytest.mark.parametrize("arguments", [["demo", "--kill", "leader@5"], ["demo", "--nodes", "0"], ["demo", "--nodes", "9"],
                                       ["demo", "--nodes", "3", "--kill", "leader@5", "--fail", "auto@5"],
                                       ["demo", "--nodes", "2", "--compare"]])
def test_options_that_do_not_go_together_are_refused(arguments):
    with pytest.raises(UsageError, match="node"):
        cli.outside(arguments)


def interval(end, mbit):
    return {"sum": {"end": end, "seconds": 0.1, "bytes": mbit * 1e6 / 8}}


def test_the_longest_stall_after_the_second_counts():
    arrived = [0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1]
    intervals = [interval(round(0.1 * (i + 1), 1), mbit) for i, mbit in enumerate(arrived)]
    assert outage.stall_millis(intervals, 0.4) == 200
    assert outage.stall_millis(intervals, 0.9) == 100


def test_a_transfer_that_never_stood_has_no_stall():
    assert outage.stall_millis([interval(0.1 * i, 1) for i in range(9)], 0.2) == 0
    assert outage.stall_millis([], 0.2) == 0
