# SPDX-License-Identifier: Apache-2.0
"""``--fail``: its argument, the times of rules in a monitor's output, and the cost of a failure."""

import pytest

from mptcplab import failure, rulewatch, topology
from mptcplab.errors import LabError, UsageError
from mptcplab.rulewatch import RuleWatch, last_changes

MONITOR = """\
ONFST_FLOW_MONITOR reply (OF1.3) (xid=0x6):
2026-11-20 15:03:24.755: ONFST_FLOW_MONITOR reply (OF1.3) (xid=0x0):
 event=ADDED table=1 cookie=0x7 tcp,in_port=3,nw_src=10.0.0.1,nw_dst=10.0.0.2,tp_src=4000,tp_dst=5201 actions=output:1
2026-11-20 15:03:25.000: ONFST_FLOW_MONITOR reply (OF1.3) (xid=0x0):
 event=MODIFIED table=1 cookie=0x7 tcp,in_port=3,nw_src=10.0.0.1,nw_dst=10.0.0.2,tp_src=4000,tp_dst=5201 actions=output:2
 event=ADDED table=1 cookie=0x8 tcp,in_port=2,nw_src=10.0.0.2,nw_dst=10.0.0.1,tp_src=5201,tp_dst=4000 actions=output:3
2026-11-20 15:03:25.250: ONFST_FLOW_MONITOR reply (OF1.3) (xid=0x0):
 event=DELETED reason=delete table=1 cookie=0x8 tcp,in_port=2,nw_src=10.0.0.2,nw_dst=10.0.0.1,tp_src=5201,tp_dst=4000 actions=output:3
 event=ADDED table=1 cookie=0x9 tcp6,in_port=2,ipv6_src=fd00::2,ipv6_dst=fd00::1,tp_src=5201,tp_dst=4000 actions=output:3
 event=ADDED table=1 cookie=0x9 priority=50,tcp actions=CONTROLLER:65535
"""  # noqa: E501 (as the tool prints it)
AT = 1795187004.755
THERE, BACK = ("10.0.0.1:4000", "10.0.0.2:5201"), ("10.0.0.2:5201", "10.0.0.1:4000")


def test_links_may_be_named_either_way_round():
    diamond = topology.load("diamond")
    assert failure.parse("s1-s2@5", diamond, 15) == (("s1", "s2"), 5)
    assert failure.parse("s2-s1@4.5", diamond, 15) == (("s2", "s1"), 4.5)
    assert failure.parse("auto@13", diamond, 15) == ("auto", 13)


@pytest.mark.parametrize("text", ["", "auto", "auto@", "@5", "s1@5", "s1-s2-s3@5", "s1-s9@5", "auto@0", "auto@-1", "auto@inf",
                                  "auto@13.5", "S1-S2@5"])
def test_what_cannot_be_meant_is_refused_in_one_line(text):
    with pytest.raises(UsageError) as refused:
        failure.parse(text, topology.load("diamond"), 15)
    assert "\n" not in str(refused.value) and "--fail" in str(refused.value)


def test_the_last_word_about_each_rule_counts():
    changes = last_changes(MONITOR)
    when, there = changes[(3, *THERE, 2)]
    assert there and when == pytest.approx(AT + 0.245)
    assert changes[(3, *THERE, 1)] == (pytest.approx(AT + 0.245), False)
    assert changes[(2, *BACK, 3)] == (pytest.approx(AT + 0.495), False)
    assert changes[(2, "[fd00::2]:5201", "[fd00::1]:4000", 3)][1]
    assert len(changes) == 4, "nothing but exact TCP rules"


def test_a_rule_is_there_while_one_of_two_is_that_differ_by_the_mac_address():
    begin = MONITOR.splitlines(keepends=True)[:2]
    match = "in_port=3,{}nw_src=10.0.0.1,nw_dst=10.0.0.2,tp_src=4000,tp_dst=5201 actions={}output:1\n"
    exact = " event={} table=1 cookie=0x7 tcp," + match.format("", "")
    writes = " event={} table=1 cookie=0x7 tcp," + match.format("dl_dst=00:00:00:00:00:02,",
                                                               "set_field:ca:42:e0:a3:08:f4->eth_dst,")
    changes = [exact.format("ADDED"), writes.format("ADDED"), exact.format("DELETED")]
    assert last_changes("".join([*begin, *changes])) == {(3, *THERE, 1): (pytest.approx(AT), True)}
    changes.append(writes.format("DELETED"))
    assert last_changes("".join([*begin, *changes])) == {(3, *THERE, 1): (pytest.approx(AT), False)}


def test_a_wake_rule_that_goes_leaves_the_rule_for_a_path():
    begin = MONITOR.splitlines(keepends=True)[:2]
    match = "in_port=3,nw_src=10.0.0.1,nw_dst=10.0.0.2,tp_src=4000,tp_dst=5201 actions="
    wake, path = (f" event={{}} table=1 cookie={cookie} tcp,{match}{action}\n" for cookie, action in (
        ("0x6", "CONTROLLER:65535"), ("0x7", "output:1")))
    changes = [wake.format("ADDED"), path.format("ADDED"), wake.format("DELETED reason=delete")]
    assert last_changes("".join([*begin, *changes])) == {(3, *THERE, 1): (pytest.approx(AT), True)}


def test_a_plain_rule_that_was_modified_too_and_goes_leaves_the_rule_for_a_path():
    begin = MONITOR.splitlines(keepends=True)[:2]
    match = "in_port=3,nw_src=10.0.0.1,nw_dst=10.0.0.2,tp_src=4000,tp_dst=5201 actions="
    plain, path = (f" event={{}} table=0 cookie=0x7 priority={priority},tcp,{match}output:{{}}\n" for priority in (60, 110))
    changes = [plain.format("ADDED", 1), path.format("ADDED", 1), path.format("MODIFIED", 2), plain.format("MODIFIED", 2),
               plain.format("DELETED reason=idle", 2)]
    assert last_changes("".join([*begin, *changes]))[(3, *THERE, 2)] == (pytest.approx(AT), True)


def test_changes_of_rules_for_labels_are_told_from_others(tmp_path):
    (tmp_path / "s2.rules").write_text("""\
2026-11-25 10:00:00.000: NXST_FLOW_MONITOR reply (OF1.3) (xid=0x0):
 event=ADDED table=1 cookie=0x7 priority=111,in_port=2,dl_dst=ca:42:e0:a3:08:f4 actions=output:3
 event=ADDED table=1 cookie=0x7 priority=110,tcp,in_port=2,nw_src=10.0.0.1,nw_dst=10.0.0.2,tp_src=4,tp_dst=5 actions=output:3
2026-11-25 10:00:00.250: NXST_FLOW_MONITOR reply (OF1.3) (xid=0x0):
 event=MODIFIED table=1 cookie=0x7 priority=111,in_port=2,dl_dst=ca:42:e0:a3:08:f4 actions=output:4
 event=DELETED reason=delete table=1 cookie=0x7 priority=111,in_port=2,dl_dst=ca:42:e0:a3:08:f4 actions=output:4
""")
    watch, label = RuleWatch(tmp_path, ["s2"]), "ca:42:e0:a3:08:f4"
    begun, *later = watch.label_changes("s2", 0)
    assert begun[1:] == (2, label, 3)
    assert [change[1:] for change in later] == [(2, label, 4), (2, label, None)]
    assert later[0][0] == pytest.approx(begun[0] + 0.25)
    assert watch.label_changes("s2", begun[0] + 0.1) == later


def test_rules_are_in_when_the_last_of_them_is(tmp_path):
    (tmp_path / "s1.rules").write_text(MONITOR)
    watch = RuleWatch(tmp_path, ["s1"])
    assert watch.installed([("s1", 3, *THERE, 2)], AT) == pytest.approx(AT + 0.245)
    assert watch.installed([("s1", 3, *THERE, 2)], AT + 1) is None, "it was there before"
    assert watch.installed([("s1", 9, *THERE, 2)], AT) is None, "it was there before the watch began"
    assert watch.times([("s1", 3, *THERE, 2), ("s1", 9, *THERE, 2)], AT) == {
        ("s1", 3, *THERE, 2): pytest.approx(AT + 0.245)}, "only what has come since"
    with pytest.raises(LabError):
        watch.installed([("s1", 3, *THERE, 2), ("s1", 2, *BACK, 3)], AT)


def test_exact_rules_are_told_from_others(monkeypatch):
    monkeypatch.setattr(rulewatch, "run", lambda *_: """\
 cookie=0x7, duration=3.2s, table=1, n_packets=0, priority=110,tcp,in_port=3,nw_src=10.0.0.1,nw_dst=10.0.0.2,tp_src=4000,tp_dst=5201 actions=output:1
 cookie=0x8, duration=3.2s, table=1, n_packets=9, priority=60,tcp,nw_src=10.0.0.1,nw_dst=10.0.0.2,tp_src=1,tp_dst=2 actions=output:1
 cookie=0x9, duration=3.2s, table=1, n_packets=9, priority=3,tcp actions=CONTROLLER:65535
""")  # noqa: E501 (as the tool prints it)
    assert rulewatch.present("s1") == {("s1", 3, *THERE, 1)}


def test_a_rule_that_writes_a_label_is_told_by_its_ends_and_output(monkeypatch):
    monkeypatch.setattr(rulewatch, "run", lambda *_: """\
 cookie=0x7, duration=3.2s, table=1, n_packets=0, priority=110,tcp,in_port=3,dl_dst=00:00:00:00:00:02,nw_src=10.0.0.1,nw_dst=10.0.0.2,tp_src=4000,tp_dst=5201 actions=set_field:ca:42:e0:a3:08:f4->eth_dst,output:1
 cookie=0x8, duration=3.2s, table=1, n_packets=9, priority=111,in_port=2,dl_dst=ca:42:e0:a3:08:f4 actions=set_field:00:00:00:00:00:02->eth_dst,output:1
""")  # noqa: E501 (as the tool prints it)
    assert rulewatch.present("s1") == {("s1", 3, *THERE, 1)}


def test_auto_is_the_second_link_of_a_path_in_use():
    def connection(expected, *path):
        return {"expectedUpMbps": 0, "expectedDownMbps": expected,
                "subflows": [{"path": [f"of:{int(s[1:]):016x}" for s in path]}]}
    assert failure.second_link([connection(0.1, "s1", "s3", "s5"), connection(10, "s1", "s2", "s5")]) == ("s2", "s5")
    assert failure.second_link([connection(10, "s1", "s2")]) == ("s1", "s2")
    assert failure.second_link([connection(10), connection(1, "s1", "s2", "s3", "s4")]) == ("s2", "s3")
    with pytest.raises(LabError):
        failure.second_link([connection(10, "s1"), connection(1)])


def intervals(*rates):
    return [{"sum": {"start": i * 0.5, "end": (i + 1) * 0.5, "bytes": rate * 0.5 / 8e-6}} for i, rate in enumerate(rates)]


def test_what_a_failure_costs():
    rates = [0, 0] + [30] * 8 + [0, 10] + [20] * 8
    before, after, lost = failure.effect(intervals(*rates), 5, 10)
    assert (before, after) == (pytest.approx(30), pytest.approx(20))
    assert lost == pytest.approx(20 * 0.5 + 10 * 0.5)


def test_a_failure_that_costs_nothing_loses_nothing():
    assert failure.effect(intervals(*[20] * 20), 5, 10) == (pytest.approx(20), pytest.approx(20), pytest.approx(0))
    before, after, lost = failure.effect(intervals(*[20] * 10, *[25] * 10), 5, 10)
    assert after > before and lost == 0


def test_what_arrives_in_excess_does_not_make_up_for_what_was_missing():
    before, after, lost = failure.effect(intervals(*[0] * 2, *[10] * 8, *[40] * 2, *[0] * 6, *[35] * 2, *[10] * 20), 5, 20)
    assert (before, after) == (pytest.approx(10), pytest.approx(10, rel=0.3))
    assert lost == pytest.approx(before * 3)


def test_several_transfers_are_counted_together():
    halves = intervals(*[10] * 10, *[0] * 4, *[10] * 6)
    before, after, lost = failure.effect(halves + halves, 5, 10)
    assert (before, after, lost) == (pytest.approx(20), pytest.approx(20), pytest.approx(40))


def test_after_a_link_without_which_nothing_flowed_begins_when_it_is_back():
    rates = [30] * 6 + [0] * 8 + [30] * 6
    before, after, lost = failure.effect(intervals(*rates), 3, 10, back=7)
    assert (before, after, lost) == (pytest.approx(30), pytest.approx(30), pytest.approx(120))
    early = [10] * 6 + [0] * 8 + [30] * 6
    assert failure.effect(intervals(*early), 3, 10, back=7) == (pytest.approx(10), pytest.approx(30), pytest.approx(120))
    slow = [30] * 6 + [0] * 14
    assert failure.effect(intervals(*slow), 3, 10, back=7) == (pytest.approx(30), 0, pytest.approx(210))
