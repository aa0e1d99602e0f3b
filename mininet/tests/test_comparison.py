# SPDX-License-Identifier: Apache-2.0
"""``./lab compare``: the order of its runs, its figures, tables and files, and what is refused before anything is started."""

import json

import pytest

from mptcplab import cli, comparison, comparisonfigure, sampling
from mptcplab.comparison import Kind
from mptcplab.errors import UsageError
from mptcplab.processor import calm, stolen_percent, times

ABOUT = {"command": "./lab compare --strategies ecmp,shortest --seed 1", "topology": "diamond", "connections": 2, "subflows": 3,
         "seconds": 15, "transfers": 2, "traffic": None, "agents": True, "runs": 2, "kernel": "6.18", "onos": "2.5.1",
         "commit": "abc"}


def row(strategy, goodput, stolen=0.0, **more):
    return {"run": 1, "turn": 1, "strategy": strategy, "allocator": "max-min", "goodputMbps": goodput,
            "congestion": "", "smallestMbps": goodput / 2, "fairness": 1.0, "setUpMillis": 40, "recoveryMillis": None,
            "lostMegabits": None, "stolenPercent": stolen, "load": 1.0, "problems": 0, **more}


@pytest.mark.parametrize("seed", range(20))
def test_each_round_has_every_one_once_and_a_seed_gives_one_order(seed):
    kinds = [Kind(s, a) for s in "abc" for a in "xy"]
    turns = list(comparison.order(kinds, 4, seed))
    assert [turn for turn, _ in turns] == sorted([1, 2, 3, 4] * 6)
    for number in range(1, 5):
        assert sorted(kind for turn, kind in turns if turn == number) == kinds
    assert turns == list(comparison.order(kinds, 4, seed))


def test_orders_differ_by_round_and_seed():
    kinds = [Kind(s, "x") for s in "abcdef"]
    orders = {tuple(kind for _, kind in comparison.order(kinds, 1, seed)) for seed in range(5)}
    assert len(orders) > 1


def test_figures_of_a_demonstration():
    def one(goodput, port):
        return {"id": str(port), "goodputMbps": goodput, "subflows": [{"src": f"10.0.0.1:{port}", "dst": "10.0.0.2:5201"}]}
    result = {"connections": [one(9.0, 1), one(27.0, 2), one(0.0, 3)], "failure": {"rerouteMillis": 42.0, "lostMegabits": 1.5}}
    lives = [[{"type": "opened", "millis": 1000}, {"type": "installed", "millis": 1040}, {"type": "installed", "millis": 9000}],
             [{"type": "opened", "millis": 1000}, {"type": "share", "millis": 1001}], []]
    found = comparison.figures(result, lives)
    assert (found["goodputMbps"], found["smallestMbps"], found["setUpMillis"]) == (36.0, 9.0, 40)
    assert found["fairness"] == pytest.approx(36 ** 2 / (2 * (81 + 729)))
    assert (found["recoveryMillis"], found["lostMegabits"], found["goodputs"]) == (42.0, 1.5, [9.0, 27.0])


def test_what_carried_nothing_has_no_fairness():
    found = comparison.figures({"connections": []}, [])
    assert (found["goodputMbps"], found["smallestMbps"], found["fairness"], found["recoveryMillis"]) == (0, 0, None, None)


def test_means_come_with_students_intervals_the_highest_goodput_first():
    shown = comparison.means([row("shortest", 9.0), row("ecmp", 20.0), row("shortest", 10.0), row("ecmp", 28.0)])
    assert [one["strategy"] for one in shown] == ["ecmp", "shortest"]
    assert shown[0]["goodputMbps"] == {"mean": 24.0, "halfWidth": pytest.approx(12.71 * 4.0, rel=0.01), "runs": 2}
    assert "recoveryMillis" not in shown[0]


def sent(at, begun, took, goodput, size=1_000_000):
    return {"at": at, "source": "a", "target": "b", "bytes": size, "begunSecond": begun, "completionSeconds": took,
            "goodputMbps": goodput}


def test_figures_of_traffic():
    failed = {"at": 3.0, "source": "a", "target": "b", "bytes": 5, "begunSecond": 3.0, "completionSeconds": None,
              "goodputMbps": None, "failed": "iperf3 did not end"}
    found = comparison.figures_of_traffic({"transfers": [sent(0.0, 0.5, 2.0, 4.0), sent(1.0, 1.5, 3.0, 8.0), failed]})
    # 8 and 24 Mbit from second 0.5 to 4.5.
    assert (found["goodputMbps"], found["smallestMbps"], found["completionSeconds"]) == (8.0, 4.0, 2.5)
    assert found["completions"] == [2.0, 3.0, None]
    nothing = comparison.figures_of_traffic({"transfers": [failed]})
    assert (nothing["goodputMbps"], nothing["completionSeconds"], nothing["fairness"]) == (0.0, None, None)
    matrix = comparison.figures_of_traffic({"transfers": [sent(0.0, 0.0, 10.0, 3.0, size=None)]})
    assert (matrix["goodputMbps"], matrix["completionSeconds"]) == (3.0, None)


def test_transfers_with_sizes_are_ranked_by_their_completion_times():
    rows = [row("slow", 9.0, completionSeconds=4.0), row("quick", 8.0, completionSeconds=2.0)]
    assert [one["strategy"] for one in comparison.means(rows)] == ["quick", "slow"]
    failed = row("failed", 0.0, completionSeconds=None)
    assert [one["strategy"] for one in comparison.means([failed, *rows])] == ["quick", "slow", "failed"]
    told = comparison.table({**ABOUT, "traffic": "t.csv", "transfers": 7}, rows)
    assert "7 transfers of t.csv × 3 subflows" in told and told.index("quick") < told.index("slow")


def test_congestion_controls_have_a_column_of_their_own():
    rows = [row("ecmp", 9.0, congestion="lia", rttMillis=30.0), row("ecmp", 12.0, congestion="cubic", rttMillis=50.0)]
    lines = comparison.table(ABOUT, rows).splitlines()
    assert [line.split()[2] for line in lines if line.split()[:1] == ["ecmp"]] == ["cubic", "lia"]
    assert "congestion" in lines[4] and "RTT, ms" in lines[4]
    assert "congestion" not in comparison.table(ABOUT, [row("ecmp", 9.0)])


class Host:
    name = "h1"

    def pexec(self, command):
        return ("Tcp: RtoAlgorithm OutSegs RetransSegs\nTcp: 1 100 7\nUdp: InDatagrams\nUdp: 5\n", "", 0)


def test_segments_are_those_of_the_kernels():
    assert sampling.segments([Host(), Host()]) == (200, 14)


def test_the_table_marks_what_was_measured_while_time_was_stolen():
    calm = comparison.table(ABOUT, [row("ecmp", 20.0, 2.9), row("shortest", 9.0)])
    assert "*" not in calm and "2.9 % of processor time stolen" in calm and ABOUT["command"] in calm
    busy = comparison.table(ABOUT, [row("ecmp", 20.0, 3.1), row("shortest", 9.0)])
    marked = [line.split()[0] for line in busy.splitlines() if line.endswith(" *")]
    assert marked == ["ecmp"]
    assert "recovery" not in busy and "recovery" in comparison.table(ABOUT, [row("ecmp", 20.0, recoveryMillis=40.0)])


def test_the_line_that_repeats_it_names_the_seed():
    assert comparison.command(["--strategies", "a,b"], 7) == "./lab compare --strategies a,b --seed 7"
    assert comparison.command(["--seed", "3", "--topology", "a b.json"], 3) == "./lab compare --seed 3 --topology 'a b.json'"


@pytest.mark.parametrize("arguments, why", [
    ([], "--strategies"),
    (["--strategies", "shortes"], "did you mean shortest"),
    (["--strategies", "ecmp,,shortest"], "nothing is none of"),
    (["--strategies", "ecmp,ecmp"], "names one twice"),
    (["--strategies", "ecmp", "--allocators", "fair"], "fair is none of max-min"),
    (["--strategies", "ecmp", "--runs", "0"], "whole number from 1"),
    (["--strategies", "ecmp", "--topology", "nowhere"], "nowhere"),
    (["--congestion", "li"], "li is none of"),
    (["--congestion", "lia", "--no-agents"], "lia comes from agents"),
    (["--strategies", "ecmp", "--traffic", "none.csv"], "none.csv: cannot be read"),
    (["--strategies", "ecmp", "--traffic", "none.csv", "--udp", "2"], "not with --connections, --udp or --fail"),
    (["--strategies", "ecmp", "--fail", "s1-s9@5"], "no link s1-s9"),
    (["--strategies", "ecmp", "--out", "/proc/none"], "--out /proc/none")])
def test_wrong_usage_is_told_before_anything_is_started(arguments, why):
    with pytest.raises(UsageError, match=why):
        cli.outside(["compare", *arguments])


def test_without_a_measurement_nothing_is_drawn(tmp_path):
    assert comparisonfigure.draw(tmp_path / comparisonfigure.JSON_FILE) == []


def test_the_figure_is_the_same_for_the_same_figures(tmp_path):
    pytest.importorskip("matplotlib", reason="Debian's python3-matplotlib is installed by the command itself")
    file = tmp_path / comparisonfigure.JSON_FILE
    rows = [row("ecmp", 20.0, completionSeconds=2.0), row("ecmp", 21.0, completionSeconds=2.5), row("shortest", 0.0)]
    file.write_text(json.dumps({**ABOUT, "means": comparison.means(rows)}))
    drawn = comparisonfigure.draw(file)
    assert sorted(one.suffix for one in drawn) == [".pdf", ".png"]
    before = [one.read_bytes() for one in drawn]
    assert [one.read_bytes() for one in comparisonfigure.draw(file)] == before


def test_stolen_time(tmp_path):
    stat = tmp_path / "stat"
    stat.write_text("cpu  100 0 50 800 10 0 5 35 70 0\ncpu0 1 2 3\n")
    before = times(stat)
    assert stolen_percent(before, [one + more for one, more in zip(before, (10, 0, 5, 80, 0, 0, 0, 5))]) == 5
    assert stolen_percent(before, before) == 0
    assert len(times()) == 8


def test_what_is_timed_waits_until_little_is_stolen(tmp_path):
    stat = tmp_path / "stat"

    def at(user, stolen):
        stat.write_text(f"cpu  {user} 0 0 0 0 0 0 {stolen} 0 0\n")
    at(0, 0)
    is_calm = calm(stat)
    at(99, 0)
    assert not is_calm(), "too short a time to tell"
    at(196, 4)
    assert is_calm(), "2 %"
    at(292, 8)
    assert not is_calm(), "4 %"
    at(389, 11)
    assert is_calm(), "3 % since the last answer"
