# SPDX-License-Identifier: Apache-2.0
"""The reports on data with known answers. Drawing is replaced, as it needs matplotlib."""

import json

import emptcp
import gomez
import growth
import multiflow
import network
import plots
import pytest
import sheu
import smptcp
import tables
import windows


@pytest.fixture(autouse=True)
def drawn(monkeypatch):
    """The files that would have been drawn."""
    files = []
    for kind in ("lines", "steps", "bars"):
        monkeypatch.setattr(plots, kind, lambda path, *_, **__: files.append(path.name))
    return files


def _claim(report, beginning):
    """The published figure, ours and the verdict of the first claim that begins so."""
    line = next(line for line in report.splitlines() if line.startswith(f"| {beginning}"))
    return [cell.strip() for cell in line.split("|")[2:5]]


@pytest.mark.parametrize("published, ours, answer", [
    (0.08, 0.08, "yes"), (0.08, 0.041, "yes"), (0.08, 0.159, "yes"), (0.08, 0.039, "direction only"),
    (0.08, 0.161, "direction only"), (0.08, -0.08, "no"), (0.08, 0.0, "no"), (-0.35, -0.3, "yes")])
def test_verdict_wants_the_direction_and_the_order_of_magnitude(published, ours, answer):
    assert tables.verdict(published, ours) == answer


@pytest.mark.parametrize("ours, error, answer", [(0.1, 0.05, "yes"), (-0.1, 0.05, "no"), (0.1, 0.2, "not apart")])
def test_sign_wants_more_than_the_interval(ours, error, answer):
    assert tables.sign(ours, error) == answer
    assert tables.sign(-ours, error, wanted=-1) == answer


def test_interval_that_holds_zero_says_nothing():
    assert tables.interval(0.08, 0.07, 0.01) == "yes"
    assert tables.interval(0.08, 0.01, 0.005) == "direction only"
    assert tables.interval(0.08, -0.07, 0.01) == "no"
    assert tables.interval(0.08, 0.07, 0.08) == "not apart"


def test_wilson_interval_is_that_of_the_books():
    # 1 of 10, from Wilson's formula with z = 1.96.
    assert tables.wilson(1, 10) == pytest.approx((0.0179, 0.4042), abs=1e-4)
    assert tables.wilson(0, 1000)[0] == 0 and tables.wilson(0, 1000)[1] == pytest.approx(0.00383, abs=1e-5)


def test_shares_differ_only_beyond_chance():
    assert tables.same_share(42, 1000, 42, 1000) == 1
    # z = 0.02 / sqrt(0.05 · 0.95 · 2 / 1000) = 2.052
    assert tables.same_share(40, 1000, 60, 1000) == pytest.approx(0.0402, abs=1e-4)
    assert tables.same_share(0, 10, 0, 10) == 1


def test_status_of_a_figure_is_that_of_its_claims():
    rows = [("Fig. 1: a", "", "", "yes"), ("Fig. 1: b", "", "", True), ("Fig. 2: a", "", "", "yes"),
            ("Fig. 2: b", "", "", "direction only"), ("Fig. 3: a", "", "", "not apart"), ("Fig. 3: b", "", "", False),
            ("Fig. 4: a", "", "", tables.NOT_TESTED), ("Fig. 5: a", "", "", tables.CANNOT_FAIL),
            ("Fig. 6: a", "", "", tables.NOT_TESTED), ("Fig. 6: b", "", "", "yes"), ("Fig. 11: a", "", "", "no"),
            ("Fig. 8: a", "", "", "yes"), ("Fig. 8: b", "", "", "not apart"),
            ("Fig. 9: a", "", "", "not apart"), ("Fig. 9: b", "", "", tables.CANNOT_FAIL)]
    table = tables.statuses({f"Fig. {number}": "why" for number in (1, 2, 3, 4, 5, 6, 7, 8, 9)}, {tables.ARITHMETIC: rows})

    assert [line.split("|")[2].strip() for line in table.splitlines()[2:]] == [
        "as published", "same shape", "not", "not tested (why)", "as published", "as published", "not tested (why)",
        "same shape", "not tested (what was measured shows no difference, either way)"]


def _status(report, name):
    line = next(line for line in report.splitlines() if line.startswith(f"| {name} |"))
    return line.split("|")[2].strip()


def _sheu(folder, k_max_min_throughput, error=0.01):
    lines = ["network,residuals,nodes,k,strategy,requests,paths,max,mean,min,throughput,throughput_ci95,hops,above_k_max,"
             "below_k_max,limit"]
    gains = ["network,residuals,nodes,k,over,measure,gain,gain_ci95,requests,as_many,gain_as_many,gain_as_many_ci95"]
    points = [("waxman", nodes, 3) for nodes in (10, 50)] + [("internet2", 34, 3), ("cernet", 41, 3)]
    for name, nodes, k in points + [("waxman-k", 40, k) for k in range(1, 7)]:
        for strategy, most, least, throughput in (("k-max-min", 55, 45, k_max_min_throughput), ("k-max", 60, 40, 100),
                                                  ("first-k-max", 60, 40, 100), ("shortest", 50, 50, 50),
                                                  ("widest-disjoint", 60, 45, 101)):
            lines.append(f"{name},uniform,{nodes},{k},{strategy},7,2.5,{most},{50 - k},{least},{throughput * k},1,3,0.25,0.5,"
                         f"{102 * k}")
            for measure, gain in (("throughput", k_max_min_throughput / throughput - 1), ("min", 45 / least - 1), ("mean", 0),
                                  ("spread", -0.5), ("hops", 0.1)):
                gains.append(f"{name},uniform,{nodes},{k},{strategy},{measure},{gain},{error if measure != 'mean' else 'NaN'}"
                             if strategy != "shortest" else f"{name},uniform,{nodes},{k},{strategy},{measure},{gain},0.1")
            gains.append(f"{name},uniform,{nodes},{k},{strategy},mean,0,{error}")
    (folder / "sheu.csv").write_text("\n".join(lines) + "\n")
    # Over half of the requests both find as many paths, and the leads are 0.02 there.
    (folder / "sheu-gains.csv").write_text("\n".join(gains[:1] + [f"{line},8,4,0.02,0.001" for line in gains[1:]]) + "\n")
    (folder / "sheu-example.csv").write_text("figure,bottlenecks\n2.5,8/8/4\n2.6,7/8/6\n")
    (folder / "sheu-variants.csv").write_text(
        "network,strategy,m,drops,disjoint,requests,paths,max,mean,min,throughput,hops,sum_gain,sum_gain_ci95,min_gain,"
        "min_gain_ci95\nwaxman,k-max-min,7,true,link,7,2.5,55,50,45,108,3,0,0,0,0\n"
        "waxman,k-max-min-keeping-all,7,false,link,7,2.5,55,50,46,107,3,-0.01,0.005,0.02,0.001\n"
        "waxman,k-max,0,true,node,7,2.25,55,50,44,107,3,-0.01,0.005,0.02,0.001\n")
    # The same requests may stand in both files.
    others = [line for line in lines if not line.startswith("waxman") or line.startswith("waxman,uniform,50")]
    (folder / "sheu-residuals.csv").write_text("\n".join(others) + "\n")
    return sheu.report(folder)


def test_sheu_says_of_bottlenecks_what_comes_out_and_of_throughput_that_it_is_not_tested(tmp_path, drawn):
    untested = "not tested as published"
    better = _sheu(tmp_path, 108)
    # Two points, each ± 1 %: their mean has ± √2/2 %.
    assert _claim(better, "Fig. 3.2: throughput against k-max") == ["+8 %", "+8.0 % ± 0.7", untested]
    assert _claim(better, "Fig. 3.2: throughput against first-k-max") == ["+8 %", "+8.0 % ± 0.7", untested]
    assert _claim(better, "Fig. 3.6: the lead over k-max grows with k") == ["yes", "+8.0 to +48.0 Mbit/s", untested]
    assert {line.split("|")[4].strip() for line in better.splitlines()
            if line.startswith("| Fig. 3") and "throughput " in line and line.count("|") == 5} \
        == {untested}
    assert _claim(better, "Fig. 3.1: spread between best and worst path against k-max") == ["-35 %", "-50.0 % ± 0.7", "yes"]
    assert _claim(better, "Fig. 3.1: the narrowest path is wider than that of k-max")[2] == "yes"
    assert _claim(better, "abstract: fewer hops than k-max") == ["yes", "+10.0 % ± 0.7", "no"]
    assert _claim(better, "Fig. 3.5: the mean path gets narrower")[2] == "yes"
    assert _claim(better, "Fig. 3.5: spread smaller than that of k-max") == ["yes", "at 5 of 5, larger at 0", "yes"]
    assert [_status(better, name) for name in ("Fig. 2.5", "Fig. 2.6", "Fig. 3.1", "Fig. 3.2")] == [
        "as published", "not", "as published",
        "not tested (throughput is measured with iperf there; here it is the sum of bottlenecks, but for --testbed)"]

    assert _claim(better, "the most that any disjoint paths could have") == ["", "+2.0 %", ""]
    assert "under all residuals tried (last table) within 2.0 %" in " ".join(better.split())
    assert "| cernet, uniform | 2.50 : 2.50 : 2.50 | +8.0 % | +1.0 % | +2.0 % |" in better

    assert ("| waxman | `k-max-min-keeping-all` | 7 | no | link | 2.50 | 46.0 | 107.0 | -1.0 % ± 0.5 | +2.0 % ± 0.1 |"
            in better)
    assert "| waxman | `k-max` |  |  | node | 2.25 |" in better, "it has no m"

    assert "| Waxman, over `first-k-max` | 50 % | +2.0 % ± 0.1 |" in better

    worse = _sheu(tmp_path, 90, error=0.9)
    assert _claim(worse, "Fig. 3.4: throughput against k-max") == ["+15 %", "-10.0 % ± 63.6", untested]
    assert _claim(worse, "Fig. 3.1: spread between best and worst path against k-max")[2] == "not apart"
    assert _claim(worse, "Fig. 3.1: the mean path is as wide")[2] == "no", "nor is it known to be similar"
    assert _claim(worse, "Fig. 3.5: spread smaller than that of k-max") == ["yes", "at 0 of 5, larger at 0", "not apart"]
    assert "more throughput than `k-max` in 25.0 % of the requests and less in 50.0 %" in " ".join(worse.split())
    assert sorted(set(drawn)) == [f"sheu-3.{number}.png" for number in range(1, 7)]


def test_gomez_says_what_comes_out(tmp_path, drawn):
    (tmp_path / "gomez-two-routes.csv").write_text(
        "nodes,strategy,graphs,share,share_exact\n"
        "32,link-disjoint,10,0.3,0.4\n32,node-disjoint,10,0.2,0.3\n32,zone-disjoint,10,0.042,\n"
        "64,link-disjoint,10,0.8,0.8\n64,node-disjoint,10,0.9,0.9\n64,zone-disjoint,10,0.1,\n")
    (tmp_path / "gomez-routes-and-hops.csv").write_text("what,strategy,value,count\n" + "".join(
        f"routes,{name},2,{8 if name == 'link-disjoint' else 9}\nroutes,{name},3,{2 if name == 'link-disjoint' else 1}\n"
        f"hops-1,{name},4,10\nhops-2,{name},{hops},10\n"
        for name, hops in (("link-disjoint", 5), ("node-disjoint", 7), ("zone-disjoint", 6))))
    report = gomez.report(tmp_path)

    assert _claim(report, "Fig. 3: zone-disjoint, 32 nodes") == ["4.2 %", "4.2 % (0.4 to 33.4), p = 1.00", "yes"]
    assert _claim(report, "Fig. 3: LD ≥ ND ≥ ZD") == ["yes", "1 of 2", "no"]
    assert _claim(report, "Fig. 4: ND finds three or more")[1:] == ["10.0 % (1.8 to 40.4)", "yes"]
    assert _claim(report, "Fig. 4: ZD never") == ["yes", "10.0 % (1.8 to 40.4) have three", "no"]
    assert _claim(report, "Fig. 4: most routes")[2] == "not apart"
    assert [_status(report, name) for name in ("Fig. 3", "Fig. 4", "Fig. 6")] == [
        "not", "not", "not tested (needs a radio model of 802.11b: --simulator)"]
    assert _claim(report, "Fig. 5: the first route") == ["yes", "4.00 hops", "yes (cannot fail)"]
    assert _claim(report, "Fig. 5: second routes") == ["yes", "5.00 < 7.00 < 6.00", "no"]
    assert report.count("cannot fail") == 1, "of the two claims that hold for every graph and fail here, neither is to hold"
    assert "| 32 | 30.0 % [10.8, 60.3] (40.0 %) | 20.0 % [5.7, 51.0] (30.0 %) |" in report
    assert drawn == ["gomez-3.png", "gomez-4.png", "gomez-5.png"]


def test_multiflow_says_what_comes_out(tmp_path):
    (tmp_path / "multiflow-pruning.csv").write_text(
        "subflow,path,links_left\nSF1.1,1-2-5,4\nSF1.2,1-3-5,2\nSF1.3,1-2-5,0\nSF1.4,none,0\nSF2.1,1-2-5,4\n")
    (tmp_path / "multiflow-packet-cost.csv").write_text(
        "packet,parse_us,parse_error_us,answer_us,answer_error_us\nplain,1,0,1,0\ncapable,3,0,4,0\njoin,2,0,5,0\n")
    (tmp_path / "multiflow-as-published.csv").write_text("subflow,path\nSF1.1,1-2-5\nSF1.2,1-2-5\n")
    (tmp_path / "multiflow-shares.csv").write_text(
        'figure,setting,share\n8,three TCP on one path,3.33333\n8,three MPTCP on three paths,10\n')
    report = multiflow.report(tmp_path)

    assert _claim(report, "Fig. 8: three TCP") == ["4.06", "3.33 in fair shares", "not tested as published"]
    assert "| 8 | three TCP on one path | 3.33 |" in report
    assert _status(report, "Fig. 8").startswith("not tested (needs transfers")
    assert _claim(report, "Fig. 4: SF1.1, SF1.2 and SF1.3") == ["yes", "2 paths", "no"]
    assert _claim(report, "Fig. 9: no MPTCP option < MP_CAPABLE, parsing") == [
        "yes", "1.00 ± 0.00 against 3.00 ± 0.00 µs", "yes"]
    assert _claim(report, "Fig. 9: MP_CAPABLE < MP_JOIN, parsing") == ["yes", "3.00 ± 0.00 against 2.00 ± 0.00 µs", "no"]
    assert _claim(report, "Fig. 9: MP_CAPABLE < MP_JOIN, with finding a route")[2] == "yes"

    costs = tmp_path / "multiflow-packet-cost.csv"
    costs.write_text(costs.read_text().replace("join,2,0,5,0", "join,2,1.5,5,0.5").replace("3,0,4,0", "3,0,4,0.6"))
    report = multiflow.report(tmp_path)
    assert _claim(report, "Fig. 9: no MPTCP option < MP_CAPABLE, parsing")[2] == "yes"
    assert _claim(report, "Fig. 9: MP_CAPABLE < MP_JOIN, parsing")[2] == "not apart"
    assert _claim(report, "Fig. 9: MP_CAPABLE < MP_JOIN, with finding a route")[2] == "not apart"
    assert _status(report, "Fig. 9") == "same shape"


def test_smptcp_says_what_comes_out(tmp_path):
    (tmp_path / "smptcp-dinic.csv").write_text(
        "k,vertices,links,ours_us,ours_error_us,jgrapht_us,jgrapht_error_us\n4,36,48,1,0,100,0\n8,208,384,2,0,500,0\n"
        "16,1344,3072,5,0,9000,0\n32,9472,24576,42.78041,0,100000,0\n")
    (tmp_path / "smptcp-shares.csv").write_text(
        "capacities,allocator,connection_1,connection_2,connection_3\n4/10/12/10,max-min,12,12,12\n"
        "4/10/12/10,smptcp,11.5,12,12\n")
    (tmp_path / "smptcp-family.csv").write_text(
        "allocator,capacities,twelve_each,worst_mbps\nmax-min,7,7,0\nsmptcp,7,5,1.25\n")
    report = smptcp.report(tmp_path)

    assert _claim(report, "Table 2: the same with `max-min`") == ["yes", "7 of 7", "yes"]
    assert _claim(report, "Table 2: the same with `smptcp`") == ["yes", "5 of 7", "no"]
    assert [_status(report, name) for name in ("Table 2", "Table 4")] == [
        "not", "as published; times not tested (another machine)"]
    assert _claim(report, "Table 4: vertices and links")[2] == "yes"
    assert _claim(report, "Table 4: milliseconds at k = 32") == ["427.8", "0.0428", "another machine"]
    assert _claim(report, "Fig. 1: every connection gets 12 Mbit/s with `max-min`")[2] == "yes"
    assert _claim(report, "Fig. 1: every connection gets 12 Mbit/s with `smptcp`") == ["yes", "0.5000 off at most", "no"]


def test_alarms_of_smptcp_are_more_as_printed_and_fewer_with_beta_on_the_other_side():
    assert smptcp.alarms(1, 1) < smptcp.alarms(2, 1)
    assert smptcp.alarms(1, 1) > smptcp.alarms(1, 2)


def test_emptcp_says_what_comes_out(tmp_path):
    (tmp_path / "emptcp-paths.csv").write_text("servers,paths\nsame pod,4\nother pod,16\n")
    (tmp_path / "emptcp-triangle.csv").write_text("allocator,flow_mbps\nmax-min,30\nproportional,30\nsmptcp,20\n")
    report = emptcp.report(tmp_path)

    assert _claim(report, "Fig. 2: each flow can have 30 Mbit/s, `max-min`")[2] == "yes"
    assert _status(report, "Fig. 2") == "as published", "the heuristic says nothing about what is possible"
    assert _claim(report, "Fig. 5: α of both paths")[2] == "yes"
    assert _claim(report, "Fig. 5: marks cut the slow path more") == ["yes", "44 % fast, 14 % slow", "no"]
    assert _claim(report, "simulation: 16 paths") == ["16", "4", "no"]
    assert "| 1.0 | 50 %, 50 % | 50 %, 50 % |" in report


def test_cut_by_marks_is_half_at_most_and_more_on_the_slow_path_with_the_reciprocal():
    fast, slow = (emptcp.cut(0.5, (5, 50), path, True) for path in (0, 1))
    assert fast < slow < 0.5
    assert emptcp.cut(1, (5, 50), 0, False) == 0.5


def test_growth_is_drawn_series_by_series_with_peers_where_they_are_measured(tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr(plots, "beside", lambda path, *words: drawn.append((path, words[-1])))
    points = [{"size": 10, "ours": 1.5, "peerScore": 4}, {"size": 30, "ours": 5}]
    entries = [{"name": "zeta-1000"}, {"name": "growth-max-min", "size": "connections", "exponent": 1.1, "points": points},
               {"name": "growth-paths", "size": "nodes", "exponent": 0.5, "points": points[1:]}]
    assert growth.draw(entries, tmp_path / "g.png")
    (path, (first, second)), = drawn
    assert path == tmp_path / "g.png"
    assert first[0] == "max-min, by connections: 1.10" and first[1][3:] == ([10, 30], [1.5, 5]) and first[2][3:] == ([10], [4])
    assert second[2] is None
    assert not growth.draw(entries[:1], tmp_path / "g.png")


def _network(folder, settled):
    """All files of the report: the default reaches ``settled`` after its moves, everything else half of the bound."""
    head = ("topology,connections,seed,strategy,first_sum,first_smallest,first_mean,sum,smallest,mean,moves,arrival_ms,"
            "moves_ms\n")
    for name in ("os3e", "cernet", "waxman", "fattree"):
        lines = [f"{name},{size},{seed},{strategy},0.5,0.4,0.45,{part + (seed - 1.5) / 50},0.98,0.9,{moves * size},1.5,20"
                 for size in (8, 16, 24, 48) for seed in (1, 2)
                 for strategy, part, moves in (("widest-disjoint", settled, 0.5), ("ecmp", 0.5, 0))]
        (folder / f"network-{name}.csv").write_text(head + "\n".join(lines) + "\n")
    return network.report(folder)


def test_network_says_which_aims_are_met_and_has_every_strategy(tmp_path, drawn):
    report = _network(tmp_path, 0.94)
    # 0.93 and 0.95 by turns, 18 values: deviation 0.0103, so ± 1.96 · 0.0103 / √18.
    assert _claim(report, "sum, 8, 16, 24 connections") == ["0.92", "0.940 ± 0.005", "met"]
    assert _claim(report, "sum, 16, 24 connections")[2] == "not met"
    assert _claim(report, "smallest share, 16, 24 connections") == ["0.97", "0.980 ± 0.000", "met"]
    assert ("| `widest-disjoint` | 0.50 | 0.40 | 0.45 | 0.940 ± 0.004 | 0.980 ± 0.000 | 0.900 ± 0.000 | 0.50 | 1.5 | 20 |"
            in report)
    assert report.count("| `ecmp` |") == 1 + 4 * 4, "once over all, and for each topology and number"
    assert drawn == ["network-sum.png", "network-smallest.png", "network-mean.png"]
    assert "not met" not in _network(tmp_path, 0.96)


def _measured(folder, topology):
    rows = [{"name": name, "goodputMbps": [25.0, 26.0], "rttMillis": [8.0, 8.0], "retransmittedPercent": [0.5, 0.5],
             "fairness": [0.9, 0.9]} for name in ("smptcp", "emptcp", "emptcp-published", "cubic")]
    (folder / f"windows-{topology}.json").write_text(json.dumps(
        {"topology": topology, "transfers": 3, "seconds": 12, "udpMbps": 2.0, "load": 1.0, "windows": rows}))


def test_window_controls_stand_beside_those_of_kernels_if_they_were_measured(tmp_path):
    assert "Not measured" in windows.section(tmp_path, "smptcp")
    _measured(tmp_path, "fig1")
    found = windows.section(tmp_path, "emptcp")
    names = [line.split("`")[1] for line in found.splitlines() if line.startswith("| `")]
    assert names == ["emptcp", "emptcp-published", "cubic"]
    assert "2 runs" in found and "| 25.5 ± 6.4 | 8.0 ± 0.0 | 0.50 ± 0.00 | 0.900 ± 0.000 |" in found
    assert "`fig1`" in found and "`diamond`" not in found
