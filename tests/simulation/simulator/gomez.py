# SPDX-License-Identifier: Apache-2.0
"""Gómez et al., Fig. 6: a file over 802.11b, by TCP on the first route, and by MPTCP on two over one channel and over two.

Graphs are as in the paper's section 4: 32 nodes on 100 m × 100 m with a range of 20 m, connected, with two routes at least for
each of its three algorithms. Routes are those of its link-disjoint one, as in the figure."""

import itertools
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .running import run
from .scenario import Connection, Path, Radio, Scenario, Tcp

Row = dict[str, Any]
Place = tuple[float, float]
Neighbours = Mapping[int, Sequence[int]]

NODES, SIDE, RANGE = 32, 100.0, 20.0
MODES = ("tcp", "one", "two")
"""TCP; MPTCP on one channel, and on two."""

_FILE, _QUICK = 20_000_000, 1_000_000
HOPS = (2, 3, 4, 5, 6)
"""Of the first route. Fewer than one graph in ten has another number."""

_GRAPHS = 2
"""Of each number of hops, for each run; one in the quick form."""

_LONGEST = 900.0
_TRIES = 200_000


def suitable(seed: int) -> tuple[list[Place], list[list[int]]]:
    """The first suitable graph that is drawn from a seed: places of its nodes, and its first two link-disjoint routes."""
    draw = random.Random(seed)
    for _ in range(_TRIES):
        places = [(draw.uniform(0, SIDE), draw.uniform(0, SIDE)) for _ in range(NODES)]
        near = _near(places)
        source, target = (min(range(NODES), key=lambda node: math.dist(places[node], place))
                          for place in ((20.0, 50.0), (80.0, 50.0)))
        if len(_reached(near, source)) < NODES:
            continue
        found = [routes(near, source, target, what) for what in ("links", "nodes", "zone")]
        if all(len(one) >= 2 for one in found):
            return places, found[0][:2]
    raise RuntimeError(f"no suitable graph in {_TRIES} draws from seed {seed}")


def _near(places: Sequence[Place]) -> dict[int, list[int]]:
    return {node: [other for other, place in enumerate(places) if other != node and math.dist(places[node], place) <= RANGE]
            for node in range(len(places))}


def _reached(near: Neighbours, source: int) -> dict[int, int]:
    """Node → the one before it on a shortest route; ties by number."""
    before, line = {source: source}, [source]
    for node in line:
        for other in near[node]:
            if other not in before:
                before[other] = node
                line.append(other)
    return before


def routes(near: Neighbours, source: int, target: int, deleting: str) -> list[list[int]]:
    """Shortest routes one after the other, where each takes its ``links``, its inner ``nodes``, or these with their neighbours (a
    ``zone``) away from those that follow; but for the ends. A direct link ends the last two."""
    left = {node: list(others) for node, others in near.items()}
    found: list[list[int]] = []
    while target in (before := _reached(left, source)):
        route = [target]
        while route[-1] != source:
            route.append(before[route[-1]])
        route.reverse()
        found.append(route)
        if deleting != "links" and len(route) == 2:
            break
        gone = set(route[1:-1]) if deleting != "links" else set()
        gone |= {other for node in gone for other in near[node]} - {source, target} if deleting == "zone" else set()
        taken = {frozenset(hop) for hop in zip(route, route[1:])} if deleting == "links" else set()
        left = {node: [other for other in others if other not in gone and frozenset((node, other)) not in taken]
                for node, others in left.items() if node not in gone}
    return found


def scenario(mode: str, places: Sequence[Place], both: Sequence[Sequence[int]], size: int, seed: int) -> Scenario:
    """A file over the first route (TCP) or both (MPTCP)."""
    used = both[:1] if mode == "tcp" else both
    named = [tuple(f"n{node}" for node in route) for route in used]
    every = tuple(sorted({node for route in named for node in route}))
    on = tuple(tuple(sorted(route)) for route in named) if mode == "two" else (every,)
    paths = tuple(Path(route, channel=index if mode == "two" else 0) for index, route in enumerate(named))
    air = Radio({node: places[int(node[1:])] for node in every}, on, RANGE)
    return Scenario((Connection(paths, "reno" if mode == "tcp" else "lia", start=0.1, size=size, buffer=1 << 20),), _LONGEST,
                    radio=air, tcp=Tcp(segment=1420, window=2), sample=0, seed=seed, early=True)


def drawn(each: int) -> Iterator[tuple[int, list[Place], list[list[int]]]]:
    """As many suitable graphs for each number of hops, with their seeds: the first ones."""
    wanted = dict.fromkeys(HOPS, each)
    for number in itertools.count(1):
        if not any(wanted.values()):
            return
        places, both = suitable(number)
        if wanted.get(len(both[0]) - 1):
            wanted[len(both[0]) - 1] -= 1
            yield number, places, both


def radio(runs: int, quick: bool) -> Iterator[Row]:
    """Fig. 6: payload in Mbit/s of a file of 20 MB by hops of the first route; of 1 MB in the quick form."""
    size = _QUICK if quick else _FILE
    for number, places, both in drawn(runs if quick else _GRAPHS * runs):
        for mode in MODES:
            [sent] = run(scenario(mode, places, both, size, number)).connections
            seconds = sent.seconds()
            yield {"graph": number, "hops": len(both[0]) - 1, "second": len(both[1]) - 1, "mode": mode, "bytes": size,
                   "ended": int(seconds is not None), "mbps": round(sent.received[-1] * 8e-6 / (seconds or _LONGEST), 4)}
