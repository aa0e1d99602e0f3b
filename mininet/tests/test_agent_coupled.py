# SPDX-License-Identifier: Apache-2.0
"""The coupled congestion controls, the same C as in BPF, against the formulas of their papers in floating point."""

import ctypes
import math
import random
import re
import subprocess

import pytest

from mptcpagent import compiling, windows

MOST_WINDOW, LEAST_RTT_US, MOST_RTT_US = (1 << 20) - 1, 16, (1 << 27) - 1
PACKET, ONE = 1 << 32, 1 << 16
BY_LOSSES = ("lia", "olia", "balia", "ewtcp", "ewtcp-published", "coupled", "semicoupled")
NEAR = 0.005
"""Of a packet a round: so far growth may be from the formula."""


class Member(ctypes.Structure):
    """``struct member``."""

    _fields_ = [("owner", ctypes.c_uint32), ("window", ctypes.c_uint32), ("rtt_us", ctypes.c_uint32),
                ("between", ctypes.c_uint32)]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Name of a congestion control → its functions."""
    folder = tmp_path_factory.mktemp("coupled")

    def build(name, functions):
        program, _, published = name.partition("-")
        (folder / f"{name}.c").write_text(f'#include "{program}.bpf.c"\n{functions}')
        subprocess.run(["clang", "-O2", "-shared", "-fPIC", "-Wall", "-Werror", f"-I{compiling.FOLDER}",
                        f"-DPUBLISHED={int(bool(published))}", f"{folder}/{name}.c", "-o", f"{folder}/{name}.so"], check=True)
        return ctypes.CDLL(f"{folder}/{name}.so")
    found = {}
    for name in BY_LOSSES:
        found[name] = build(name, "__s64 grows(const struct member *all, __u32 own) { return growth(all, own); }\n"
                            "__u32 leaves(const struct member *all, __u32 own) { return left(all[own].window, all, own); }\n")
        found[name].grows.restype, found[name].leaves.restype = ctypes.c_int64, ctypes.c_uint32
    found["wvegas"] = build("wvegas", "__u32 target(const struct member *all, __u32 own) { return target_of(all, own); }\n"
                            "__u32 empty(__u32 w, __u32 base, __u32 rtt) { return unqueued(w, base, rtt); }\n"
                            "int drains(__u32 queue, __u32 least) { return is_to_drain(queue, least); }\n")
    return found


def members(*subflows, places=None):
    """Eight places; ``subflows``: (window, round-trip time in µs, packets between losses), in the first ones or in ``places``."""
    all_of_them = (Member * 8)()
    for place, (window, rtt_us, *between) in zip(places or range(8), subflows):
        all_of_them[place] = Member(1, window, rtt_us, *between)
    return all_of_them


def drawn(draw):
    """A random state: subflows as `members` takes them, their places, and which one is asked."""
    count = draw.randint(1, 8)
    subflows = [tuple(round(math.exp(draw.uniform(math.log(least), math.log(most))))
                      for least, most in ((1, MOST_WINDOW), (64, 2e6), (1, 1 << 20))) for _ in range(count)]
    return subflows, draw.sample(range(8), count), draw.randrange(count)


def states(number, seed=6356):
    draw = random.Random(seed)
    return [drawn(draw) for _ in range(number)]


def rates(subflows):
    return [window / rtt_us for window, rtt_us, *_ in subflows]


def lia(subflows, own):
    steepest = max(window / rtt_us ** 2 for window, rtt_us, _ in subflows)
    return min(steepest / sum(rates(subflows)) ** 2, 1 / subflows[own][0])


def qualities(subflows):
    return [between / rtt_us ** 2 for _, rtt_us, between in subflows]


def olia(subflows, own):
    window, rtt_us, _ = subflows[own]
    widest = {i for i, one in enumerate(subflows) if one[0] == max(w for w, *_ in subflows)}
    best = {i for i, quality in enumerate(qualities(subflows)) if quality == max(qualities(subflows))}
    alpha = 0.0
    if best - widest:
        part = 1 / len(subflows)
        alpha = part / len(best - widest) if own in best - widest else -part / len(widest) if own in widest else 0.0
    return window / rtt_us ** 2 / sum(rates(subflows)) ** 2 + alpha / window


def balia_alpha(subflows, own):
    return max(rates(subflows)) / rates(subflows)[own]


def balia(subflows, own):
    rate, alpha = rates(subflows)[own], balia_alpha(subflows, own)
    return rate / subflows[own][1] / sum(rates(subflows)) ** 2 * (1 + alpha) / 2 * (4 + alpha) / 5


EXACT = {"lia": lia, "olia": olia, "balia": balia,
         "ewtcp": lambda subflows, own: 1 / subflows[own][0] / len(subflows) ** 2,
         "ewtcp-published": lambda subflows, own: 1 / subflows[own][0] / math.sqrt(len(subflows)),
         "coupled": lambda subflows, own: 1 / sum(window for window, *_ in subflows),
         "semicoupled": lambda subflows, own: 1 / sum(window for window, *_ in subflows)}


def is_close_call(subflows):
    """Whether two subflows are best but for rounding."""
    first, *others = sorted(qualities(subflows), reverse=True)
    return any(0 < first - other < 0.02 * first for other in others)


@pytest.mark.parametrize("name", BY_LOSSES)
def test_growth_is_that_of_the_formula_in_random_states(built, name):
    for subflows, places, own in states(3000):
        if name == "olia" and is_close_call(subflows):
            continue
        grows = built[name].grows(members(*subflows, places=places), places[own])
        assert grows / PACKET == pytest.approx(EXACT[name](subflows, own), abs=NEAR / subflows[own][0]), (subflows, own)


@pytest.mark.parametrize("name", [name for name in BY_LOSSES if name not in ("balia", "coupled")])
def test_a_loss_halves(built, name):
    for subflows, places, own in states(50):
        assert built[name].leaves(members(*subflows, places=places), places[own]) == subflows[own][0] // 2


def test_a_loss_of_balia_takes_by_how_slow_the_subflow_is(built):
    for subflows, places, own in states(3000):
        window = subflows[own][0]
        left = window - window / 2 * min(balia_alpha(subflows, own), 1.5)
        assert built["balia"].leaves(members(*subflows, places=places), places[own]) == pytest.approx(left, abs=1 + NEAR * window)


def test_a_loss_of_coupled_takes_half_of_all_windows(built):
    assert built["coupled"].leaves(members((30, 10_000), (10, 10_000)), 0) == 10
    assert built["coupled"].leaves(members((30, 10_000), (10, 10_000)), 1) == 0


@pytest.mark.parametrize("name", BY_LOSSES)
@pytest.mark.parametrize("packets", [1, 2, 10, 3000, MOST_WINDOW])
def test_a_single_subflow_is_a_tcp(built, name, packets):
    alone = members((packets, 20_000, 500), places=[5])
    assert built[name].grows(alone, 5) == pytest.approx(PACKET / packets, rel=2e-4, abs=1)
    assert built[name].leaves(alone, 5) in (packets // 2, packets - packets // 2)


@pytest.mark.parametrize("name", BY_LOSSES)
def test_growth_stays_within_bounds_for_extreme_paths(built, name):
    """No more than OLIA's part of a packet above Reno's."""
    corners = [(window, rtt_us, between) for window in (1, 2, MOST_WINDOW) for rtt_us in (LEAST_RTT_US, MOST_RTT_US)
               for between in (0, 2 ** 32 - 1)]
    draw = random.Random(1)
    for _ in range(2000):
        subflows = draw.choices(corners, k=draw.randint(1, 8))
        for own, (window, *_) in enumerate(subflows):
            grows, left = built[name].grows(members(*subflows), own), built[name].leaves(members(*subflows), own)
            assert -PACKET / window <= grows <= 1.5 * PACKET / window + 1, subflows
            assert 0 <= left <= window, subflows


def test_members_that_nothing_is_known_of_do_not_count(built):
    known = [(10, 20_000, 100), (20, 40_000, 400)]
    for name in BY_LOSSES:
        alone = built[name].grows(members(*known), 0)
        assert built[name].grows(members(*known, (0, 0, 0)), 0) == alone, name
        left = members(*known, (50, 10_000, 100))
        left[2].owner = 0
        assert built[name].grows(left, 0) == alone, name


def test_olia_gives_to_the_best_path_what_it_takes_from_the_widest(built):
    both = members((40, 20_000, 100), (10, 20_000, 5000))
    without = [window ** 2 / 50 ** 2 / window for window in (40, 10)]
    assert built["olia"].grows(both, 0) / PACKET == pytest.approx(without[0] - 0.5 / 40, rel=1e-3)
    assert built["olia"].grows(both, 1) / PACKET == pytest.approx(without[1] + 0.5 / 10, rel=1e-3)


def test_wvegas_shares_ten_packets_by_rates(built):
    for subflows, places, own in states(1000):
        share = rates(subflows)[own] / sum(rates(subflows))
        target = built["wvegas"].target(members(*subflows, places=places), places[own])
        assert max(2, 10 * share - 0.01) - 1 < target <= max(2, 10 * share), subflows


def test_wvegas_drains_its_queue(built):
    assert built["wvegas"].empty(40, 20_000, 50_000) == 16
    assert built["wvegas"].empty(MOST_WINDOW, 2 ** 31 - 1, 2 ** 31 - 1) == MOST_WINDOW
    assert built["wvegas"].drains(4000, 2000) and not built["wvegas"].drains(3999, 2000)
    assert not built["wvegas"].drains(2 ** 31 - 1, 2 ** 31 - 1)


def test_each_control_has_a_file_with_its_formula_and_its_source():
    for name in windows.OURS:
        source = (compiling.FOLDER / f"{name.partition('-')[0]}.bpf.c").read_text()
        assert source.startswith("// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only\n/*\n"), name
        if name in BY_LOSSES:
            assert re.search(r"\b20\d\d\b", source) and "w_i += " in source, name
