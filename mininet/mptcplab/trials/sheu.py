# SPDX-License-Identifier: Apache-2.0
"""Sheu et al., Fig. 3.2: iperf over MPTCP on small Waxman graphs, with the paper's strategy and others.

A link's capacity is what the paper calls its residual bandwidth; nothing else is sent. The controller does not offer
``first-k-max``.
"""

import math
import random

from ..settings import progress
from ..testbed import Testbed
from ..topology import Topology
from . import bed
from .bed import Row

NODES = (10, 13, 16)
STRATEGIES = ("k-max-min", "k-max", "shortest")
PAIRS = 2
SECONDS = 8

_ALPHA = 0.6
_DENSITY = 0.985 * 9
"""Times the other nodes: the paper's β for ten nodes, and about as many links at a node for other numbers."""

_MOST_MBPS = 10.0
_K = 3


def iperf(nodes: int) -> list[Row]:
    """What each strategy carries between two pairs of nodes of a network of so many nodes, one after the other."""
    rows = []
    with Testbed(waxman(nodes, seed=nodes, pairs=PAIRS), PAIRS, _K) as testbed:
        bed.prepare(testbed, subflows=_K)
        for pair in range(PAIRS):
            for strategy in STRATEGIES:
                rows.append({"nodes": nodes, "pair": pair, "strategy": strategy, **_measured(testbed, pair, strategy)})
                progress(f"{nodes} nodes, pair {pair + 1}, {strategy}: {rows[-1]['mbps']:.2f} Mbit/s of {rows[-1]['most']:.2f}")
    return rows


def _measured(testbed: Testbed, pair: int, strategy: str) -> Row:
    """Payload, and the most that all paths together carry (ζ, on the wire), both Mbit/s; and how many paths differ."""
    network = testbed.network
    bed.settle(testbed)
    testbed.onos.configure(strategy=strategy)
    transfer = testbed.transfer(network.clients[pair], network.servers[pair], SECONDS)
    best: list[tuple[float, int]] = [(0.0, 0)]

    def seen() -> bool:
        best.extend((one["fairUpMbps"] or 0.0, len({tuple(subflow["path"]) for subflow in one["subflows"]}))
                    for one in bed.connections(testbed) if one["state"] == "active" and len(one["subflows"]) >= _K)
        return max(best)[0] > 0 and max(best)[1] > 0
    try:
        bed.wait_for_some("paths", seen, SECONDS)
        transfer.finish()
    finally:
        transfer.stop()
    most, paths = max(best)
    return {"mbps": round(transfer.goodput(), 4), "most": round(most, 4), "paths": paths}


def waxman(nodes: int, seed: int, pairs: int) -> Topology:
    """A connected Waxman graph with capacities uniform from 1 to 10 Mbit/s, and clients and servers at random nodes."""
    draw = random.Random(seed)
    beta = min(1.0, _DENSITY / (nodes - 1))
    while True:
        places = [(draw.random(), draw.random()) for _ in range(nodes)]
        links = [(f"n{a}", f"n{b}", round(draw.uniform(1.0, _MOST_MBPS), 1)) for a in range(nodes) for b in range(a + 1, nodes)
                 if draw.random() < beta * math.exp(-math.dist(places[a], places[b]) / (_ALPHA * math.sqrt(2)))]
        if _is_connected(nodes, links):
            ends = draw.sample(range(nodes), 2 * pairs)
            return bed.topology(f"waxman{nodes}", links, [(f"n{a}", f"n{b}") for a, b in zip(ends[::2], ends[1::2])])


def _is_connected(nodes: int, links: list[tuple[str, str, float]]) -> bool:
    reached, before = {"n0"}, 0
    while len(reached) > before:
        before = len(reached)
        reached |= {end for a, b, _ in links if a in reached or b in reached for end in (a, b)}
    return len(reached) == nodes
