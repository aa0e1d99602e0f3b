# SPDX-License-Identifier: Apache-2.0
"""What the reports say of what packets showed, on data with known answers; and which parts are made, without ns-3."""

import csv
import platform
import sys

import emptcp_simulated
import gomez_simulated
import parts
import plots
import pytest
import sheu_simulated
import simulated
import smptcp_simulated
import tables
from mptcplab.errors import LabError, UsageError
from mptcplab.settings import ROOT


@pytest.fixture(autouse=True)
def _drawn(monkeypatch):
    monkeypatch.setattr(plots, "lines", lambda *_, **__: None)


def _write(folder, name, rows):
    with open(simulated.file(folder, name), "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def _begins(found, beginning):
    return next(answer for claim, _, _, answer in found if claim.startswith(beginning))


def test_a_figure_has_a_line_for_each_maker():
    table = tables.statuses({"Fig. 1": "needs hosts", "Fig. 2": "a sketch"}, {
        tables.KERNELS: [("Fig. 1: fast", "1", "2", "no")], tables.SIMULATOR: [("Fig. 1: fast", "1", "1", "yes")]})
    assert table.splitlines()[2:] == ["| Fig. 1 | not | real kernels |", "| Fig. 1 | as published | simulator |",
                                      "| Fig. 2 | not tested (a sketch) |  |"]


def _shares(queue, control, number, total, deviation, settled=2.0):
    third = total / 3
    rates = [third + deviation * factor for factor in (-1.5 ** 0.5, 0, 1.5 ** 0.5)]
    return {"queue": queue, "control": control, "run": number, **{f"rate_{n}": rate for n, rate in enumerate(rates, 1)},
            "total": total, "sd": deviation, "settled": settled}


def test_smptcp_by_packets(tmp_path):
    assert smptcp_simulated.claims(tmp_path) == [] and "Not made" in smptcp_simulated.section(tmp_path)
    _write(tmp_path, "smptcp/tables", [
        _shares(queue, control, run, total + run / 100, deviation + run / 100) for queue in (25, 100) for run in (1, 2, 3)
        for control, total, deviation in (("balia", 33.9, 3.4 if queue == 100 else 1.0), ("olia", 33.9, 3.3), ("lia", 33.9, 2.8),
                                          ("wvegas", 25, 1.0), ("smptcp", 33, 0.1), ("smptcp-published", 33.9, 0.01))])
    _write(tmp_path, "smptcp/by-delay", [
        {"lasts": 50, "delay": delay, **_shares(100, control, 1, total, 1)} for delay, total in ((15, 33), (500, 20))
        for control in ("smptcp", "balia")])
    _write(tmp_path, "smptcp/all-collisions", [
        {"connections": connections, "met": met, "outcomes": outcomes, "of": of, "run": 1, "mbps": mbps}
        for connections, met, outcomes, of, mbps in ((1, 0, 1, 2, 18.86), (1, 1, 1, 2, 9.43), (2, 0, 4, 16, 37.7),
                                                     (2, 1, 8, 16, 28.3), (2, 2, 4, 16, 18.8))])
    found = smptcp_simulated.claims(tmp_path)
    assert _begins(found, "Table 1: total with BALIA") == "yes"
    assert _begins(found, "Table 1: total with wVegas") == "no"
    assert _begins(found, "Table 1: SD with BALIA") == "direction only", "it does with one of two queues"
    assert _begins(found, "Table 7: SD with S-MPTCP below that with BALIA") == "yes"
    assert _begins(found, "Fig. 3") == "direction only"
    assert _begins(found, "Table 8") is False
    assert _begins(found, "Table 10: regular") == "yes", "28.3 is within a tenth of 30.9"
    assert _begins(found, "Fig. 4") is True
    section = smptcp_simulated.section(tmp_path)
    assert "| BALIA | 100 | 33.92 ± 0.02 | 3.42 ± 0.02 | 2.0 ± 0.0 s | 33.962, 3.511, 13.8 |" in section
    assert "| 2 | 1 | 8 of 16 | 28.30 |" in section


def test_emptcp_by_packets(tmp_path):
    _write(tmp_path, "emptcp/by-packets", [
        {"size": size, "load": load, "shape": 1, "window": window, "run": 1, "files": 10, "ended": 10, "mean_ms": ms * load,
         "p99_ms": 9, "goodput": 100 / ms} for size, faster in ((100_000, 1.2), (1_000_000, 0.7)) for load in (0.2, 0.5, 0.6)
        for window, ms in (("emptcp", 10 * faster), ("mptcp", 10), ("lia", 10), ("tcp", 20))])
    _write(tmp_path, "emptcp/fairness", [
        {"tcp": "TCP answers marks", "window": "emptcp", "run": 1, "multipath_1": 40, "multipath_2": 40, "tcp_1": 1, "tcp_2": 1}])
    _write(tmp_path, "emptcp/incast", [
        {"size": 32000, "senders": senders, "window": window, "run": run, "ended": senders, "median_ms": 1,
         "all_ms": senders * ms + run / 100} for senders in (8, 32) for run in (1, 2)
        for window, ms in (("tcp", 3), ("mptcp", 4), ("lia", 2), ("emptcp", 3 if senders == 8 else 2))])
    found = emptcp_simulated.claims(tmp_path)
    assert _begins(found, "Fig. 7: a file takes, files of 100 kB, against MPTCP") == "no"
    assert _begins(found, "Fig. 7: a file takes, files of 1000 kB, against MPTCP") == "yes"
    assert _begins(found, "Fig. 9") is False
    incast = "abstract: mitigates incast: all blocks are there sooner than with "
    assert _begins(found, f"{incast}MPTCP with New Reno") == "yes"
    assert _begins(found, f"{incast}MPTCP with LIA") == "not apart", "with 8 senders later, with 32 as soon"
    assert "| 32 kB | 32 | eMPTCP | 1.0 ± 0.0 | 64.0 ± 0.1 | 8.7 |" in emptcp_simulated.section(tmp_path)
    assert "| TCP answers marks | eMPTCP | 40.0 | 40.0 | 1.0 | 1.0 | 0.52 |" in emptcp_simulated.section(tmp_path)


def test_gomez_and_sheu_by_packets(tmp_path):
    _write(tmp_path, "gomez/radio", [
        {"graph": graph, "hops": 4 if graph > 1 else 2, "second": 6, "mode": mode, "bytes": 2e6, "ended": 1,
         "mbps": mbps + graph / 100}
        for graph in (0, 1, 2, 3) for mode, mbps in (("tcp", 1.0), ("one", 0.6 if graph < 2 else 1.1), ("two", 1.5))])
    found = gomez_simulated.claims(tmp_path)
    assert _begins(found, "Fig. 6: two channels against TCP, two hops") == "yes"
    assert _begins(found, "Fig. 6: one channel carries less than TCP, two hops") == "yes"
    assert _begins(found, "Fig. 6: one channel carries less than TCP, all graphs") == "not apart"
    assert _begins(found, "Fig. 6: two channels carry more than TCP, all graphs") == "yes"
    assert "| 2 | 2 | 1.00 (1.00 to 1.01) | 0.60 (0.60 to 0.61) | 1.50 (1.50 to 1.51) |" in gomez_simulated.section(tmp_path)
    for queues, answers in (((25, 100), ["yes", "not apart"]), ((100,), ["not apart", "not apart"])):
        _write(tmp_path, "sheu/buffers", [
            {"queue": queue, "control": "lia", "buffer": buffer, "widths": widths, "run": run, "share": share}
            for queue in queues for run in (1, 2) for buffer, unequal in ((65536, 0.5), (6291456, 0.9))
            for widths, share in (("equal", 0.9), ("unequal", unequal))])
        assert [answer for _, _, _, answer in sheu_simulated.claims(tmp_path)] == answers, "runs repeat each other"
    assert "| 64 | 100 | lia | 0.90 ± 0.00 | 0.50 ± 0.00 |" in sheu_simulated.section(tmp_path)


@pytest.fixture
def made(monkeypatch):
    """(name, runs, quick) of the parts that were made, and a set: those in it end with that status. Each leaves a file."""
    run: list[tuple[str, int, bool]] = []
    broken: dict[str, int] = {}

    def part(name, runs, quick, to):
        to.write_text("x\n1\n", encoding="ascii")
        run.append((name, runs, quick))
        return broken.get(name, 0)
    monkeypatch.setattr(simulated, "_run", part)
    return run, broken


def test_parts_that_are_there_are_not_made_again(tmp_path, made):
    run, broken = made
    broken["emptcp/fairness"] = 1
    with pytest.raises(LabError, match="emptcp/fairness by packets failed"):
        simulated.make(tmp_path, ["emptcp"], 3, False, False)
    assert not list(tmp_path.glob("*fairness*")), "half of a part is none"
    broken.clear()
    simulated.make(tmp_path, ["emptcp"], 3, False, False)
    assert [name for name, *_ in run] == ["emptcp/by-packets", "emptcp/fairness", "emptcp/fairness", "emptcp/incast"]
    assert simulated.told(tmp_path, "emptcp/fairness").startswith("*By packets (ns-3 3.44): 3 runs in ")
    simulated.make(tmp_path, ["emptcp"], 1, False, False)
    assert run[4:] == [(name, 1, False) for name in parts.names(["emptcp"], parts.BY_PACKETS)]


def test_the_quick_form_is_another_and_has_as_many_runs_as_are_asked_for(tmp_path, made):
    run, _ = made
    for quick in (True, True, False):
        simulated.make(tmp_path, ["emptcp"], 3, quick, False)
    assert run == [*((name, 3, True) for name in parts.names(["emptcp"], parts.BY_PACKETS)),
                   ("emptcp/by-packets", 3, False), ("emptcp/incast", 3, False)], "what has no quick form is the same"
    simulated.make(tmp_path, ["emptcp"], 3, True, False)
    assert simulated.told(tmp_path, "emptcp/by-packets").startswith("*By packets (ns-3 3.44): 3 runs of the quick form in ")
    assert simulated.told(tmp_path, "emptcp/fairness").startswith("*By packets (ns-3 3.44): 3 runs in ")


@pytest.mark.parametrize("runs, quick, left", [
    (1, True, "3 min"), (3, True, "9 min"), (1, False, "17 min"), (3, False, "48 min")])
def test_time_left_is_that_of_the_form_and_of_all_runs(tmp_path, made, monkeypatch, runs, quick, left):
    said = []
    monkeypatch.setattr(parts, "progress", said.append)
    simulated.make(tmp_path, ["emptcp"], runs, quick, False)
    assert f"about {left} left" in said[0]


def test_the_quick_form_leaves_out_what_needs_long_queues(tmp_path, made):
    simulated.make(tmp_path, ["smptcp"], 2, True, False)
    assert ("smptcp/trajectories", 2, True) not in made[0] and ("smptcp/tables", 2, True) in made[0]
    simulated.make(tmp_path, ["smptcp"], 2, False, False)
    assert ("smptcp/trajectories", 2, False) in made[0]


def test_what_the_machine_cannot_do_is_told_before_anything_is_made(tmp_path, made, monkeypatch):
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    with pytest.raises(UsageError, match="x86_64 only, and this machine is aarch64"):
        simulated.require()
    made[1]["sheu/buffers"] = 2
    with pytest.raises(UsageError):
        simulated.make(tmp_path, ["sheu"], 1, False, False)
    assert not list(tmp_path.iterdir())


def test_an_interrupt_leaves_no_half_part(tmp_path, monkeypatch):
    def part(name, runs, quick, to):
        to.write_text("half")
        raise KeyboardInterrupt
    monkeypatch.setattr(simulated, "_run", part)
    with pytest.raises(KeyboardInterrupt):
        simulated.make(tmp_path, ["sheu"], 1, False, False)
    assert not list(tmp_path.iterdir())


def test_every_part_by_packets_is_one_that_there_is(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "simulation"))
    from simulator.parts import PARTS
    assert set(PARTS) == set(parts.BY_PACKETS) and sys.path


class _Nothing:
    """A connection of which nothing was seen."""

    started, received, finished = 0.0, (1,), 1.0

    def mbps(self, since, until):
        return 1.0

    def rates(self):
        return [(1.0, 1.0)] * 2

    def seconds(self):
        return 1.0


def test_parts_have_as_many_runs_as_asked_and_a_quick_form_if_they_are_told_to_have_one(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "simulation"))
    from simulator import emptcp, gomez, running, sheu, smptcp
    from simulator.parts import PARTS
    for module in (emptcp, gomez, sheu, smptcp):
        monkeypatch.setattr(module, "run", lambda scenario: running.Result((_Nothing(),) * len(scenario.connections), 0, 1.0))
    monkeypatch.setattr(emptcp, "_SECONDS", dict.fromkeys(emptcp._SECONDS, 0.001))
    drawn = [(number, dict.fromkeys(range(3), (0.0, 0.0)), [[0, 1], [0, 2, 1]]) for number in range(1, 10)]
    monkeypatch.setattr(gomez, "drawn", lambda each: drawn[:each])

    def family(rows):
        return [{name: value for name, value in row.items() if name not in ("run", "graph")} for row in rows]
    for name, part in PARTS.items():
        once, twice, quick, quick_twice = (list(part(runs, quick)) for quick in (False, True) for runs in (1, 2))
        assert name in (*parts.QUICK, *parts.FULL) or quick == once, name
        if name in parts.QUICK:
            assert len(quick) < len(once) or family(quick) != family(once), name
            assert len(quick_twice) == 2 * len(quick), f"{name}: an interval for each value"
        if name not in ("smptcp/trajectories", "smptcp/by-delay"):
            assert len(twice) == 2 * len(once), name
