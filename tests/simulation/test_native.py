# SPDX-License-Identifier: Apache-2.0
"""The agent's congestion controls, compiled for this machine with headers in place of the kernel's, without a simulator."""

import ctypes

import pytest

from simulator import building

INIT, ACK_EVENT, ACKED, GROW, THRESHOLD, STATE, RELEASE = range(7)
RECOVERY, INFINITE = 3, 2 ** 31 - 1


class Simulated(ctypes.Structure):
    """``struct simulated``."""

    _fields_ = [(name, ctypes.c_uint32) for name in (
        "mss", "prior_cwnd", "max_packets_out", "snd_nxt", "snd_una", "delivered", "delivered_ce", "srtt_us8", "is_cwnd_limited",
        "cwnd", "ssthresh")] + [("now_us", ctypes.c_uint64)]


class Table(ctypes.Structure):
    """``struct simulated_control``."""

    _fields_ = [("needs_marks", ctypes.CFUNCTYPE(ctypes.c_int)),
                ("make", ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_uint16,
                                          ctypes.c_uint32)),
                ("call", ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(Simulated),
                                          ctypes.c_uint32)),
                ("end", ctypes.CFUNCTYPE(None, ctypes.c_void_p))]


class Subflow:
    """A subflow in congestion avoidance whose window is always full."""

    def __init__(self, table, connection, number, cwnd, rtt_us=20_000, expected=0):
        self._table = table
        self._of = table.make(connection, 0x0100000a, 0x0200000a + number, 1000 + number, expected)
        self.now = Simulated(mss=1428, prior_cwnd=cwnd, max_packets_out=cwnd, srtt_us8=8 * rtt_us, is_cwnd_limited=1, cwnd=cwnd,
                             ssthresh=cwnd, now_us=1)
        self.call(INIT)

    def call(self, what, x=0):
        return self._table.call(self._of, what, ctypes.byref(self.now), x)

    def acked(self, packets, rtt_us=20_000):
        self.now.delivered += packets
        self.now.snd_una += packets * 1428
        self.now.now_us += rtt_us
        self.call(ACK_EVENT)
        self.call(ACKED, rtt_us)
        self.call(GROW, packets)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("controls")


@pytest.fixture(scope="module")
def table(folder):
    made = {}

    def load(name):
        if name not in made:
            made[name] = ctypes.CDLL(building.control(name, folder))
        return Table.in_dll(made[name], "simulated_control")
    return load


def test_every_control_is_compiled_from_the_source_that_kernels_run(folder):
    for name in building.CONTROLS:
        assert Table.in_dll(ctypes.CDLL(building.control(name, folder)), "simulated_control").needs_marks() \
            == name.startswith("emptcp"), name


def test_reno_grows_by_a_packet_in_a_round_and_lia_by_one_for_both_subflows(table):
    grown = {}
    for name in ("reno", "lia"):
        both = [Subflow(table(name), 4096, number, 100) for number in range(2)]
        for _ in range(10):
            for one in both:
                for _ in range(50):
                    one.acked(2)
        grown[name] = sum(one.now.cwnd for one in both) - 200
    assert 18 <= grown["reno"] <= 20
    # On equal paths: (w / r^2) / (2 w / r)^2 for each packet, a quarter of Reno's growth.
    assert 4 <= grown["lia"] <= 5


def test_other_connections_are_no_siblings(table):
    alone, other = Subflow(table("lia"), 8192, 0, 100), Subflow(table("lia"), 12288, 1, 100)
    for _ in range(50):
        alone.acked(2)
        other.acked(2)
    for _ in range(50):
        alone.acked(2)
    assert alone.now.cwnd == 101


def test_a_window_that_is_not_used_does_not_grow(table):
    idle = Subflow(table("reno"), 16384, 0, 100)
    idle.now.is_cwnd_limited = 0
    for _ in range(200):
        idle.acked(2)
    assert idle.now.cwnd == 100


def test_a_loss_halves_and_one_of_emptcp_does_though_marks_take_less(table):
    assert Subflow(table("lia"), 20480, 0, 40).call(THRESHOLD) == 20
    marked = Subflow(table("emptcp"), 24576, 0, 40)
    for _ in range(40):
        marked.acked(40)
    taken = 40 - marked.call(THRESHOLD)
    assert taken <= 10, "a small part of marks"
    marked.now.prior_cwnd = 40
    marked.call(STATE, RECOVERY)
    assert marked.now.ssthresh == 20


@pytest.mark.parametrize("control", ["smptcp", "smptcp-published"])
def test_smptcp_divides_growth_above_what_is_expected(table, control):
    grown = {}
    for expected in (0, 1000):
        one = Subflow(table(control), 28672 + expected * 8, 0, 100, expected=expected)
        for _ in range(20):
            for _ in range(25):
                one.now.snd_nxt = one.now.snd_una + 100 * 1428
                one.acked(4)
        grown[expected] = one.now.cwnd - 100
    assert grown[0] >= 15 and grown[1000] <= grown[0] / 4


def test_macros_of_a_name_are_compiled_in(folder):
    assert building.control("smptcp:ALPHA=1", folder) != building.control("smptcp", folder)
