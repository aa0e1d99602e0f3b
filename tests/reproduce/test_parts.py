# SPDX-License-Identifier: Apache-2.0
"""The program that computes what is missing, without Java, and its command line."""

import importlib.util
import re
from pathlib import Path

import parts
import pytest
from mptcplab.errors import LabError, UsageError


def _program():
    spec = importlib.util.spec_from_file_location("reproduce", Path(__file__).parent / "__main__.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def program(monkeypatch):
    """The whole program without Java: ``computed`` has the parts that it asked for, ``broken`` those that fail."""
    program = _program()
    program.computed, program.broken = [], set()

    def compute(part, options):
        if part in program.broken:
            raise LabError(part)
        program.computed.append(part)
    monkeypatch.setattr(program.packages, "require", lambda *_: None)
    monkeypatch.setattr(program.build, "build", lambda: None)
    monkeypatch.setattr(program, "_compute", compute)
    monkeypatch.setattr(parts, "fingerprint", lambda jar: program.code)
    for paper in program._PAPERS.values():
        monkeypatch.setattr(paper, "report", lambda folder: "## A paper")
    program.code = "one"
    return program


def test_finished_parts_are_not_computed_again(program, tmp_path):
    ours = ["emptcp", "gomez", "--draws", "5", "--out", str(tmp_path)]
    program.main(ours)
    assert program.computed == ["emptcp/paths", "gomez/two-routes", "gomez/routes-and-hops"]
    program.main(ours)
    program.main(["gomez", "--draws", "5", "--out", str(tmp_path)])
    assert len(program.computed) == 3, "all are there"
    assert "at commit" in (tmp_path / "reproduction.md").read_text()


@pytest.mark.parametrize("changed", ["--draws", "--fresh", "code"])
def test_parts_are_computed_again_if_asked_or_if_they_would_be_others(program, tmp_path, changed):
    program.main(["gomez", "--draws", "5", "--out", str(tmp_path)])
    program.code = "other" if changed == "code" else program.code
    program.main(["gomez", "--draws", "6" if changed == "--draws" else "5", "--out", str(tmp_path),
                  *["--fresh"] * (changed == "--fresh")])
    assert program.computed == ["gomez/two-routes", "gomez/routes-and-hops"] * 2


def test_what_draws_nothing_stays_with_another_number_of_draws(program, tmp_path):
    program.main(["emptcp", "--draws", "5", "--out", str(tmp_path)])
    program.main(["emptcp", "--draws", "6", "--out", str(tmp_path)])
    assert program.computed == ["emptcp/paths"]


def test_an_interrupted_run_goes_on_where_it_ended(program, tmp_path):
    program.broken = {"gomez/routes-and-hops"}
    with pytest.raises(LabError, match="gomez/routes-and-hops"):
        program.main(["gomez", "--out", str(tmp_path)])
    program.broken = set()
    program.main(["gomez", "--out", str(tmp_path)])
    assert program.computed == ["gomez/two-routes", "gomez/routes-and-hops"]


def test_a_broken_list_of_parts_is_taken_for_none(program, tmp_path):
    (tmp_path / "parts.json").write_text("{")
    program.main(["emptcp", "--out", str(tmp_path)])
    assert program.computed == ["emptcp/paths"]


def test_time_left_follows_the_pace_so_far(tmp_path):
    known = parts.Parts(tmp_path, 100, "one")
    usual = known.seconds_left(["gomez/two-routes"])
    known.finish("sheu/strategies", 3 * known.seconds_left(["sheu/strategies"]), 1.0)
    assert known.seconds_left(["gomez/two-routes"]) == pytest.approx(3 * usual, rel=0.01)
    assert parts.Parts(tmp_path, 100, "one").seconds_left([]) == 0


def test_every_part_of_a_paper_is_one_that_java_knows():
    source = (Path(__file__).parent / "src/main/java/org/subflow/mptcp/reproduce/Parts.java").read_text()
    assert re.findall(r'ALL.put\("([^"]+)"', source) == list(parts.PARTS)


@pytest.mark.parametrize("arguments, complaint", [
    (["shoe"], "no paper shoe"), (["--draws", "0"], "0 is no whole number"), (["--draws", "1001"], "from 1 to 1000"),
    (["--out", __file__], "is no folder"), (["--fast"], "--fast"), (["--testbed", "--runs", "0"], "0 is no whole number"),
    (["--long"], "of --testbed"), (["--runs", "2"], "of --testbed and --simulator"),
    (["--simulator", "--long"], "--long is of --testbed"), (["--quick", "--draws", "5"], "not allowed with")])
def test_bad_usage_is_refused_before_anything_is_installed_or_built(arguments, complaint, monkeypatch):
    program = _program()
    monkeypatch.setattr(program.packages, "require", lambda *_: pytest.fail("installs something"))
    with pytest.raises(UsageError, match=complaint):
        program.main(arguments)


@pytest.mark.parametrize("words, runs, quick", [
    ([], 3, False), (["--quick"], 1, True), (["--runs", "7"], 7, False), (["--runs", "1"], 1, False),
    (["--quick", "--runs", "3"], 3, True), (["--draws", "5"], 3, False)])
def test_the_simulator_makes_the_papers_parts_if_asked(program, tmp_path, monkeypatch, words, runs, quick):
    made = []
    monkeypatch.setattr(program.simulated, "require", lambda: made.append("required"))
    monkeypatch.setattr(program.simulated, "make", lambda *arguments: made.append(arguments))
    program.main(["emptcp", "--out", str(tmp_path)])
    assert not made
    program.main(["emptcp", "--out", str(tmp_path), "--simulator", *words])
    assert made == ["required", (tmp_path, ["emptcp"], runs, quick, False)]


def test_the_quick_form_of_everything_takes_25_minutes():
    computed = parts.Parts(Path("nowhere"), 100, "").seconds_left(list(parts.PARTS))
    measured = [parts.Parts(Path("nowhere"), 1, "", of=table).seconds_left([name for name in table if name not in parts.LONG])
                for table in (parts.usual(parts.ON_TESTBED, True), parts.usual(parts.BY_PACKETS, True))]
    assert computed + sum(measured) <= 25 * 60
