# SPDX-License-Identifier: Apache-2.0
"""The simulator on cases whose answers are known. They need ns-3, which is fetched (69 MB), so they are long."""

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mptcplab.processes import wait_for
from mptcplab.settings import ROOT
from simulator import emptcp
from simulator.running import run
from simulator.scenario import FULL, Connection, Link, Radio, Red, Scenario
from simulator.scenario import Path as Way

pytestmark = pytest.mark.long

ONE = (Link(("s", "x"), 100, 0.001), Link(("x", "t"), 10, 0.01, 25))
THROUGH = Way(("s", "x", "t"))


def _on_the_wire(scenario, since):
    """Mbit/s of each connection."""
    return [one.mbps(since, scenario.stop) / FULL for one in run(scenario).connections]


@pytest.mark.parametrize("control", ["reno", "lia", "cubic", "smptcp"])
def test_one_tcp_alone_fills_its_link(control):
    assert 9.4 <= _on_the_wire(Scenario((Connection((THROUGH,), control),), 30, ONE), 10)[0] <= 10.01


def _disjoint(control, scheduler="minrtt", buffer=4 << 20):
    links = tuple(link for i in "12" for link in (Link(("s", f"x{i}"), 100, 0.001), Link((f"x{i}", "t"), 10, 0.01, 25)))
    paths = (Way(("s", "x1", "t")), Way(("s", "x2", "t")))
    return Scenario((Connection(paths, control, scheduler=scheduler, buffer=buffer),), 60, links)


@pytest.mark.parametrize("control, least", [("reno", 19.3), ("lia", 19.3), ("olia", 19.3), ("ewtcp", 19.3), ("semicoupled", 19.3),
                                           ("balia", 18.3)])
def test_two_disjoint_paths_are_filled(control, least):
    """Of 20. A loss takes up to three quarters of a window from BALIA, which a queue of 25 packets does not make up for."""
    assert least <= _on_the_wire(_disjoint(control), 20)[0] <= 20.02


def test_a_scheduler_by_turns_fills_equal_paths_as_well():
    assert 19.0 <= _on_the_wire(_disjoint("lia", "roundrobin"), 10)[0] <= 20.02


@pytest.mark.parametrize("delay, least", [(0.01, 0.0221), (15e-6, 260e-6)])
def test_round_trip_times_are_those_of_the_path_though_it_takes_microseconds(delay, least):
    """Two segments at a time, so that none waits for a delayed acknowledgement. A frame takes 121 µs on each link. ns-3's
    timestamps would say 0 or 1 ms."""
    links = (Link(("s", "x"), 100, 0.001 if delay > 0.001 else delay), Link(("x", "t"), 100, delay))
    [rtt] = run(Scenario((Connection((THROUGH,), buffer=2 * 1428),), 5, links)).connections[0].rtts
    assert least <= rtt <= least + 0.0005


def test_the_shared_receive_buffer_limits_all_subflows_together():
    """Its bytes in a round-trip time, whose least is 22 ms."""
    [carried] = _on_the_wire(_disjoint("reno", buffer=16 << 10), 10)
    assert 0.5 * (16 << 10) * 8e-6 / 0.025 <= carried * FULL <= (16 << 10) * 8e-6 / 0.022


@pytest.mark.parametrize("control, least, most", [
    ("reno", 1.7, 2.3), ("ewtcp-published", 1.4, 1.95), ("lia", 0.8, 1.25), ("olia", 0.75, 1.2), ("balia", 0.8, 1.3),
    ("coupled", 0.7, 1.3), ("ewtcp", 0.7, 1.25)])
def test_a_tcp_keeps_its_share_beside_two_subflows(control, least, most):
    """Seen: 2.0, 1.65, 1.0 to 1.1, .95, 1.05, 1.0. RED: drop-tail queues take sides."""
    links = (Link(("s1", "x"), 100, 0.001), Link(("s2", "x"), 100, 0.001), Link(("x", "t"), 10, 0.01, 50, Red(5, 15, 0.02)))
    sums = [0.0, 0.0]
    for seed in range(1, 4):
        both = Scenario((Connection((Way(("s1", "x", "t")),) * 2, control, start=0.1 * seed),
                         Connection((Way(("s2", "x", "t")),), "reno", start=0.05)), 120, links, seed=seed)
        sums = [before + rate for before, rate in zip(sums, _on_the_wire(both, 20))]
    assert least <= sums[0] / sums[1] <= most, sums


def test_marks_keep_queues_short_without_losses():
    """A threshold of 20 packets, at 100 Mbit/s: emptcp keeps the link full and finishes, as fast as it can."""
    links = (Link(("s", "x"), 1000, 0.0001), Link(("x", "t"), 100, 0.001, 100, Red(20, 20, 1.0, marks=True)))
    assert _on_the_wire(Scenario((Connection((THROUGH,), "emptcp"),), 10, links), 4)[0] >= 90


def test_a_link_that_marks_does_not_drop_the_first_packet_of_a_control_that_needs_marks():
    """A SYN that is lost costs a second. The link marks from two packets on, which the first connection keeps there."""
    links = (Link(("s", "x"), 1000, 0.0001), Link(("x", "t"), 100, 0.001, 1000, Red(2, 2, 1.0, marks=True)))
    files = (Connection((THROUGH,), "emptcp", start=1 + 0.2 * number, size=20_000) for number in range(20))
    sent = run(Scenario((Connection((THROUGH,), "emptcp"), *files), 8, links, sample=0)).connections[1:]
    assert max(one.seconds() or 8 for one in sent) <= 0.5


def test_duplicates_after_marks_do_not_stop_ns3():
    """After 16 ms of these files it had counted five duplicates when it came from CWR to Open."""
    sent = run(dataclasses.replace(emptcp.tree("emptcp", 1_000_000, 0.3, 0.8, 2), stop=0.02))
    assert any(one.received[-1] for one in sent.connections)


def test_the_same_seed_gives_the_same_and_another_does_not():
    links = (ONE[0], Link(("x", "t"), 10, 0.01, 50, Red(5, 15, 0.02)))
    first = Scenario((Connection((THROUGH, THROUGH), "lia"),), 20, links)
    assert run(first) == run(first) != run(dataclasses.replace(first, seed=2))


def test_a_file_ends_when_all_of_it_is_there_and_the_run_with_it():
    sent = run(Scenario((Connection((THROUGH,), size=1_000_000),), 100, ONE, sample=0, early=True))
    assert sent.connections[0].received == (1_000_000,) and sum(sent.connections[0].subflows) == 1_000_000
    assert 0.85 <= sent.connections[0].seconds() <= 1.6 and sent.ended < 2


def test_stations_in_range_carry_more_over_one_hop_than_over_two():
    """802.11b at 11 Mbit/s carries about 5 of TCP; two hops on one channel share that."""
    def carried(*nodes):
        places = {"a": (0.0, 0.0), "b": (15.0, 0.0), "c": (30.0, 0.0)}
        return run(Scenario((Connection((Way(nodes),)),), 20, radio=Radio(places, (tuple(places),)))).connections[0].mbps(5, 20)
    one, two = carried("a", "b"), carried("a", "b", "c")
    assert 4 <= one <= 6.5 and 0.35 <= two / one <= 0.6


def test_an_interrupted_run_leaves_no_process_behind(tmp_path):
    file = tmp_path / "long.json"
    file.write_text(json.dumps({"stop": 10_000, "links": [{"ends": ["s", "t"], "mbps": 1000}],
                                "connections": [{"paths": [{"nodes": ["s", "t"]}]}]}))
    started = subprocess.Popen([sys.executable, "-s", str(Path(__file__).with_name("__main__.py")), "run", str(file)],
                               env={**os.environ, "PYTHONPATH": str(ROOT / "mininet")}, stdout=subprocess.DEVNULL)

    def children():
        found = Path(f"/proc/{started.pid}/task/{started.pid}/children").read_text().split()
        return [one for one in found if Path(f"/proc/{one}/comm").read_text().strip() == "simulate"]
    [child] = wait_for("the simulator", children, 120)
    started.kill()
    started.wait()
    wait_for("its end", lambda: not Path(f"/proc/{child}").exists() or "Z" in Path(f"/proc/{child}/stat").read_text(), 20)
