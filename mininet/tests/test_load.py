# SPDX-License-Identifier: Apache-2.0
"""``./lab bench load``: its arguments, its table and JSON, and when a transfer has its paths."""

import math
import os
import time
from types import SimpleNamespace

import pytest

from mptcplab import cli, load, loadtable, sampling
from mptcplab.errors import UsageError
from mptcplab.loadtable import Rounds
from mptcplab.processes import children, processor_seconds, wait_for
from mptcplab.rulewatch import RuleWatch

ALONE = [{"setup-tcp": 1.0, "mptcp-200-rate": 400.0, "mptcp-200-requests": 1200}, {"setup-tcp": 3.0, "mptcp-200-rate": 200.0}]
OURS = [{"setup-tcp": 5.0, "mptcp-200-rate": 30.0, "transfer-paths": 55.5, "rules-later": 12345},
        {"setup-tcp": 3.0, "mptcp-200-rate": 120.0, "transfer-paths": None}]
LOADS = (1.25, 4.0)


def test_the_table_has_both_by_turns_and_the_ratio_of_their_means():
    lines = loadtable.text(Rounds(ALONE, OURS), LOADS).splitlines()
    assert max(map(len, lines)) <= 100
    assert [line.split() for line in lines if line.startswith("   TCP, ms")] == [
        ["TCP,", "ms", "1.00", "5.00", "3.00", "3.00", "2.00"]]
    group = lines.index(" MPTCP, 20 at once, answers of 200 B")
    assert lines[group + 1].split() == ["answered,", "requests/s", "400.0", "30.0", "200.0", "120.0", "0.25"]
    assert lines[group + 5].split() == ["n,", "requests", "1200", "–", "–", "–"]
    assert "load of the machine 1.2 before, 4.0 after" in lines[-1]


def test_a_round_that_was_not_measured_leaves_a_gap():
    lines = loadtable.text(Rounds(ALONE, OURS[:1]), LOADS).splitlines()
    assert [line.split()[2:] for line in lines if line.startswith("   TCP, ms")] == [["1.00", "5.00", "3.00", "–", "2.50"]]
    assert loadtable.text(Rounds(), LOADS).count("SYN to established") == 1


def test_the_json_says_how_many_times_better_than_alone():
    entries = {entry["name"]: entry for entry in loadtable.entries(Rounds(ALONE, OURS, uncopied=OURS[:1]), LOADS)}
    assert entries["load-mptcp-200-rate"] == {
        "name": "load-mptcp-200-rate", "unit": "requests/s", "ours": 75.0, "peer": "forwarder alone", "peerScore": 300.0,
        "ratio": 0.25, "oursRuns": [30.0, 120.0], "peerRuns": [400.0, 200.0], "machineLoad": [1.2, 4.0]}
    assert entries["load-setup-tcp"]["ratio"] == 0.5
    assert entries["load-transfer-paths"]["ours"] == 55.5 and entries["load-transfer-paths"]["ratio"] is None


LOOPED = [{"mptcp-200-rate": 50.0}]


def test_both_have_what_the_forwarder_carries_beside_a_busy_loop():
    lines = loadtable.text(Rounds(ALONE, OURS, LOOPED), LOADS).splitlines()
    group = lines.index(" MPTCP, 20 at once, answers of 200 B")
    assert lines[group + 1].split() == ["answered,", "requests/s", "400.0", "30.0", "200.0", "120.0", "50.0", "0.25", "1.50"]
    found = [entry for entry in loadtable.entries(Rounds(ALONE, OURS, LOOPED), LOADS) if entry["name"].startswith("load-loop-")]
    assert [(entry["name"], entry["ours"], entry["peerScore"], entry["ratio"]) for entry in found] == [
        ("load-loop-mptcp-200-rate", 75.0, 50.0, 1.5)]
    assert found[0]["peer"] == "forwarder beside a busy loop"


def test_a_busy_loop_takes_its_part_of_a_processor_until_the_body_ends():
    before = set(children(os.getpid()))
    begun = time.monotonic()
    with load.busy_loops(0.4, 0):
        (loop,) = set(children(os.getpid())) - before
        wait_for("some processor time", lambda: processor_seconds(loop) >= 0.4, 30)
        assert processor_seconds(loop) <= 0.4 * (time.monotonic() - begun) + 0.1
    assert set(children(os.getpid())) == before
    with load.busy_loops(0, 0):
        assert set(children(os.getpid())) == before, "nothing is taken"


@pytest.mark.parametrize("arguments, says", [
    (["load", "maxflow-fattree32"], "load runs alone"), (["maxflow-fattree32", "load"], "load runs alone"),
    (["load", "--json", "/nowhere/at/all.json"], "/nowhere/at/all.json"), (["load", "--quick"], "--quick")])
def test_what_cannot_be_meant_is_refused(arguments, says):
    with pytest.raises(UsageError, match=says):
        cli.outside(["bench", *arguments])


def test_other_benchmarks_are_javas(monkeypatch):
    asked = []
    monkeypatch.setitem(cli._COMMANDS, "bench", cli._bench)
    monkeypatch.setattr(cli.commands, "bench", lambda options: asked.append(options.names) or 0)
    assert cli.outside(["bench", "maxflow-fattree32"]) == 0 and cli.outside(["bench"]) == 0
    assert asked == [["maxflow-fattree32"], []]


TO = "10.0.0.2:5201"
SUBFLOWS = [(f"10.0.{number}.1:4000", TO) for number in range(3)]


def monitored(number, switch, back=True):
    """What a switch's monitor tells of a subflow's rules: at the second of its number, at the millisecond of the switch's."""
    way = f"nw_src=10.0.{number}.1,nw_dst=10.0.0.2,tp_src=4000,tp_dst=5201"
    other = f"nw_src=10.0.0.2,nw_dst=10.0.{number}.1,tp_src=5201,tp_dst=4000"
    told = f"2026-11-20 15:03:2{number}.{int(switch[1:]):03d}: ONFST_FLOW_MONITOR reply (OF1.3) (xid=0x0):\n"
    return told + "".join(f" event=ADDED table=1 cookie=0x7 tcp,in_port=3,{match} actions=output:1\n"
                          for match in ([way, other] if back else [way]))


def complete(folder, rules, **special):
    """What `Load` says of three subflows whose rules came into these switches."""
    for switch in ("s1", "s2", "s3", "s4", "s5"):
        (folder / f"{switch}.rules").write_text("".join(
            monitored(number, switch, **special) for number, path in enumerate(rules) if switch in path))
    bench = SimpleNamespace(_network=SimpleNamespace(topology=SimpleNamespace(pair=lambda index: ("s1", "s5"))))
    return load.Load._complete(bench, SUBFLOWS, RuleWatch(folder, ["s1", "s2", "s3", "s4", "s5"]))


DISJOINT = [("s1", "s2", "s5"), ("s1", "s3", "s5"), ("s1", "s4", "s5")]


def test_paths_are_there_with_the_last_of_their_rules(tmp_path):
    assert complete(tmp_path, DISJOINT) == pytest.approx(1795187000 + 2 + 0.005)


@pytest.mark.parametrize("rules", [DISJOINT[:2], [*DISJOINT[:2], ("s1", "s4")], [*DISJOINT[:2], ("s1", "s2", "s5")],
                                   [*DISJOINT[:2], ("s1", "s5")]])
def test_paths_are_not_there_before_all_rules_are_or_if_they_share_a_switch(tmp_path, rules):
    assert complete(tmp_path, rules) == math.inf


def test_paths_are_not_there_as_long_as_one_leads_only_there(tmp_path):
    assert complete(tmp_path, DISJOINT, back=False) == math.inf


SS = """\
0 0 10.0.0.1:39240 10.0.0.2:5201 cubic tcp-ulp-mptcp flags:Mec token:0000(id:0)/11111111(id:0) bytes_sent:180 seq:1
0 0 10.0.0.1:39242 10.0.0.2:5201 cubic wscale:7,7 tcp-ulp-mptcp flags:Mec token:0000(id:0)/9f2e1a7b(id:0) seq:1 maplen:0
0 0 10.0.1.1%h1-eth0:38847 10.0.0.2:5201 cubic bytes_sent:7000 tcp-ulp-mptcp flags:Jjec token:5a6b7c8d(id:0)/9f2e1a7b(id:1)
0 0 10.0.0.1:39243 10.0.0.2:5201 cubic bytes_sent:90000
"""


def test_subflows_belong_together_by_the_hosts_own_token_and_the_busiest_connection_is_the_first():
    host = SimpleNamespace(name="h1", pexec=lambda command: (SS, "", 0))
    assert sampling.kernel_connections(host, 5201) == [(7000, [("10.0.0.1:39242", TO), ("10.0.1.1:38847", TO)]),
                                                       (180, [("10.0.0.1:39240", TO)])]


def test_rules_are_counted_by_the_switch(monkeypatch):
    asked = []
    monkeypatch.setattr(sampling, "run", lambda command, what: asked.append(command) or
                        "OFPST_AGGREGATE reply (OF1.3) (xid=0x2): packet_count=4 byte_count=168 flow_count=31\n")
    assert (sampling.rule_count("s1"), sampling.rule_count("s1", "tcp")) == (31, 31)
    assert [command[4:] for command in asked] == [["s1"], ["s1", "tcp"]]
