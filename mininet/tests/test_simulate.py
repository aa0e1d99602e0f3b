# SPDX-License-Identifier: Apache-2.0
"""``./lab simulate`` as users call it. What it computes is tested beside the simulation itself."""

import json
import os
import re
import signal
import subprocess

import jsonschema
import pytest

from mptcplab import build, commands, simulationfigure, usage
from mptcplab.processes import wait_for
from mptcplab.settings import ROOT

SHORT = ["--topology", "diamond", "--connections", "30", "--sizes", "exponential:2e5", "--load", "0.2"]
SCHEMA = ROOT / "docs" / "reference" / "simulate.schema.json"


@pytest.fixture(scope="module", autouse=True)
def built():
    build.build()


def simulate(*arguments):
    done = subprocess.run([str(ROOT / "lab"), "simulate", *arguments], capture_output=True, stdin=subprocess.DEVNULL, cwd="/",
                          timeout=120, text=True)
    return done.returncode, done.stdout, done.stderr


def test_the_json_is_as_its_schema_says(tmp_path):
    file = tmp_path / "first.json"
    status, out, err = simulate(*SHORT, "--strategy", "ecmp,widest-disjoint", "--runs", "2", "--format", "json",
                                "--json", str(file))
    assert status == 0, err
    answer, first = json.loads(out), json.loads(file.read_text(encoding="utf-8"))
    for one in (answer, first):
        jsonschema.validate(one, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert [run["seed"] for run in answer["runs"]] == [0, 0, 1, 1]
    times = [one["completionSeconds"] for one in first.pop("connections")]
    assert len(times) == 30 and first == answer
    assert first["meanSeconds"] == pytest.approx(sum(times) / 30, rel=1e-6)


def test_the_folder_has_tables_and_figures(tmp_path):
    status, out, err = simulate(*SHORT, "--strategy", "ecmp,widest-disjoint", "--model", "by-connection,by-subflow",
                                "--out", str(tmp_path))
    assert status == 0, err
    assert out.count("widest-disjoint") == 4
    assert {file.name for file in tmp_path.iterdir()} == {
        "settings.txt", "runs", "simulation.json", "simulation.csv",
        *(f"simulation-{what}.{kind}" for what in ("means", "times") for kind in ("png", "pdf"))}
    before = {file: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()}
    simulationfigure.draw(tmp_path)
    assert before == {file: file.read_bytes() for file in before}, "the same figures give the same octets"


def test_nothing_is_drawn_of_nothing(tmp_path):
    assert simulationfigure.draw(tmp_path) == []


@pytest.mark.parametrize("arguments, says", [
    ([], "--topology is missing"), (["--topology", "nowhere"], "no topology 'nowhere'"),
    ([*SHORT, "--strategy", "best"], "no path strategy 'best'"), ([*SHORT, "--out", "/dev/null/x"], "cannot be written")])
def test_wrong_use_is_one_line(arguments, says):
    status, out, err = simulate(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("lab: simulate: ") and err.count("\n") == 1 and says in err


def test_ctrl_c_keeps_what_was_simulated_and_the_next_call_goes_on(tmp_path):
    arguments = ["--topology", "os3e", "--capacity", "10", "--connections", "5000", "--load", "0.05", "--model", "by-subflow",
                 "--sizes", "exponential:1e5", "--snapshots", "0", "--out", str(tmp_path), "--strategy"]
    with subprocess.Popen([str(ROOT / "lab"), "simulate", *arguments, "shortest,network-wide"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, start_new_session=True,
                          # A shell's background job ignores Ctrl-C, and so would all that it starts.
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as process:
        wait_for("the first run", lambda: list((tmp_path / "runs").glob("shortest*")) or process.poll() is not None, 100)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGINT, err
    assert re.search(r"^shortest ", out, flags=re.M), err
    assert (tmp_path / "simulation.json").exists()
    assert not list((tmp_path / "runs").glob("network-wide*"))
    status, out, err = simulate(*arguments, "shortest")
    assert status == 0 and "shortest-" not in err and re.search(r"^shortest ", out, flags=re.M)


def test_options_are_completed():
    assert {"--traffic", "--strategy", "--manage-after-bytes"} <= set(usage.complete(["simulate"], "--"))
    assert "ecmp" in usage.complete(["simulate", "--strategy"], "")


def test_the_folder_is_found_in_all_forms():
    assert commands._value_of("--out", ["--out", "a", "--seed", "3"]) == "a"
    assert commands._value_of("--out", ["--seed", "3", "--out=b=c"]) == "b=c"
    assert commands._value_of("--out", ["--seed", "3"]) is None
