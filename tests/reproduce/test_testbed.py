# SPDX-License-Identifier: Apache-2.0
"""What the reports say of transfers, on data with known answers; and which experiments are measured, without a testbed."""

import csv

import emptcp_testbed
import multiflow_testbed
import parts
import plots
import pytest
import runs
import sheu_testbed
import smptcp_delays
import smptcp_shares
import smptcp_testbed
import testbed
from mptcplab.errors import LabError, UsageError


@pytest.fixture(autouse=True)
def _drawn(monkeypatch):
    for kind in ("lines", "bars"):
        monkeypatch.setattr(plots, kind, lambda *_, **__: None)


def _write(folder, name, rows):
    with open(testbed.file(folder, name), "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def _verdicts(found):
    return {claim: answer for claim, _, _, answer in found}


def _begins(found, beginning):
    return next(answer for claim, answer in _verdicts(found).items() if claim.startswith(beginning))


@pytest.mark.parametrize("ours, others, answer", [
    ([10, 10.1, 9.9], [5, 5.1, 4.9], "yes"), ([5, 5.1, 4.9], [10, 10.1, 9.9], "no"), ([10, 2, 6], [5, 5, 5], "not apart"),
    ([10], [5], "not apart")])
def test_more_is_more_beyond_the_intervals(ours, others, answer):
    assert runs.is_more(ours, others) == answer


@pytest.mark.parametrize("ours, others, answer", [
    ([10, 10.1, 9.9], [5, 5.1, 4.9], "no"), ([5, 5.1, 4.9], [10, 10.1, 9.9], "yes"), ([5, 5.01, 4.99], [5, 5.01, 4.99], "yes"),
    ([4, 1, 7], [5, 5, 5], "not apart"), ([5], [10], "not apart")])
def test_no_more_is_shown_only_where_more_is_excluded(ours, others, answer):
    assert runs.is_not_more(ours, others) == answer


def test_a_published_mean_comes_out_within_a_tenth_and_an_interval_that_holds_it_says_nothing():
    assert runs.is_close(10, [9.2]) == "yes"
    assert runs.is_close(10, [8.8]) == "no"
    assert runs.is_close(10, [8, 8.8, 9.6]) == "not apart"
    assert runs.is_close(10, [9, 9.2, 9.4]) == "yes"


@pytest.mark.parametrize("ours, answer", [
    ([3, 3.01], "yes"), ([2.4, 2.6, 2.8], "not apart"), ([2.5, 2.51], "direction only"), ([1.3, 1.31], "no"), ([9], "no")])
def test_a_published_range(ours, answer):
    assert runs.is_among(2.8, 3.5, ours) == answer


def _throughput(folder, several):
    _write(folder, "multiflow/throughput", [
        {"run": run, "strategy": strategy, "asked": asked, "megabytes": megabytes, "mbps": mbps + run / 100, "subflows": asked}
        for run in (1, 2, 3) for asked in (3, 32)
        for strategy, megabytes, mbps in (("shortest", 1, 3), ("shortest", 10, 2.7), ("multiflow", 1, 5),
                                          ("multiflow", 10, several if asked == 3 else 15))])


def test_multiflow_with_transfers(tmp_path):
    assert multiflow_testbed.claims(tmp_path) == []
    assert "Not measured" in multiflow_testbed.section(tmp_path)
    _throughput(tmp_path, 20)
    found = multiflow_testbed.claims(tmp_path)
    assert _begins(found, "Fig. 6: 10 MB get more") == "yes"
    assert _begins(found, "Fig. 6: 32 subflows over one path") == "yes"
    assert _begins(found, "Fig. 6: 32 subflows with Multiflow have less") == "yes"
    assert "| 3 | 3.02 ± 0.02 | 2.72 ± 0.02 | 5.02 ± 0.02 | 20.02 ± 0.02 | 3 |" in multiflow_testbed.section(tmp_path)
    _throughput(tmp_path, 2)
    found = multiflow_testbed.claims(tmp_path)
    assert _begins(found, "Fig. 6: 10 MB get more") == "no"
    assert _begins(found, "Fig. 6: 32 subflows with Multiflow have no more") == "no"


@pytest.mark.parametrize("ours, answer", [(3.5, "yes"), (9, "direction only"), (2, "no")])
def test_multiflow_peers_are_compared_with_those_on_one_path(tmp_path, ours, answer):
    _write(tmp_path, "multiflow/sharing", [
        {"run": run, "protocol": protocol, "megabytes": megabytes, "peer": peer, "mbps": mbps + run / 1000 + peer / 10}
        for run in (1, 2, 3) for peer in (-1, 0, 1) for protocol, megabytes, mbps in (
            ("tcp", 1, 2), ("mptcp", 1, 2), ("tcp", 10, 3.0), ("mptcp", 10, ours))])
    found = multiflow_testbed.claims(tmp_path)
    assert _begins(found, "Fig. 8: a peer has more") == answer
    assert _begins(found, "Fig. 8: 1 MB") == "yes"


def test_files_of_100_megabytes_are_told_and_confirm_nothing_as_they_are_sent_once(tmp_path):
    _throughput(tmp_path, 20)
    assert "were not sent" in multiflow_testbed.section(tmp_path)
    _write(tmp_path, "multiflow/throughput-100", [
        {"run": 1, "strategy": strategy, "asked": 3, "megabytes": 100, "mbps": mbps, "subflows": 3}
        for strategy, mbps in (("shortest", 2.7), ("multiflow", 21.0))])
    _write(tmp_path, "multiflow/sharing", [
        {"run": run, "protocol": protocol, "megabytes": megabytes, "peer": 1, "mbps": 3.0 + run / 1000}
        for run in (1, 2, 3) for protocol in ("tcp", "mptcp") for megabytes in (1, 10)])
    _write(tmp_path, "multiflow/sharing-100", [
        {"run": 1, "protocol": protocol, "megabytes": 100, "peer": peer, "mbps": mbps}
        for peer in (1, 2, 3) for protocol, mbps in (("tcp", 3.0), ("mptcp", 9.0))])
    found = multiflow_testbed.claims(tmp_path)
    assert _begins(found, "Fig. 6: 100 MB") == "not apart"
    assert _begins(found, "Fig. 8: a peer has more with Multiflow than with TCP on one path, 100 MB") == "not apart"
    assert _begins(found, "Fig. 8: a peer has 4.06 Mbit/s with TCP") == "no", "it is more than a tenth off"
    section = multiflow_testbed.section(tmp_path)
    assert "2.70 Mbit/s on one path, 21.00 with Multiflow" in section and "were not sent" not in section
    assert "| 100 MB | 3.00 | 9.00 |" in section and "100 MB were sent once" in section


@pytest.mark.parametrize("came, answer", [(3, True), (4, False)])
def test_the_fourth_subflow(tmp_path, came, answer):
    _write(tmp_path, "multiflow/fourth", [
        {"run": run, "policy": policy, "paths": f"1-2-5 1-3-5 1-4-5 {last}", "came": count, "mbps": 27}
        for run in (1, 2) for policy, last, count in (("share", "1-2-5", 4), ("block", "none", came))])
    found = multiflow_testbed.claims(tmp_path)
    assert _begins(found, "conclusion: a fourth") is answer
    assert _begins(found, "Section III: a fourth") is True
    assert f"| `block` | 1-2-5 1-3-5 1-4-5 none | {came}.0 ± 0.0 | 27.00 ± 0.00 |" in multiflow_testbed.section(tmp_path)


def test_multiflow_joins(tmp_path):
    _write(tmp_path, "multiflow/setup", [{"way": way, "millis": millis + part / 10} for part in (0, 1, 2)
                                         for way, millis in (("multiflow", 7), ("proactive", 1), ("agents", 1))])
    assert _begins(multiflow_testbed.claims(tmp_path), "Fig. 10") == "yes"
    assert "| Multiflow | 7.10 ± 0.25 | 7.10 | 3 |" in multiflow_testbed.section(tmp_path)


def _shares(changed_at, rates=(10, 10, 10)):
    """The last connection begins at 4 s and has half of its rate until ``changed_at``."""
    return smptcp_shares.Shares([
        {"connection": index, "second": half / 2, "mbps": rate * (0.5 if index == 3 and half / 2 < changed_at else 1)}
        for index, rate in enumerate(rates, 1) for half in range(8 if index == 3 else 0, 32)])


def test_shares_at_the_end_and_when_they_settled():
    even = _shares(4)
    assert (even.total, even.deviation, even.seconds) == (30, 0, 0)
    assert _shares(6).seconds == 2
    assert _shares(99, (10, 10, 20)).seconds == 0, "half of its rate is what it has at the end too"
    assert _shares(4, (8, 10, 12)).deviation == pytest.approx((8 / 3) ** 0.5)
    jumping = [{"connection": 1, "second": half / 2, "mbps": 10 if half // 5 % 2 else 2} for half in range(32)]
    assert smptcp_shares.Shares(jumping).seconds is None


def test_smptcp_with_transfers(tmp_path):
    assert smptcp_testbed.claims(tmp_path) == []
    _write(tmp_path, "smptcp/windows", [
        {"run": run, "window": window, "connection": index, "second": half / 2, "mbps": rate + run / 1000}
        for run in (1, 2, 3) for window, rates in (
            ("smptcp", (11.3, 11.3, 11.35)), ("balia", (6, 9, 18)), ("alpha-1", (11, 11, 11)), ("beta-3", (10, 11, 12)))
        for index, rate in enumerate(rates, 1) for half in range(32)])
    found = smptcp_testbed.claims(tmp_path)
    assert _begins(found, "Table 7: SD with S-MPTCP below") == "yes"
    assert _begins(found, "Table 7: SD with S-MPTCP over Reno") == "yes"
    assert _begins(found, "Table 1: SD with BALIA") == "yes"
    assert _begins(found, "Fig. 3: with BALIA one connection approaches") == "yes"
    assert _begins(found, "Fig. 8") is True
    assert _begins(found, "Table 6: a larger") == "yes"
    assert "| BALIA | 33.01 ± 0.01 | 5.099 ± 0.000 |" in smptcp_testbed.section(tmp_path)


@pytest.mark.parametrize("seconds, answer", [
    ([1.9, 2.0, 2.1], "yes"), ([0.5, 2.0, 3.5], "not apart"), ([4.9, 5.0, 5.1], "no"), ([2.0, None], "no")])
def test_connections_settle_in_a_published_time_if_no_run_never_does_and_the_interval_allows_it(seconds, answer):
    some = [_shares(4) for _ in seconds]
    for one, time in zip(some, seconds):
        one.seconds = time
    assert smptcp_testbed._settles(some, 2.0) == answer


def test_delays(tmp_path):
    _write(tmp_path, "smptcp/delays", [
        {"run": run, "window": window, "delay": delay, "connection": index, "second": half / 2,
         "mbps": rate * (0.5 if index == 3 and half < delay / 10 else 1)}
        for window, rates in (("smptcp", (11.3, 11.3, 11.3)), ("balia", (6, 9, 18))) for delay in (15, 100) for run in (1, 2)
        for index, rate in enumerate(rates, 1) for half in range(40)])
    assert [answer for _, _, _, answer in smptcp_testbed.claims(tmp_path)] == [True, "yes", True]
    assert ("| S-MPTCP over Reno | 100 | 33.90 ± 0.00 | 0.000 ± 0.000 | 5.0 ± 0.0 s | 33.95, 0.03, 3.0 |"
            in smptcp_delays.section(tmp_path))


def test_collisions(tmp_path):
    _write(tmp_path, "smptcp/collisions", [
        {"connections": count, "solution": solution, "run": run, "mbps": count * mbps + run / 100}
        for run in (1, 2, 3) for count in (1, 2) for solution, mbps in (("regular", 9), ("disjoint", 18.8), ("smptcp", 18.8))])
    found = smptcp_testbed.claims(tmp_path)
    assert _begins(found, "Table 9: S-MPTCP") == "yes"
    assert _begins(found, "Table 10: BALIA, hashing") == "no"
    assert _begins(found, "Fig. 11: S-MPTCP has more than hashing") == "yes"
    assert _begins(found, "Fig. 11: S-MPTCP has more than disjoint") == "not apart"
    assert _begins(found, "Fig. 4") is True
    assert "| S-MPTCP | 18.862 | 18.82 ± 0.02 | 37.716 | 37.62 ± 0.02 |" in smptcp_testbed._collisions(
        tmp_path, testbed.rows(tmp_path, "smptcp/collisions"))


def test_sheu_with_iperf(tmp_path):
    assert sheu_testbed.claims(tmp_path) == []
    _write(tmp_path, "sheu/iperf-13", [
        {"nodes": 13, "pair": pair, "strategy": strategy, "mbps": mbps * (1 + pair / 100), "most": 9, "paths": 2}
        for pair in (0, 1, 2) for strategy, mbps in (("k-max-min", 10.8), ("k-max", 10), ("shortest", 2))])
    found = sheu_testbed.claims(tmp_path)
    assert _begins(found, "Fig. 3.2: iperf over MPTCP on the testbed, against k-max") == "yes"
    assert _begins(found, "Fig. 3.2: iperf over MPTCP on the testbed, against SPF") == "direction only"
    assert "| 13, 1 | 10.80 of 9.0 (2) |" in sheu_testbed.section(tmp_path)


def _requests(folder, most):
    _write(folder, "emptcp/requests", [
        {"run": run, "sends": sends, "second": second, "subflows": (most if second >= 3 else 1) if sends == "all" else 1,
         "fair": 30, "available": 30, "measured": 29 if second >= 5 else 10, "mbps": 20}
        for run in (1, 2) for sends in ("all", "little") for second in range(1, 12)])


def test_emptcp_requests(tmp_path):
    assert emptcp_testbed.claims(tmp_path) == []
    _requests(tmp_path, 3)
    rows = [row for row in testbed.rows(tmp_path, "emptcp/requests") if row["sends"] == "all"]
    assert emptcp_testbed.asked_after(rows) == [3, 3]
    assert emptcp_testbed.reached(rows) == pytest.approx([29 / 30] * 2)
    assert [answer for _, _, _, answer in emptcp_testbed.claims(tmp_path)] == [True, True, True]
    _requests(tmp_path, 2)
    assert _begins(emptcp_testbed.claims(tmp_path), "request rule: one subflow at first") is False


def test_emptcp_files(tmp_path):
    _write(tmp_path, "emptcp/fat-tree", [
        {"run": run, "window": window, "pair": pair, "seconds": seconds + run / 100, "mbps": 16 / seconds}
        for run in (1, 2, 3) for pair in (0, 1) for window, seconds in (("emptcp", 1.3), ("emptcp-published", 1.3), ("reno", 2),
                                                                        ("tcp", 1.2))])
    found = emptcp_testbed.claims(tmp_path)
    assert _begins(found, "Fig. 7: a file takes less, against MPTCP") == "yes"
    assert _begins(found, "Fig. 7: a file takes less, against TCP") == "no"
    assert "| TCP New Reno | 1.22 ± 0.02 |" in emptcp_testbed.section(tmp_path)


@pytest.fixture
def trials(monkeypatch):
    """(name, runs, and quick if so) of the experiments that were run, and a set: those in it fail. Each leaves a file."""
    run: list[tuple[str, ...]] = []
    broken: set[str] = set()

    def run_inside(_, arguments):
        name, file = arguments[2], arguments[4]
        with open(file, "w", encoding="ascii") as out:
            out.write("x\n1\n")
        run.append((name, arguments[3], *arguments[5:]))
        return int(name in broken)
    monkeypatch.setattr(testbed.namespace, "run_inside", run_inside)
    monkeypatch.setattr(testbed.packages, "require", lambda *_: None)
    return run, broken


def test_experiments_that_are_there_are_not_run_again(tmp_path, trials):
    run, broken = trials
    broken.add("multiflow/setup")
    with pytest.raises(LabError, match="multiflow/setup failed"):
        testbed.measure(tmp_path, ["multiflow"], 3, False, False)
    assert not testbed.file(tmp_path, "multiflow/setup").exists(), "half a measurement is none"
    broken.clear()
    testbed.measure(tmp_path, ["multiflow"], 3, False, False)
    assert [name for name, *_ in run] == ["multiflow/throughput", "multiflow/sharing", "multiflow/setup", "multiflow/setup",
                                         "multiflow/fourth"]
    assert testbed.told(tmp_path, "multiflow/setup").startswith("*3 runs in ")
    testbed.measure(tmp_path, ["multiflow"], 1, False, False)
    assert run[-4:] == [(name, "1") for name in parts.names(["multiflow"], parts.ON_TESTBED) if name not in parts.LONG]


def test_long_experiments_are_run_if_asked_for_and_once(tmp_path, trials):
    run, _ = trials
    testbed.measure(tmp_path, ["multiflow"], 3, False, False, True)
    testbed.measure(tmp_path, ["multiflow"], 1, True, False, True)
    assert [name for name, *_ in run if name in parts.LONG] == list(parts.LONG), "what is run once is the same with any number"


def test_the_quick_form_has_one_network_of_sheu_and_is_told_its_own_time(tmp_path, trials, monkeypatch):
    run, _ = trials
    said: list[str] = []
    monkeypatch.setattr(parts, "progress", said.append)
    testbed.measure(tmp_path, ["sheu"], 1, True, False)
    assert run == [("sheu/iperf-10", "1", "quick")]
    testbed.measure(tmp_path, ["sheu"], 2, False, False)
    assert run[1:] == [("sheu/iperf-13", "2"), ("sheu/iperf-16", "2")]
    testbed.measure(tmp_path, ["sheu"], 1, True, False)
    assert len(run) == 3, "it is the requests that differ, not the runs"
    testbed.measure(tmp_path, ["smptcp"], 2, True, False)
    of_smptcp = [parts.QUICK[f"smptcp/{name}"] for name in ("windows", "delays", "collisions")]
    assert f"about {parts.span(2 * sum(of_smptcp))} left" in said[-3]
    testbed.measure(tmp_path, ["smptcp"], 2, False, False)
    assert len(run) == 9, "the quick form has other parameters"


def test_every_experiment_is_one_that_there_is():
    pytest.importorskip("mininet")
    from mptcplab.trials import measure
    assert {*measure.TRIALS, *measure.WITH_QUICK} == set(parts.ON_TESTBED)
    assert set(measure.WITH_QUICK) == set(parts.QUICK) & set(parts.ON_TESTBED), "those alone are another measurement"


def test_the_testbed_needs_root(monkeypatch):
    monkeypatch.setattr(testbed.kernel, "require_mptcp", lambda: None)
    monkeypatch.setattr(testbed.os, "geteuid", lambda: 1000)
    with pytest.raises(UsageError, match="needs root"):
        testbed.require()
