# SPDX-License-Identifier: Apache-2.0
"""``./lab demo --fail`` on a real topology, as users run it."""

import json

import pytest

from conftest import links_of
from test_demo import started


@pytest.mark.long
def test_a_link_in_use_fails_on_os3e(tmp_path):
    process = started("demo", "--topology", "os3e", "--subflows", "2", "--fail", "auto@4", "--once", "--seconds", "12",
                      "--json", str(tmp_path / "f.json"), folder=tmp_path)
    out, err = process.communicate(timeout=400)
    assert process.returncode == 0, err
    result = json.loads((tmp_path / "f.json").read_text())
    failure = result["failure"]
    assert set(failure) == {"link", "atSecond", "rerouteMillis", "lostMegabits", "goodputBefore", "goodputAfter"}
    assert 0 < failure["rerouteMillis"] < 20_000
    assert failure["atSecond"] >= 4 and failure["lostMegabits"] >= 0
    assert failure["goodputBefore"] > 5 and failure["goodputAfter"] > 5
    for one in result["connections"]:
        assert all(frozenset(failure["link"]) not in links_of(s["path"]) for s in one["subflows"])
    assert f"{failure['link'][0]} – {failure['link'][1]} ended" in out
