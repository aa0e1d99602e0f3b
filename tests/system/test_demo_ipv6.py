# SPDX-License-Identifier: Apache-2.0
"""MPTCP over IPv6, from the first neighbour solicitation to three disjoint subflows."""

import json

import pytest

from conftest import assert_disjoint
from test_demo import started


@pytest.mark.long
@pytest.mark.parametrize("name, server", [("diamond", "fd00::2"), ("routed", "fd00:0:0:1::2"), ("edge", "fd00:0:0:1::2")])
def test_three_disjoint_subflows_over_ipv6(tmp_path, name, server):
    report = tmp_path / "f.json"
    process = started("demo", "--topology", name, "--ipv6", "--once", "--seconds", "10", "--json", str(report), folder=tmp_path)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    result = json.loads(report.read_text())
    data = result["connections"][0]
    assert (data["client"], data["server"]) == ("fd00::1", server)
    assert len({s["src"] for s in data["subflows"]}) == 3
    # From one address, if the client's agent opens them.
    assert {s["src"].rsplit(":", 1)[0] for s in data["subflows"]} <= {"[fd00::1]", "[fd00::1:1]", "[fd00::1:2]"}
    assert_disjoint([s["path"] for s in data["subflows"]])
    assert data["goodputMbps"] > 10, "more than one link could carry"
    assert all(s["measuredMbps"] > 2 for s in data["subflows"])
    assert {s["local"] for s in result["kernelSubflows"]} == {s["src"] for c in result["connections"] for s in c["subflows"]}
