# SPDX-License-Identifier: Apache-2.0
"""Scenarios, and what is refused: in one line, before anything runs, with nothing left behind."""

import json
import platform
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from mptcplab import packages
from mptcplab.errors import LabError, UsageError
from mptcplab.settings import ROOT
from simulator import building, running, scenario

GOOD = {"stop": 1, "links": [{"ends": ["s", "t"], "mbps": 10, "delay": 0.01, "queue": 25}],
        "connections": [{"paths": [{"nodes": ["s", "t"]}], "control": "lia"}]}


def _with(*places, value):
    changed = json.loads(json.dumps(GOOD))
    at = changed
    for place in places[:-1]:
        at = at[place]
    at[places[-1]] = value
    return json.dumps(changed)


def test_a_file_has_the_fields_of_the_classes():
    read = scenario.read(json.dumps(GOOD))
    assert read.links == (scenario.Link(("s", "t"), 10, 0.01, 25),)
    assert read.connections == (scenario.Connection((scenario.Path(("s", "t")),), "lia"),)
    written = json.loads(read.to_json({"lia": "/lia.so"}))
    assert written["connections"][0]["paths"][0]["nodes"] == ["s", "t"] and written["tcp"]["segment"] == 1428


def test_the_documented_scenario_is_one():
    document = (ROOT / "docs" / "packets.md").read_text(encoding="utf-8")
    read = scenario.read(document.partition("```json\n")[2].partition("```")[0])
    assert [one.control for one in read.connections] == ["lia", "reno"] and read.links[2].red == scenario.Red(5, 15, 0.02)


@pytest.mark.parametrize("text, complaint", [
    ("{", "is no JSON"), ("[]", "is no object"), (_with("stop", value=0), "stop 0 is not above 0"),
    (_with("stop", value="long"), "does not fit"), (_with("stop", value=float("nan")), "does not fit"),
    (_with("speed", value=1), "has no field speed"), (_with("links", 0, "mbps", value=-10), "mbps -10 is not above 0"),
    (_with("links", 0, "delay", value=-1), "delay -1"), (_with("links", 0, "queue", value=0), "queue 0"),
    (_with("links", 0, "queue", value=1.5), "does not fit"), (_with("links", 0, "red", value={"least": 5}), "has no most"),
    (_with("links", 0, "red", value={"least": 5, "most": 2}), "least ≤ most"), (_with("seed", value=0), "seed 0"),
    (_with("connections", 0, "size", value=-1), "is negative"), (_with("connections", 0, "buffer", value=0), "buffer 0"),
    (_with("connections", 0, "scheduler", value="blest"), "no scheduler blest"),
    (_with("connections", 0, "paths", value=[{"nodes": ["s", "u"]}]), "no link s–u"),
    (_with("connections", 0, "paths", value=[{"nodes": ["s", "t", "s"]}]), "twice"),
    (_with("connections", value=[]), "one connection at least"),
    (_with("noise", value=[{"nodes": ["s", "t"], "mbps": -1}]), "noise"),
    (_with("tcp", value={"delayed": 0.2}), "shorter than timeout"), (_with("sample", value=2), "sample 2")])
def test_bad_scenarios_are_refused(text, complaint):
    with pytest.raises(UsageError, match=complaint) as refused:
        scenario.read(text)
    assert "\n" not in str(refused.value)


def test_an_unknown_control_is_refused_before_ns3_is_fetched(monkeypatch):
    monkeypatch.setattr(packages, "ns3", lambda: pytest.fail("fetches something"))
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    with pytest.raises(UsageError, match="there is no congestion control vegas: the simulator has reno"):
        running.run(scenario.read(_with("connections", 0, "control", value="vegas")))


def test_another_machine_is_told_that_there_is_no_ns3(monkeypatch):
    monkeypatch.setattr(packages, "ns3", lambda: pytest.fail("fetches something"))
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    with pytest.raises(UsageError, match="for x86_64 only, and this machine is aarch64"):
        running.run(scenario.read(json.dumps(GOOD)))


@pytest.mark.parametrize("broken, error", [
    (lambda command, **_: subprocess.CompletedProcess(command, 1, "", "x.c:1: error: odd"), LabError),
    (KeyboardInterrupt, KeyboardInterrupt)])
def test_a_compiler_that_fails_or_is_interrupted_leaves_nothing(tmp_path, monkeypatch, broken, error):
    def compiler(command, **options):
        Path(command[command.index("-o") + 1]).write_text("half")
        if broken is KeyboardInterrupt:
            raise broken
        return broken(command, **options)
    monkeypatch.setattr(subprocess, "run", compiler)
    with pytest.raises(error):
        building.control("lia", tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_part_of_no_name_and_a_file_that_is_not_there_are_refused(tmp_path, monkeypatch):
    program = Path(__file__).with_name("__main__.py")
    for arguments, complaint in (([], "usage"), (["part", "shoe", "1", "x"], "no part shoe"),
                                 (["part", "smptcp/tables", "-1", "x"], "-1 is no number"),
                                 (["part", "smptcp/tables", "1", "x", "slow"], "usage"),
                                 (["run", str(tmp_path / "none")], "cannot be read")):
        main = runpy.run_path(str(program), run_name="simulation")["main"]
        with pytest.raises(UsageError, match=complaint):
            main(arguments)
    assert not list(tmp_path.iterdir()) and sys.argv
