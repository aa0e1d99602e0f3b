# SPDX-License-Identifier: Apache-2.0
"""``./lab bench controller``: options, the farm's client, what the figures say."""

import pytest
from mptcplab import cli, controllerload, controllertable, farm, javaprocess
from mptcplab.errors import LabError, UsageError

FAKE = """#!/bin/sh
while read command; do
    case "$command" in
        state) echo '{"switches": 20, "lost": null}' ;;
        wrong) echo '{"error": "unknown command"}' ;;
        end) echo "farm: no memory" >&2; exit 1 ;;
    esac
done
"""


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """A farm that knows some commands, and does not answer others."""
    program = tmp_path / "bin" / "java"
    program.parent.mkdir()
    program.write_text(FAKE)
    program.chmod(0o755)
    monkeypatch.setattr(farm.packages, "java_home", lambda: str(tmp_path))
    with farm.Farm(20, 2, 1, 0, tmp_path / "log") as running:
        yield running


def test_a_farm_answers(fake):
    assert fake.state()["switches"] == 20


@pytest.mark.parametrize(("command", "said"), [
    ("silent", "the farm of switches has not answered 'silent' within 0.3 s"),
    ("wrong", "the farm of switches does not do 'wrong': unknown command"),
    ("end", "the farm of switches has ended: farm: no memory")])
def test_a_farm_that_fails_is_told_in_one_line(fake, command, said):
    with pytest.raises(LabError) as failure:
        fake.ask(command, 0.3 if command == "silent" else 10)
    assert str(failure.value) == said


@pytest.mark.parametrize("arguments", [
    ["--switches", "19"], ["--switches", "1001"], ["--rate", "0"], ["--rate", "20001"], ["--alive", "99"], ["--alive", "1e4"],
    ["--subflows", "0"], ["--confirm", "-1"], ["--full"], ["--topology", "diamond"]])
def test_absurd_values_are_refused(arguments):
    with pytest.raises(UsageError):
        cli._bench_options(["controller", *arguments])


@pytest.mark.parametrize("arguments", [["load", "--switches", "20"], ["--alive", "100"], ["cluster", "--confirm", "0"]])
def test_its_options_go_with_no_other_benchmark(arguments):
    with pytest.raises(UsageError):
        cli._bench_options(arguments)


def test_what_is_left_out_is_usual():
    options = cli._bench_options(["controller", "--confirm", "0"])
    assert (options.switches, options.rate, options.alive, options.subflows, options.confirm) == (20, 200, 1000, 2, 0)


def test_threads_go_by_kind():
    assert javaprocess.kind("onos-mptcp-7") == "onos-mptcp" and javaprocess.kind("C2 CompilerThread0") == "C2 CompilerThread"
    assert javaprocess.kind("12") == "12" and javaprocess.kind("onos-of-dispatcher-127.0.0.1:40412") == "onos-of-dispatcher"
    grown = javaprocess.grown({"a": 1.0, "b": 2.0, "gone": 1.0}, {"a": 1.5, "b": 4.0, "c": 1.0})
    assert list(grown.items()) == [("b", 2.0), ("c", 1.0), ("a", 0.5)]


def test_a_process_that_does_not_answer_is_told_in_one_line():
    with pytest.raises(LabError) as failure:
        javaprocess.JavaProcess(2 ** 30).threads()
    assert str(failure.value).startswith("jcmd Thread.print failed: ") and "\n" not in str(failure.value)


def test_a_histogram_of_classes_is_read(monkeypatch):
    said = ("4711:\n num     #instances         #bytes  class name (module)\n"
            "   1:         40000        1600000  [B (java.base@17.0.19)\n"
            "   2:           100           2400  org.subflow.mptcp.candidate.Candidate\n"
            "   3:            10            240  [Lorg.subflow.mptcp.candidate.Join;\n"
            "   4:             1             16  org.subflow.mptcp.api.FiveTuple\nTotal         40111        1602656\n")
    monkeypatch.setattr(javaprocess.JavaProcess, "ask", lambda _self, *_words: said)
    assert javaprocess.JavaProcess(1).live_bytes("org.subflow.mptcp") == (1602656, 2416)


@pytest.fixture
def figures():
    part = {"processorSeconds": 2.0, "compilerSeconds": 0.4, "more": 1.5, "seconds": 10.0, "threads": {"onos-mptcp": 1.0},
            "profile": {"samples": 100, "called": 10, "methods": {"a.B.c": 7},
                        "owners": {"application": 25, "southbound": 25, "onos": 40, "other": 10}}}
    failure = {"link": "s1-s5", "directions": 80, "affected": 10, "repaired": 9, "p50Millis": 20.0, "worstMillis": 100.0,
               "flowMods": 12, "lastFlowModMillis": 110.0}
    return {"switches": {"switches": 20, "links": 32, "hosts": 16, "seconds": 5.0}, "subflows": 2, "idle": {"part": 0.05},
            "short": {**part, "count": 1000, "perSecond": 100.0, "packets": 8000, "droppedPackets": 0, "seen": 1.0,
                      "millisEach": 1.5, "oursMillisEach": 0.2},
            "candidates": {"count": 1000, "bytesEach": 2000.0, "ourBytesEach": 500.0},
            "managed": {"count": 1000, "managed": 990, "opened": {**part, "millisEach": 3.0, "oursMillisEach": 1.0},
                        "setups": {"p50Millis": 9.0, "p99Millis": None}, "subflows": 2000, "ruled": 1999, "rules": 5000,
                        "bytesEach": 5000.0, "ourBytesEach": 700.0, "steady": {**part, "partEach": 2e-5}},
            "failures": [failure, {**failure, "worstMillis": None}],
            "run": {"load": 1.5, "stolenPercent": 4.0, "command": "./lab bench controller"}}


def test_what_a_connection_takes_is_without_java_s_compilers(figures):
    found = {**figures["short"], "processorSeconds": 5.0, "compilerSeconds": 3.0, "more": 1.0}
    each = controllerload.Bench._each(found, 1000, {"ownPart": 0.01})
    # A quarter of 2 s, less a hundredth of a core for 10 s.
    assert each["millisEach"] == 1.0 and each["oursMillisEach"] == 0.4


def test_the_table_has_what_was_measured_and_a_mark(figures):
    told = controllertable.text(figures)
    for words in ("1000 short connections of 2 subflows", "(aim 0.1)", "application 25 %", "a.B.c", "without a path at the end",
                  "4.0 % of the processors' time stolen", "marked: more than 3 %", "9, –"):
        assert words in told, words


def test_entries_compare_with_the_aims(figures):
    listed = {entry["name"]: entry for entry in controllertable.entries(figures)}
    assert listed["controller-short-own"]["ratio"] == 0.5 and listed["controller-heap-managed"]["ratio"] == 2
    assert listed["controller-alive"]["ours"] == 20 and listed["controller-alive"]["peerScore"] == 10
    assert listed["controller-repair-first"]["ratio"] == 5 and listed["controller-repair-last"]["ours"] is None
    assert listed["controller-setup-p99"]["ours"] is None and listed["controller-short"]["peer"] is None
    assert all(entry["run"]["stolenPercent"] == 4.0 for entry in listed.values())
