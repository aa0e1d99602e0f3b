# SPDX-License-Identifier: Apache-2.0
"""S-MPTCP's figures as demonstrations: several connections at once, each with the share that the paper gives it."""

import json

import pytest

from conftest import assert_disjoint, links_of, tell
from test_demo import started


@pytest.fixture(scope="module", params=["fig1", "fig2b"])
def shown(request, tmp_path_factory):
    """A figure's demonstration, as its name alone asks for it: (its name, the transfers, all of the JSON)."""
    folder = tmp_path_factory.mktemp(request.param)
    process = started("demo", "--topology", request.param, "--once", "--json", str(folder / "f.json"), folder=folder)
    _, err = process.communicate(timeout=400)
    assert process.returncode == 0, err
    result = json.loads((folder / "f.json").read_text())
    return request.param, [c for c in result["connections"] if c["goodputMbps"] > 0], result


def test_every_connection_is_due_its_share(shown, capsys):
    name, data, result = shown
    count, share, links = {"fig1": (3, 12, 36), "fig2b": (2, 20, 40)}[name]
    assert result["ok"] is True
    assert [c["client"] for c in sorted(data, key=lambda c: c["client"])] == [f"10.0.0.{2 * n + 1}" for n in range(count)]
    tell(capsys, f"{name}: expected {[c['expectedMbps'] for c in data]} of {share} each")
    for one in data:
        assert len(one["subflows"]) == 2
        # Who carries less for a while, as on a busy machine, seems to want less, and leaves the rest to others; an idle
        # control connection beside it holds a little.
        assert one["expectedMbps"] >= 0.4 * share
    assert sum(one["expectedMbps"] for one in data) <= links + 0.01


def test_no_link_is_promised_twice(shown):
    _, data, result = shown
    for one in data:
        assert_disjoint([s["path"] for s in one["subflows"]])
    assert all(link["reservedMbps"] <= link["capacityMbps"] + 0.001 for link in result["links"])


def test_nearly_all_of_it_is_carried(shown, capsys):
    name, data, _ = shown
    # Of 36 and 40 Mbit/s headers leave 33.9 and 37.7, which a quiet machine carries. On two processors beside four busy
    # programs 33.3 and 35 were seen, beside ten 29.9 of the latter. A half is what the demonstration itself asks.
    carried = sum(c["goodputMbps"] for c in data)
    tell(capsys, f"{name}: goodput {carried:.1f} of {({'fig1': 36, 'fig2b': 40}[name])} Mbit/s on the wire")
    assert carried >= {"fig1": 18, "fig2b": 20}[name]


def test_nobody_meets_who_need_not(shown):
    name, data, _ = shown
    links = [link for one in data for s in one["subflows"] for link in links_of(s["path"])]
    shared = {link for link in links if links.count(link) > 1}
    # Each of fig1's connections has two ways, which it shares with its neighbours in the middle: links 5 and 10.
    assert len(shared) <= {"fig1": 2, "fig2b": 0}[name], shared
