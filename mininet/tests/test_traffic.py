# SPDX-License-Identifier: Apache-2.0
"""Traffic of a file: what is read, and what is refused."""

import pytest

from mptcplab import topology, traffic
from mptcplab.errors import UsageError
from mptcplab.traffic import Arrival

OS3E = topology.load("os3e")
DIAMOND = topology.load("diamond")


def file(tmp_path, *lines):
    path = tmp_path / "traffic.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def test_arrivals_are_in_the_order_of_time(tmp_path):
    found = traffic.read(file(tmp_path, "at,source,target,bytes,weight", "2.5,5,1,1e6,1", "0,1,5,2000,"), DIAMOND)
    assert found == [Arrival(0.0, "s1", "s5", size=2000), Arrival(2.5, "s5", "s1", size=1_000_000)]


def test_a_matrix_has_rates(tmp_path):
    assert traffic.read(file(tmp_path, "source, target, mbps", "1, 5, 2.5"), DIAMOND) == [Arrival(0.0, "s1", "s5", mbps=2.5)]


DEMANDS = """\
?SNDlib native format; type: network; version: 1.0
NODES (
  A ( 7.0 47.0 )
  B ( 8.0 47.5 )
)
LINKS (
  L1 ( A B ) 622.0 0.0 0.0 0.0 ( )
)
DEMANDS (
  D1 ( A B ) 1 12.5 UNLIMITED
)
"""


def test_demands_of_sndlib_are_a_matrix(tmp_path):
    network = tmp_path / "network.txt"
    network.write_text(DEMANDS, encoding="utf-8")
    found = traffic.read(str(network), topology.load(str(network)), str(network))
    assert found == [Arrival(0.0, "s1", "s2", mbps=12.5)]
    with pytest.raises(UsageError, match="give its file, too, as --topology FILE"):
        traffic.read(str(network), DIAMOND, "diamond")


def test_there_are_hosts_where_something_is_sent(tmp_path):
    found = traffic.read(file(tmp_path, "at,source,target,bytes", "0,Chicago,Houston,1", "1,Houston,Chicago,1",
                              "2,Chicago,Houston,1"), OS3E)
    built = traffic.attached(OS3E, found)
    chicago, houston = (next(s for s, label in OS3E.labels.items() if label == name) for name in ("Chicago", "Houston"))
    assert built.pairs == ((chicago, houston), (houston, chicago)) and built.connections == 2
    assert built.links == OS3E.links


@pytest.mark.parametrize("lines, says", [
    (["a,b"], "the first line must name the columns"), (["at,source,target,bytes"], "has 0 transfers"),
    (["at,source,target,bytes", "0,1,x,5"], "line 2: x is no node"), (["at,source,target,bytes", "0,1,1,5"], "1 sends to itself"),
    (["at,source,target,bytes", "-1,1,5,5"], "at is -1"), (["at,source,target,bytes", "0,1,5,nan"], "bytes is nan"),
    (["at,source,target,bytes", "0,1,5"], "mbps is missing"), (["source,target,mbps", "1,5,0"], "mbps is 0"),
    (["at,source,target,bytes"] + ["0,1,5,1"] * 1001, "has 1001 transfers")])
def test_what_is_wrong_is_told_with_its_line(tmp_path, lines, says):
    with pytest.raises(UsageError, match=says):
        traffic.read(file(tmp_path, *lines), DIAMOND)


def test_what_one_machine_cannot_carry_is_refused():
    with pytest.raises(UsageError, match="101 pairs of nodes: the testbed has hosts for 100"):
        traffic.attached(OS3E, [Arrival(0, f"s{n % 20 + 1}", f"s{n // 20 + 21}", size=1) for n in range(101)])
    with pytest.raises(UsageError, match="without a router"):
        traffic.attached(topology.load("edge"), [Arrival(0, "s1", "s5", size=1)])


def test_a_table_says_what_failed_and_how_late_all_began():
    told = traffic.table({"run": {"load": 1.0, "stolenPercent": 5.0}, "transfers": [
        {"at": 0.0, "source": "a", "target": "b", "bytes": 1000, "mbps": None, "begunSecond": 0.1, "completionSeconds": 2.0,
         "goodputMbps": 1.0},
        {"at": 1.0, "source": "a", "target": "b", "bytes": None, "mbps": 3.0, "begunSecond": 1.0, "completionSeconds": None,
         "goodputMbps": None, "failed": "iperf3 did not end"}]})
    assert "failed: iperf3 did not end" in told and "1 of 2 transfers, mean 2.00 s; they began 100 ms later" in told
    assert "5.0 % of the processors' time stolen\n marked: more than 3 %" in told
