# SPDX-License-Identifier: Apache-2.0
"""The arithmetic of the window controls, the same C as in BPF, against floating point and the examples of both papers."""

import ctypes
import random
import subprocess

import pytest

from mptcpagent import compiling

ONE = 1 << 16
EVERYTHING = """\
typedef unsigned int __u32;
typedef unsigned long long __u64;
#include "window.h"
__u32 queued(__u32 window, __u32 base, __u32 rtt) { return queued_packets(window, base, rtt); }
__u32 alert(__u32 rate, __u32 base, __u32 mss) { return alert_window(rate, base, mss); }
int alerts(__u32 queued, __u32 before) { return is_alert(queued, before); }
__u64 rate(__u32 packets, __u32 mss, __u64 time) { return rate_of(packets, mss, time); }
__u32 power(__u32 fraction, __u32 exponent) { return power_of(fraction, exponent); }
__u32 part(__u32 packets, __u32 all) { return part_of(packets, all); }
__u32 smooth(__u32 marked, __u32 of_round) { return smoothed(marked, of_round); }
__u32 tau(const struct member *members, __u32 rtt, int published) { return tau_of(members, rtt, published); }
__u32 needed(const struct member *members, __u32 rtt, __u32 window) { return packets_for_one(members, rtt, window); }
__u32 grows(__u32 *kept, __u32 acked, __u32 needed) { return grown(kept, acked, needed); }
__u32 after(__u32 window, __u32 marked, __u32 tau) { return marked_window(window, marked, tau); }
"""


class Member(ctypes.Structure):
    """``struct member``."""

    _fields_ = [("owner", ctypes.c_uint32), ("window", ctypes.c_uint32), ("rtt_us", ctypes.c_uint32),
                ("between", ctypes.c_uint32)]


@pytest.fixture(scope="module")
def window(tmp_path_factory):
    folder = tmp_path_factory.mktemp("window")
    (folder / "all.c").write_text(EVERYTHING)
    subprocess.run(["clang", "-O2", "-shared", "-fPIC", "-Wall", "-Werror", f"-I{compiling.FOLDER}",
                    str(folder / "all.c"), "-o", str(folder / "all.so")], check=True)
    library = ctypes.CDLL(str(folder / "all.so"))
    library.rate.restype = ctypes.c_uint64
    library.rate.argtypes = [ctypes.c_uint32, ctypes.c_uint32, ctypes.c_uint64]
    for name in ("queued", "alert", "power", "part", "smooth", "tau", "needed", "after"):
        getattr(library, name).restype = ctypes.c_uint32
    return library


def members(*windows_and_rtts):
    """Eight places, of which the first are taken by subflows with these windows and round-trip times in milliseconds."""
    return (Member * 8)(*(Member(1, packets, int(rtt * 1000)) for packets, rtt in windows_and_rtts))


@pytest.mark.parametrize("packets, base, rtt, waiting", [
    (20, 10000, 20000, 10), (20, 10000, 10000, 0), (20, 10000, 9000, 0), (8, 3000, 4000, 2), (60000, 1, 10_000_000, 60000)])
def test_the_queue_is_what_the_window_has_above_the_path(window, packets, base, rtt, waiting):
    assert window.queued(packets, base, rtt) == pytest.approx(16 * waiting, abs=1)


def test_an_alert_needs_a_queue_that_does_not_become_shorter(window):
    assert window.alerts(32, 16) and window.alerts(32, 32)
    assert not window.alerts(16, 32)
    assert not window.alerts(0, 0) and not window.alerts(8, 4)


@pytest.mark.parametrize("mbps, base_millis, packets", [(12, 30, 28), (6, 100, 47), (6, 1, 2), (0.1, 20, 2), (1000, 500, 39390)])
def test_an_alert_leaves_nine_tenths_of_what_the_rate_needs(window, mbps, base_millis, packets):
    assert window.alert(int(mbps * 125_000), base_millis * 1000, 1428) == packets


def test_a_rate_is_bytes_by_time(window):
    assert window.rate(100, 1428, 100_000) == 1_428_000
    assert window.rate(2 ** 32 - 1, 1500, 1000) > 2 ** 50
    assert window.rate(5, 1428, 0) == 0


@pytest.mark.parametrize("exponent", [0.004, 0.18, 0.55, 1, 1.82, 5.5, 20])
def test_powers(window, exponent):
    for fraction in [*range(1, 600), *range(600, ONE, 611), ONE - 1]:
        exact = (fraction / ONE) ** exponent
        assert window.power(fraction, int(exponent * ONE)) / ONE == pytest.approx(exact, abs=0.002), fraction
    assert (window.power(0, ONE), window.power(ONE, 7 * ONE)) == (0, ONE)


def test_marks_are_smoothed(window):
    marked = ONE
    for _ in range(200):
        marked = window.smooth(marked, 0)
    assert marked < ONE / 1000
    for _ in range(200):
        marked = window.smooth(marked, ONE // 2)
    assert marked == pytest.approx(ONE / 2, rel=0.01)
    assert (window.part(1, 4), window.part(5, 4), window.part(0, 4)) == (ONE // 4, ONE, 0)


def test_the_paper_s_two_paths_grow_by_their_round_trip_times(window):
    """5 and 50 ms: alpha is 20/11 and 2/11."""
    both = members((10, 5), (40, 50))
    rate = 10 / 5 + 40 / 50
    assert 16 / window.needed(both, 5000, 10) == pytest.approx(20 / 11 / (5 * rate), rel=0.02)
    assert 16 / window.needed(both, 50000, 40) == pytest.approx(2 / 11 / (50 * rate), rel=0.02)


@pytest.mark.parametrize("packets", [2, 10, 300])
def test_a_single_subflow_grows_as_reno_does(window, packets):
    assert window.needed(members((packets, 20)), 20000, packets) == pytest.approx(16 * packets, rel=0.01)
    assert window.needed(members(), 20000, packets) == 16 * packets


def test_growth_stays_within_bounds_for_extreme_paths(window):
    extreme = members((1, 0.001), (2 ** 20, 60_000))
    assert 1 <= window.needed(extreme, 1, 1) < 2 ** 31
    assert 1 <= window.needed(extreme, 60_000_000, 2 ** 20) < 2 ** 31


@pytest.mark.parametrize("published, fast, slow", [(0, 0.0110, 0.3416), (1, 0.4408, 0.1418)])
def test_marks_cut_the_slow_path_more_and_as_published_the_fast_one(window, published, fast, slow):
    """5 and 50 ms, half of the packets marked: the paper's text wants the path with the longer time cut more."""
    both = members((1000, 5), (1000, 50))
    for rtt, cut in ((5000, fast), (50000, slow)):
        left = window.after(1000, ONE // 2, window.tau(both, rtt, published))
        assert 1 - left / 1000 == pytest.approx(cut, abs=0.003), rtt


@pytest.mark.parametrize("published", [0, 1])
def test_all_marks_halve_and_no_marks_leave_the_window(window, published):
    both = members((100, 5), (100, 50))
    for rtt in (5000, 50000):
        exponent = window.tau(both, rtt, published)
        assert (window.after(100, ONE, exponent), window.after(100, 0, exponent)) == (50, 100)
    assert window.after(2, ONE, ONE) == 2


def test_growth_keeps_the_remainder_as_linux_does(window):
    draw = random.Random(7)
    for _ in range(200):
        needed, kept, grew, acked = draw.randint(1, 500), ctypes.c_uint32(), 0, 0
        for _ in range(100):
            more = draw.randint(0, 60)
            acked += more
            grew += window.grows(ctypes.byref(kept), more, needed)
        assert (grew, kept.value) == divmod(acked, needed)


def test_what_was_saved_up_for_a_larger_window_is_one_packet(window):
    kept = ctypes.c_uint32(90)
    assert (window.grows(ctypes.byref(kept), 3, 10), kept.value) == (1, 3)
