# SPDX-License-Identifier: Apache-2.0
"""Reading counters: what is taken from the tools' output, and means over a window of time."""

import pytest

from mptcplab import sampling

RULES = """\
OFPST_FLOW reply (OF1.3) (xid=0x2):
 cookie=0x737562666c6f7701, duration=9.9s, table=0, n_packets=2, n_bytes=148, send_flow_rem priority=10,tcp,vlan_tci=0x0000/0x1fff,tcp_flags=+syn actions=CONTROLLER:256,goto_table:1
 cookie=0x1, duration=8.1s, table=1, n_packets=10, n_bytes=15140, priority=100,tcp,in_port=2,nw_src=10.0.0.1,nw_dst=10.0.0.2,tp_src=4000,tp_dst=5201 actions=output:1
 cookie=0x2, duration=8.1s, table=1, n_packets=3, n_bytes=198, send_flow_rem priority=100,tcp,in_port=1,nw_src=10.0.0.2,nw_dst=10.0.0.1,tp_src=5201,tp_dst=4000 actions=output:2
 cookie=0x3, duration=9.9s, table=1, n_packets=1, n_bytes=60, priority=20,tcp actions=CONTROLLER:65535
 cookie=0x4, duration=9.9s, table=1, n_packets=1, n_bytes=60, priority=10,in_port=1,dl_dst=00:00:00:00:00:02 actions=output:2
"""  # noqa: E501 (as the tool prints it)


def test_only_exact_tcp_rules_count(monkeypatch):
    monkeypatch.setattr(sampling, "run", lambda *_: RULES)
    assert sampling.flow_bytes("s1") == {("10.0.0.1:4000", "10.0.0.2:5201"): 15140,
                                         ("10.0.0.2:5201", "10.0.0.1:4000"): 198}


def test_what_crosses_a_router_counts_once_in_a_switch(monkeypatch):
    rule = ("n_bytes={},priority=100,tcp,in_port=2,dl_src={},dl_dst={},nw_src=10.0.0.1,nw_dst=10.1.0.2,tp_src=4000,tp_dst=5201"
            " actions=output:1")
    macs = ["00:00:00:00:00:01", "00:00:00:00:00:05", "00:00:00:00:00:02"]
    monkeypatch.setattr(sampling, "run", lambda *_: "\n".join([rule.format(900, *macs[:2]), rule.format(100, *macs[:2]),
                                                               rule.format(990, *macs[1:])]))
    assert sampling.flow_bytes("s5") == {("10.0.0.1:4000", "10.1.0.2:5201"): 1000}


class Host:
    name = "h1"

    def __init__(self, out):
        self._out = out

    def pexec(self, _):
        return self._out, "", 0


def test_subflows_are_told_from_plain_tcp():
    out = ("0 0 10.0.1.1%h1-eth0:38847 10.0.0.2:5201 reno rto:204 "
           "bytes_sent:1000 bytes_acked:1000 bytes_received:100 tcp-ulp-mptcp flags:Jjec token:1(id:0)/3(id:1)\n"
           "0 0 10.0.0.1:47096 10.0.0.2:5201 reno rto:204 tcp-ulp-mptcp flags:Mmec token:0(id:0)/2(id:0)\n"
           "0 0 10.0.0.1:22 10.0.0.9:40000 reno rto:204\n")
    assert sampling.kernel_connections(Host(out)) == [
        (1100, [("10.0.1.1:38847", "10.0.0.2:5201")]), (0, [("10.0.0.1:47096", "10.0.0.2:5201")])]
    assert sampling.kernel_subflows(Host(out)) == [("10.0.0.1:47096", "10.0.0.2:5201"),
                                                   ("10.0.1.1:38847", "10.0.0.2:5201")]


@pytest.fixture
def sampler(monkeypatch):
    """A sampler that is driven by hand: set ``.now`` to (time, bytes), then call ``.take()``."""
    made = sampling.Sampler([])
    monkeypatch.setattr(sampling, "sent_bytes", lambda: {"s1-eth1": made.now[1]})
    monkeypatch.setattr(sampling.time, "monotonic", lambda: made.now[0])

    def take(when, count):
        made.now = (when, count)
        made._sample()
    made.take = take
    return made


def test_mean_over_a_window(sampler):
    for second in range(10):
        sampler.take(second, 1_250_000 * second)
    assert sampler.rate(("s1-eth1",), 4, 9) == pytest.approx(10.0)


def test_a_counter_that_began_anew_loses_nothing(sampler):
    for second, count in enumerate([0, 1_250_000, 2_500_000, 1_250_000, 2_500_000]):
        sampler.take(second, count)
    assert sampler.rate(("s1-eth1",), 0, 4) == pytest.approx(10.0)


def test_unknown_counters_and_empty_windows_are_nothing(sampler):
    sampler.take(0, 0)
    assert sampler.rate(("s9-eth9",), 0, 1) == 0
    assert sampler.rate(("s1-eth1",), 5, 6) == 0
