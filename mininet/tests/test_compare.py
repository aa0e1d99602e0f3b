# SPDX-License-Identifier: Apache-2.0
"""The table of a demonstration without agents and with them."""

import pytest

from mptcplab import cli, compare
from mptcplab.errors import UsageError


def result(*rates, ok=True):
    """Of transfers with an expected share of 12 Mbit/s and these rates on the wire, each in two subflows."""
    return {"ok": ok, "topology": "fig1", "connections": [
        {"client": f"10.0.0.{2 * number - 1}", "server": f"10.0.0.{2 * number}", "goodputMbps": rate * 0.9, "expectedMbps": 12.0,
         "subflows": [{"measuredMbps": rate / 2}, {"measuredMbps": rate / 2}]} for number, rate in enumerate(rates, 1)]}


def rows(without, with_agents):
    lines = compare.table(compare.together(without, with_agents)).splitlines()[2:]
    return [[cell for cell in line.split("  ") if cell.strip()] for line in lines if line]


def cells(without, with_agents):
    """The figures of each row by its name."""
    return {row[0].strip(): [cell.strip() for cell in row[1:]] for row in rows(without, with_agents)}


def test_both_stand_side_by_side():
    found = cells(result(8, 11, 17), result(11.8, 11.8, 12.4))
    assert found["10.0.0.1 → 10.0.0.2"] == ["12.00", "8.00", "12.00", "11.80"]
    assert found["10.0.0.5 → 10.0.0.6"] == ["12.00", "17.00", "12.00", "12.40"]
    assert found["sum"] == ["36.00", "36.00", "36.00", "36.00"]
    assert found["standard deviation"] == ["3.74", "0.28"]
    assert found["within 1 Mbit/s of what is expected"] == ["1 of 3", "3 of 3"]
    assert found["goodput, sum"] == ["32.40", "32.40"]
    assert found["subflows"] == ["6", "6"]


def test_one_transfer_has_no_deviation():
    assert "standard deviation" not in cells(result(9), result(10))


def test_a_transfer_that_was_not_seen_leaves_a_gap():
    found = cells(result(), result(10))
    assert found["10.0.0.1 → 10.0.0.2"] == ["–", "–", "12.00", "10.00"]


def test_the_json_is_that_with_agents_and_has_the_other_in_a_field():
    without, with_agents = result(8), result(10)
    found = compare.together(without, with_agents)
    assert found == {**with_agents, "withoutAgents": without}
    assert "withoutAgents" not in with_agents


@pytest.mark.parametrize("without, with_agents, both", [(True, True, True), (False, True, False), (True, False, False)])
def test_it_is_as_promised_if_both_are(without, with_agents, both):
    assert compare.together(result(1, ok=without), result(1, ok=with_agents))["ok"] is both


def test_agents_cannot_be_left_out_of_a_comparison():
    with pytest.raises(UsageError, match="not allowed with"):
        cli.outside(["demo", "--compare", "--no-agents"])
