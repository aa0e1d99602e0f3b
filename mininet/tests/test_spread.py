# SPDX-License-Identifier: Apache-2.0
"""What ``./lab bench spread`` makes of its measurements."""

from mptcplab.trials import spread

FAR = {"goodput": 9.0, "begin": 8.0, "small": 5.0, "file": 1.0}
NEAR = {"goodput": 18.0, "begin": 16.0, "small": 10.0, "file": 0.5}
FOUND = {**{str(millis): [FAR, FAR] for millis in spread.SPREADS}, "near": [NEAR], "tcp": [FAR]}


def test_the_far_path_has_one_hop_more_and_a_delay():
    built = spread.topology()
    assert built.shortest_path(*built.pair(0)) in (["s1", "s3", "s5"], ["s1", "s4", "s5"])
    assert [(link.a, link.b) for link in built.links if link.is_delayed] == [("s2", "s6")]


def test_the_table_has_a_line_for_each_distance_and_one_without_the_far_path():
    lines = spread.table(FOUND, "2 runs").splitlines()
    assert len(lines) == 2 + len(spread.SPREADS) + 2
    assert lines[-2].split() == ["two", "near", "18.00", "16.00", "10.00", "0.50"]


def test_all_paths_are_compared_with_the_near_ones_and_more_is_better():
    found = spread.entries(FOUND)
    assert len(found) == len(spread.SPREADS) * len(spread.FIGURES)
    assert {one["ratio"] for one in found} == {0.5} and found[0]["peer"] == "two near paths"
