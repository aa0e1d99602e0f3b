# SPDX-License-Identifier: Apache-2.0
"""``./lab demo`` as users run it, in a process of its own."""

import contextlib
import csv
import json
import os
import signal
import subprocess
import tempfile

import jsonschema
import pytest

from conftest import assert_disjoint
from mptcplab.processes import wait_for
from mptcplab.settings import ROOT


def started(*arguments, folder, lab=ROOT / "lab"):
    """``./lab`` with a folder of its own for temporary files, to see what it leaves behind."""
    environment = dict(os.environ, TMPDIR=str(folder))
    environment.pop("MPTCPLAB_RUN_FOLDER", None)
    return subprocess.Popen([str(lab), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=environment)


@contextlib.contextmanager
def temporary_files(folder):
    """What runs meanwhile, as a user would run it, has its temporary files there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(folder))
        patch.setattr(tempfile, "tempdir", str(folder))
        patch.delenv("MPTCPLAB_RUN_FOLDER", raising=False)
        yield


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """The result of the demonstration that the README starts with."""
    folder = tmp_path_factory.mktemp("demo")
    process = started("demo", "--once", "--seconds", "15", "--json", str(folder / "f.json"), folder=folder)
    out, err = process.communicate(timeout=400)
    assert process.returncode == 0, err
    (folder / "f.json").rename(folder.parent / "shown.json")
    assert not list(folder.iterdir()), "it left something behind"
    return json.loads((folder.parent / "shown.json").read_text()), out


def test_three_disjoint_paths_and_their_sum(shown):
    result, _ = shown
    data = result["connections"][0]
    # More than two of the three links could carry; on a quiet machine it is 27 to 28.
    assert data["goodputMbps"] > 20
    assert len(data["subflows"]) == 3
    paths = [s["path"] for s in data["subflows"]]
    assert_disjoint(paths)
    assert all(path[0] == "s1" and path[-1] == "s5" for path in paths)
    assert result["ok"] is True


def test_the_control_connection_carries_too_little_for_paths(shown):
    result, _ = shown
    assert len(result["connections"]) == 1


def test_kernel_and_controller_know_the_same_subflows(shown):
    result, _ = shown
    assert {(s["local"], s["remote"]) for s in result["kernelSubflows"]} == \
        {(s["src"], s["dst"]) for c in result["connections"] for s in c["subflows"]}


def test_the_contract_of_the_json(shown):
    result, _ = shown
    assert set(result) == {"topology", "strategy", "allocator", "onos", "connections", "links", "kernelSubflows", "ok", "run"}
    assert result["topology"] == "diamond"
    assert set(result["onos"]) == {"version", "bootSeconds"} and result["onos"]["bootSeconds"] < 180
    for one in result["connections"]:
        assert set(one) == {"id", "client", "server", "direction", "agent", "goodputMbps", "expectedMbps", "subflows", "samples"}
        assert (one["client"], one["server"]) == ("10.0.0.1", "10.0.0.2")
        for s in one["subflows"]:
            assert set(s) == {"src", "dst", "path", "bottleneckMbps", "expectedMbps", "measuredMbps", "state"}
            assert s["state"] in ("active", "backup", "blocked", "down", "idle")
    assert len(result["links"]) == 12
    for link in result["links"]:
        assert set(link) == {"source", "target", "capacityMbps", "reservedMbps", "measuredMbps"}
        assert link["capacityMbps"] == 10 and link["reservedMbps"] <= 10


def test_the_json_is_what_its_schema_says(shown):
    result, _ = shown
    schema = json.loads((ROOT / "docs/reference/demo.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(result, schema)
    for spoil in (lambda r: r.pop("run"), lambda r: r["run"].update(stolenPercent="1"),
                  lambda r: r["links"][0].update(colour="red"),
                  lambda r: r["connections"][0]["subflows"][0].update(state="lost")):
        spoiled = json.loads(json.dumps(result))
        spoil(spoiled)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(spoiled, schema)


def test_it_says_where_its_figures_come_from(shown):
    result, out = shown
    run = result["run"]
    assert run["command"].startswith("./lab demo --once --seconds 15 --json ") and run["seed"] is None
    assert run["kernel"] == os.uname().release and run["versions"]["onos"] == result["onos"]["version"]
    assert all(run["versions"][name] for name in ("python", "openvswitch", "iperf3")) and run["congestion"] in ("cubic", "reno")
    assert run["interrupted"] is False and ("marked: " in out) == (run["stolenPercent"] > 3)
    assert f"load of the machine {run['load']:.1f} before, {run['stolenPercent']:.1f} % of the processors' time stolen" in out
    samples = result["connections"][0]["samples"]
    assert [round(one["second"]) for one in samples[:15]] == list(range(1, 16))
    mean = sum(one["goodputMbps"] for one in samples) / len(samples)
    assert abs(mean - result["connections"][0]["goodputMbps"]) < 2


@pytest.mark.long
def test_what_was_measured_before_ctrl_c_is_kept(tmp_path):
    file = tmp_path / "f.json"
    process = started("demo", "--once", "--seconds", "300", "--json", str(file), folder=tmp_path)
    wait_for("the transfer", lambda: transfers_for(8), 300)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err and "interrupted after" in err
    result = json.loads(file.read_text())
    jsonschema.validate(result, json.loads((ROOT / "docs/reference/demo.schema.json").read_text(encoding="utf-8")))
    assert result["run"]["interrupted"] and not result["ok"] and 5 < result["run"]["seconds"] < 200
    assert result["connections"][0]["goodputMbps"] > 10 and len(result["connections"][0]["samples"]) > 4
    assert result["connections"][0]["id"] in out


def transfers_for(seconds):
    """Whether a client of iperf3 has run for so long, in this process namespace or below."""
    told = subprocess.run(["ps", "-eo", "etimes,args"], capture_output=True, text=True).stdout
    return any(int(line.split()[0]) >= seconds for line in told.splitlines() if " iperf3 -c 10.0.0.2 " in line)


def test_what_is_measured_fits_together(shown):
    result, _ = shown
    data = result["connections"][0]
    assert data["direction"] == "up"
    wire = sum(s["measuredMbps"] for s in data["subflows"])
    # 1428 of 1514 bytes are payload; counters of switches are up to a second old, and rates differ from second to second.
    assert wire * 0.75 < data["goodputMbps"] < wire * 1.25
    carried = {(link["source"], link["target"]): link["measuredMbps"] for link in result["links"]}
    for s in data["subflows"]:
        assert all(carried[hop] > s["measuredMbps"] * 0.7 for hop in zip(s["path"], s["path"][1:]))
    assert all(rate < 10.5 for rate in carried.values())


def test_people_see_the_same(shown):
    result, out = shown
    for one in result["connections"]:
        assert one["id"] in out
    assert "s1 s2 s5" in out and "s1 s3 s5" in out and "s1 s4 s5" in out


@pytest.mark.long
def test_without_and_with_agents_in_one_table(tmp_path):
    process = started("demo", "--compare", "--once", "--seconds", "6", "--json", str(tmp_path / "f.json"), folder=tmp_path)
    out, err = process.communicate(timeout=400)
    assert process.returncode == 0, err
    result = json.loads((tmp_path / "f.json").read_text())
    assert result["ok"] and result["withoutAgents"]["ok"]
    assert [one["agent"] for one in result["connections"]] == [True]
    assert [one["agent"] for one in result["withoutAgents"]["connections"]] == [False]
    assert "without agents           with agents" in out
    assert out.count("goodput, sum") == 1


@pytest.mark.parametrize("number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_stopped_at_any_time_it_leaves_nothing_behind(tmp_path, number, status):
    process = started("demo", folder=tmp_path)
    wait_for("the testbed's folder", lambda: list(tmp_path.glob("mptcplab-*/openvswitch/conf.db")), 120)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == status, err
    assert not list(tmp_path.iterdir())
    assert "Traceback" not in err


def test_killed_without_warning_its_processes_end_too(tmp_path):
    process = started("demo", folder=tmp_path)
    wait_for("the testbed's switches", lambda: list(tmp_path.glob("mptcplab-*/openvswitch/conf.db")), 120)
    assert using(tmp_path)
    process.kill()
    process.communicate(timeout=60)
    wait_for("its processes gone", lambda: not using(tmp_path), 30)


def using(folder):
    """Command lines of processes that name the folder."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit() and int(entry) != os.getpid():
            try:
                with open(f"/proc/{entry}/cmdline", "rb") as cmdline:
                    words = cmdline.read().decode(errors="replace")
            except OSError:
                continue
            if str(folder) in words:
                found.append(words)
    return found


@pytest.mark.long
def test_the_traffic_of_a_file(tmp_path):
    arrivals, file = tmp_path / "t.csv", tmp_path / "t.json"
    arrivals.write_text("at,source,target,bytes\n0,1,5,2e6\n1,1,5,1e6\n2,5,2,1e6\n", encoding="utf-8")
    process = started("demo", "--traffic", str(arrivals), "--strategy", "shortest", "--json", str(file), folder=tmp_path)
    out, err = process.communicate(timeout=400)
    assert process.returncode == 0, err
    result = json.loads(file.read_text())
    assert [(one["source"], one["target"], one["bytes"]) for one in result["transfers"]] == [
        ("1", "5", 2_000_000), ("1", "5", 1_000_000), ("5", "2", 1_000_000)]
    for one in result["transfers"]:
        assert 0 <= one["begunSecond"] - one["at"] < 2
        # On one path of 10 Mbit/s: it is over when all has arrived, not when the sender's kernel has it.
        assert one["completionSeconds"] > one["bytes"] * 8e-6 / 10
    assert result["run"]["command"].startswith("./lab demo --traffic") and "3 of 3 transfers" in out


@pytest.mark.long
def test_strategies_beside_each_other(tmp_path):
    process = started("compare", "--strategies", "shortest,widest-disjoint", "--runs", "1", "--seconds", "10", "--out",
                      str(tmp_path / "out"), folder=tmp_path)
    out, err = process.communicate(timeout=400)
    assert process.returncode == 0, err
    assert {file.name for file in (tmp_path / "out").iterdir()} == {
        f"comparison.{kind}" for kind in ("csv", "json", "png", "pdf")}
    rows = measured(tmp_path / "out")
    assert sorted(row["strategy"] for row in rows) == ["shortest", "widest-disjoint"]
    goodput = {row["strategy"]: float(row["goodputMbps"]) for row in rows}
    # One path of three beside all of them.
    assert goodput["widest-disjoint"] > 2 * goodput["shortest"] > 5
    assert out.index("widest-disjoint") < out.index("shortest") < out.index("again: ./lab compare")


@pytest.mark.long
def test_congestion_controls_and_strategies_with_the_traffic_of_a_file(tmp_path):
    arrivals = tmp_path / "t.csv"
    arrivals.write_text("at,source,target,bytes\n0,1,5,3e6\n1,1,5,1e6\n", encoding="utf-8")
    process = started("compare", "--congestion", "lia,reno", "--traffic", str(arrivals), "--runs", "1", "--out",
                      str(tmp_path / "out"), folder=tmp_path)
    out, err = process.communicate(timeout=400)
    assert process.returncode == 0, err
    rows = measured(tmp_path / "out")
    assert sorted(row["congestion"] for row in rows) == ["lia", "reno"]
    assert all(float(row["completionSeconds"]) > 0 and float(row["rttMillis"]) > 0 for row in rows)
    assert (tmp_path / "out" / "comparison.pdf").exists() and "windows by lia" in err


@pytest.mark.long
def test_an_interrupted_comparison_keeps_what_was_measured(tmp_path):
    process = started("compare", "--strategies", "shortest", "--runs", "50", "--seconds", "5", "--out", str(tmp_path / "out"),
                      folder=tmp_path)
    try:
        wait_for("a first run", lambda: measured(tmp_path / "out"), 300)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    finally:
        process.kill()
    assert "Traceback" not in err and process.returncode != 0
    assert measured(tmp_path / "out") and "again: ./lab compare" in out
    assert (tmp_path / "out" / "comparison.png").exists()


def measured(folder):
    file = folder / "comparison.csv"
    return list(csv.DictReader(file.open())) if file.exists() else []
