# SPDX-License-Identifier: Apache-2.0
"""The simulator beside real kernels: what the reproduction keeps of runs on the testbed. It needs ns-3, so it is long."""

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from mptcplab.intervals import fairness, half_width
from mptcplab.settings import ROOT
from simulator import smptcp
from simulator.running import run
from simulator.scenario import Connection, Link, Noise, Path, Scenario, series

pytestmark = pytest.mark.long

_KEPT = ROOT / "docs" / "reproduction"
_SAMPLE = 0.5
_QUEUE, _ACCESS_MBPS, _ACCESS_QUEUE = 100, 100.0, 500
"""Of the testbed's links: full frames of a queue, and of one at a host (mptcplab.network). Links have no delay of their own."""

Series = Sequence[tuple[float, float]]
"""(second in which a sample begins, Mbit/s of payload)."""


def _access(one: str, other: str) -> Link:
    return Link((one, other), _ACCESS_MBPS, 0, _ACCESS_QUEUE)


def _agree(theirs: Sequence[float], ours: Sequence[float]) -> bool:
    """Whether the 95 % intervals of both means overlap: what runs scatter is all that they may differ by."""
    return abs(sum(theirs) / len(theirs) - sum(ours) / len(ours)) <= half_width(theirs) + half_width(ours)


def _kept(window: str) -> list[dict[int, Series]]:
    """Connection → its samples, of each run."""
    runs: dict[str, dict[int, list[tuple[float, float]]]] = {}
    with open(_KEPT / "testbed-smptcp-windows.csv", encoding="ascii", newline="") as file:
        for row in csv.DictReader(file):
            if row["window"] == window:
                one = runs.setdefault(row["run"], {}).setdefault(int(row["connection"]), [])
                one.append((float(row["second"]), float(row["mbps"])))
    return list(runs.values())


def _simulated(control: str, kept: Mapping[int, Series], seed: int) -> dict[int, Series]:
    """The same on the testbed's network, with its hosts; connections begin and end when the kept ones did."""
    begin = [samples[0][0] for samples in kept.values()]
    end = _SAMPLE * int(1 + max(samples[-1][0] for samples in kept.values()) / _SAMPLE)
    network = smptcp.fig1(control, _QUEUE, seed, delay=0)
    connections, access = [], []
    for number, (one, start) in enumerate(zip(network.connections, begin, strict=True)):
        paths = tuple(replace(path, nodes=(f"h{number}", *path.nodes, f"g{number}")) for path in one.paths)
        access += [_access(*paths[0].nodes[:2]), _access(*paths[0].nodes[-2:])]
        connections.append(replace(one, paths=paths, start=start))
    sent = run(replace(network, connections=tuple(connections), links=(*network.links, *access), stop=end)).connections
    return {number: [(second - _SAMPLE, mbps) for second, mbps in one.rates() if second > start]
            for number, one, start in zip(kept, sent, begin)}


def _shares(samples: Mapping[int, Series]) -> list[float]:
    """What each connection has in the second half of the time in which all are there, and all together."""
    since = (max(one[0][0] for one in samples.values()) + max(one[-1][0] for one in samples.values()) + _SAMPLE) / 2
    late = [[mbps for second, mbps in one if second >= since] for one in samples.values()]
    rates = [sum(some) / len(some) for some in late]
    return [*rates, sum(rates)]


@pytest.mark.parametrize("control", ["reno", "lia"])
def test_connections_share_fig_1_as_on_kernels(control):
    """As many runs as there are of kernels; each connection, and all together."""
    kept = _kept(control)
    kernels = [_shares(one) for one in kept]
    ours = [_shares(_simulated(control, one, seed)) for seed, one in enumerate(kept, 1)]
    assert all(map(_agree, zip(*kernels), zip(*ours))), (kernels, ours)


def _diamond(control: str, transfers: int, seconds: float, udp: float, seed: int) -> Scenario:
    paths = tuple(Path(("h1", "1", middle, "5", "h2")) for middle in "234")
    links = series([link for middle in "234" for link in (("1", middle, 10.0), (middle, "5", 10.0))], 0, _QUEUE)
    connections = tuple(Connection(paths, control, start=0.1 * number + 0.01 * seed) for number in range(transfers))
    return Scenario(connections, seconds + _SAMPLE, (*links, _access("h1", "1"), _access("5", "h2")), sample=_SAMPLE, seed=seed,
                    noise=(Noise(("1", "2"), udp), Noise(("1", "3"), 0.01), Noise(("1", "4"), 0.01)))


def test_transfers_share_diamond_as_on_kernels_with_reno():
    """What all carry, and Jain's index of them."""
    kept = json.loads((_KEPT / "windows-diamond.json").read_text(encoding="utf-8"))
    [theirs] = [one for one in kept["windows"] if one["name"] == "reno"]
    runs = [[one.mbps(_SAMPLE, kept["seconds"] + _SAMPLE) for one in
             run(_diamond("reno", kept["transfers"], kept["seconds"], kept["udpMbps"], seed)).connections]
            for seed in range(1, len(theirs["goodputMbps"]) + 1)]
    assert _agree(theirs["goodputMbps"], [sum(rates) for rates in runs]), runs
    assert _agree(theirs["fairness"], [fairness(rates) for rates in runs]), runs
