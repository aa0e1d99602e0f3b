# SPDX-License-Identifier: Apache-2.0
"""``./lab plan`` as users call it: from anywhere, in any locale. What it answers is tested beside the planner itself."""

import json
import os
import subprocess
import time

import pytest

from mptcplab import build
from mptcplab.settings import ROOT


@pytest.fixture(scope="module", autouse=True)
def built():
    build.build()


def plan(*arguments, **environment):
    done = subprocess.run([str(ROOT / "lab"), "plan", *arguments], capture_output=True, stdin=subprocess.DEVNULL, cwd="/",
                          timeout=60, env={**os.environ, **environment})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_the_diamond():
    status, out, err = plan("--topology", "diamond", "--from", "1", "--to", "5")
    assert (status, err) == (0, "")
    answer = json.loads(out)
    assert [subflow["path"] for subflow in answer["connections"][0]["subflows"]] == [
        ["1", "2", "5"], ["1", "3", "5"], ["1", "4", "5"]]
    assert answer["connections"][0]["expectedMbps"] == pytest.approx(30)


def test_a_host_with_several_interfaces():
    status, out, err = plan("--topology", "dual-homed", "--from", "h1", "--to", "h2")
    assert (status, err) == (0, "")
    answer = json.loads(out)["connections"][0]
    assert sorted(subflow["path"] for subflow in answer["subflows"]) == [
        ["h1", "a1", "m1", "b"], ["h1", "a1", "m2", "b"], ["h1", "a2", "m3", "b"]]
    assert answer["expectedMbps"] == pytest.approx(30)
    status, out, err = plan("--topology", "fattree4-dual", "--from", "h1", "--to", "h2", "--k", "4")
    assert (status, err) == (0, "")
    answer = json.loads(out)["connections"][0]
    assert sorted((s["path"][1], s["path"][-2]) for s in answer["subflows"])[0][0] == "pod1edge1"
    assert answer["expectedMbps"] == pytest.approx(40)


@pytest.mark.parametrize("locale", ["C", "POSIX", "C.UTF-8"])
def test_names_in_any_script(tmp_path, locale):
    path = tmp_path / "städte.json"
    path.write_text('{"nodes": [{"id": "Zürich"}, {"id": "東京"}],'
                    ' "links": [{"source": "Zürich", "target": "東京", "capacityMbps": 1}]}', encoding="utf-8")
    status, out, err = plan("--topology", str(path), "--from", "Zürich", "--to", "東京", LC_ALL=locale)
    assert (status, err) == (0, "")
    assert json.loads(out)["connections"][0]["subflows"][0]["path"] == ["Zürich", "東京"]


@pytest.mark.parametrize("arguments, says", [
    ([], "--topology is missing"),
    (["--topology", "nowhere", "--from", "1", "--to", "5"], "no topology 'nowhere'"),
    (["--topology", "diamond", "--from", "1", "--to", "1"], "both '1'"),
    (["--topology", "diamond", "--from", "1", "--to", "5", "--k", "0"], "--k 0"),
])
def test_wrong_usage(arguments, says):
    status, out, err = plan(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("lab: plan: ") and err.count("\n") == 1 and says in err


def test_two_hundred_nodes_do_not_take_long(tmp_path):
    # Under a second on a machine that does nothing else; here only that nothing is badly wrong.
    nodes = 200
    path = tmp_path / "ring.json"
    path.write_text(json.dumps({
        "directed": False, "nodes": [{"id": n} for n in range(nodes)],
        "links": [{"source": n, "target": (n * step + step) % nodes, "capacityMbps": 1 + n % 10}
                  for n in range(nodes) for step in (1, 3, 7) if (n * step + step) % nodes != n]}))
    begun = time.monotonic()
    status, _, err = plan("--topology", str(path), "--from", "0", "--to", "100")
    assert status == 0, err
    assert time.monotonic() - begun < 20
