# SPDX-License-Identifier: Apache-2.0
"""What ``./lab test`` says at its end, and how it has the Python code checked."""

import subprocess

import pytest

from mptcplab import checks, lint, packages
from mptcplab.checks import Suite
from mptcplab.errors import LabError
from mptcplab.settings import ROOT


def test_each_suite_has_a_line_with_its_minutes_and_so_has_their_sum():
    assert checks.durations([Suite("unit", True, 90), Suite("system", False, 1830)]) == [
        "unit tests          1.5 min", "system tests       30.5 min  FAILED", "in all             32.0 min"]


def test_the_lines_are_printed_last_but_for_the_verdict(monkeypatch, tmp_path):
    told = []
    monkeypatch.setattr(checks, "progress", told.append)
    monkeypatch.setattr(checks, "_unit", lambda: False)
    monkeypatch.setattr(checks.packages, "require", lambda *_: None)
    monkeypatch.setattr(checks.results, "begin", lambda: None)
    monkeypatch.setattr(checks.results, "failures", lambda since: ["test_x: no"])
    checks._unit.__name__ = "_unit"
    assert checks.run("unit") == 1
    assert told[-4:] == ["failed: test_x: no", "unit tests          0.0 min  FAILED", "in all              0.0 min",
                         "failed: unit"]


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """A repository's root for the linters: their virtual environment has nothing but the programs given."""
    monkeypatch.setattr(lint, "ROOT", tmp_path)
    monkeypatch.setattr(lint, "_ENVIRONMENT", tmp_path / ".lab" / "lint")
    return tmp_path


@pytest.fixture
def asked(monkeypatch):
    """What is asked of root and of pytest inside the namespace; nothing runs."""
    asked = []
    monkeypatch.setattr(checks.packages, "require", lambda *_: None)
    monkeypatch.setattr(checks.kernel, "require_mptcp", lambda: None)
    monkeypatch.setattr(checks.kernel, "become_root", asked.append)
    monkeypatch.setattr(checks.build, "build", lambda: None)
    monkeypatch.setattr(checks.results, "begin", lambda: None)
    monkeypatch.setattr(checks.results, "failures", lambda _: [])
    monkeypatch.setattr(checks, "_pytest_inside", lambda arguments: not asked.append(list(arguments)))
    return asked


def test_congestion_controls_are_measured_as_often_as_asked(asked):
    assert checks.run("congestion", runs=10) == checks.run("congestion") == 0
    again, (*files, mark, which, option, runs), _, by_default = asked
    assert again[1:] == ["test", "congestion", "--runs", "10"]
    assert (mark, which, option, runs) == ("-m", "long", "--runs", "10")
    assert files and all((ROOT / file).is_file() for file in files)
    assert by_default == [*files, "-m", "long", "--runs", "1"]


def test_stock_runs_its_tests_on_the_release(asked):
    assert checks.run("stock", "/opt/onos") == 0
    again, (*files, mark, which, option, home), (bonded, *_), (routed, *_) = asked
    assert again[1:] == ["test", "stock", "--onos", "/opt/onos"]
    assert (mark, which, option, home) == ("-m", "not long", "--onos", "/opt/onos")
    assert files and all((ROOT / file).is_file() for file in (*files, bonded, routed))
    assert all(words[-2:] == ["--onos", "/opt/onos"] for words in asked[1:])


def test_linters_that_cannot_be_downloaded_are_told_by_name(folder, monkeypatch):
    monkeypatch.setattr(packages.importlib.util, "find_spec", lambda _: True)
    monkeypatch.setattr(packages.subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 1))
    with pytest.raises(LabError, match=r"could not install ruff==[\d.]+ and mypy==[\d.]+ from PyPI"):
        lint.run()


def test_a_virtual_environment_is_made_once_for_the_same_packages(folder, monkeypatch):
    done = []

    def run(command, **_):
        done.append(command[-1])
        folder.joinpath("env").mkdir(exist_ok=True)
        return subprocess.CompletedProcess(command, 0)
    monkeypatch.setattr(packages.importlib.util, "find_spec", lambda _: True)
    monkeypatch.setattr(packages.subprocess, "run", run)
    for requirements in (["a==1"], ["a==1"], ["a==2"]):
        assert packages.virtual_environment(folder / "env", requirements)
    assert [what for what in done if "==" in what] == ["a==1", "a==2"]


def test_whatever_one_linter_finds_the_others_run_too(folder, monkeypatch):
    monkeypatch.setattr(packages, "virtual_environment", lambda *_: True)
    ran = []

    def run(command, **_):
        ran.append(command[0].rsplit("/", 1)[1])
        return subprocess.CompletedProcess(command, 1 if ran == ["ruff"] else 0, stdout="")
    monkeypatch.setattr(lint.subprocess, "run", run)
    assert not lint.run()
    assert ran == ["ruff", "mypy", "mypy", "mypy", "mypy"]
