# SPDX-License-Identifier: Apache-2.0
"""eMPTCP's simulation (its section IV): files in an 8-ary fat tree of 128 hosts, Fig. 7 and 8; the fairness of Fig. 9; and
incast, of which the paper speaks without a figure.

Its RED threshold, sizes, load and Weibull parameters are not given, so that there are several of each.
"""

import itertools
import math
import random
import statistics
from collections.abc import Iterator, Mapping
from typing import Any

from .running import run
from .scenario import SEGMENT, Connection, Link, Noise, Path, Red, Scenario, Tcp

Row = dict[str, Any]
Host = tuple[int, int, int]

PODS, SUBFLOWS = 8, 4
_MBPS, _DELAY, _QUEUE, _THRESHOLD = 1000.0, 15e-6, 100, 20
"""1 Gbit/s, 5 µs of a link and 10 µs of a switch; packets of a queue, and from which on it marks."""

_CENTRE = Tcp(timeout=0.01, delayed=0.001)
"""Times for a data centre: with 0.2 s a single lost packet would be all that a file's time says."""

WINDOWS = {"tcp": "reno", "mptcp": "reno", "lia": "lia", "emptcp": "emptcp"}
_SECONDS = {100_000: 0.01, 1_000_000: 0.04}
"""Size of a file → how long files begin."""

SENDERS, BLOCKS = (8, 16, 32, 64), (32_000, 256_000)
"""Of incast: how many hosts send to one, and how many bytes each."""

_AT_ONCE, _LONGEST = 100e-6, 30.0
"""Seconds within which all of them begin, and for which they may take."""


def _hosts() -> list[Host]:
    half = PODS // 2
    return [(pod, edge, number) for pod in range(PODS) for edge in range(half) for number in range(half)]


def _links(red: Red | None) -> tuple[Link, ...]:
    half = PODS // 2
    ends = [pair for pod in range(PODS) for i in range(half) for j in range(half) for pair in (
        (f"c{i}_{j}", f"a{pod}_{i}"), (f"a{pod}_{i}", f"e{pod}_{j}"), (f"e{pod}_{i}", f"h{pod}_{i}_{j}"))]
    return tuple(Link(pair, _MBPS, _DELAY, _QUEUE, red) for pair in ends)


def _path(one: Host, other: Host, aggregation: int, core: int) -> Path:
    (pod, edge, number), (to_pod, to_edge, to_number) = one, other
    nodes = [f"h{pod}_{edge}_{number}", f"e{pod}_{edge}"]
    if (pod, edge) != (to_pod, to_edge):
        nodes.append(f"a{pod}_{aggregation}")
        nodes += [f"c{aggregation}_{core}", f"a{to_pod}_{aggregation}"] if pod != to_pod else []
        nodes.append(f"e{to_pod}_{to_edge}")
    return Path((*nodes, f"h{to_pod}_{to_edge}_{to_number}"))


def _paths(window: str, host: Host, other: Host, draw: random.Random) -> tuple[Path, ...]:
    """eMPTCP has the controller's disjoint paths, the others what hashing gives them."""
    half = PODS // 2
    hashed = draw.choices([(a, c) for a in range(half) for c in range(half)], k=SUBFLOWS)
    spread = [(a, draw.randrange(half)) for a in draw.sample(range(half), SUBFLOWS)]
    chosen = spread if window == "emptcp" else hashed[:1 if window == "tcp" else SUBFLOWS]
    paths = [_path(host, other, a, c) for a, c in chosen]
    return tuple(dict.fromkeys(paths) if window == "emptcp" else paths)


def _red(window: str, threshold: int) -> Red | None:
    return Red(threshold, threshold, 1.0, marks=True) if window == "emptcp" else None


def tree(window: str, size: int, load: float, shape: float, seed: int, threshold: int = _THRESHOLD) -> Scenario:
    """Files of ``size`` bytes between random hosts, with Weibull gaps; ``load``: part of a host's link. The same files for every
    window. Links mark for eMPTCP."""
    draw = random.Random(seed)
    hosts, connections = _hosts(), []
    gap = size * 1514 / SEGMENT * 8e-6 / (load * _MBPS)
    scale = gap / math.gamma(1 + 1 / shape)
    for host in hosts:
        # From the middle of a gap on.
        at = draw.random() * draw.weibullvariate(scale, shape)
        while at < _SECONDS[size]:
            other = draw.choice([one for one in hosts if one != host])
            connections.append(Connection(_paths(window, host, other, draw), WINDOWS[window], start=at, size=size))
            at += draw.weibullvariate(scale, shape)
    return Scenario(tuple(connections), _SECONDS[size] + 3, _links(_red(window, threshold)), tcp=_CENTRE, sample=0, seed=seed,
                    early=True)


def files(runs: int, quick: bool) -> Iterator[Row]:
    """Fig. 7 and 8: the mean time of a file, its 99th percentile, and its mean goodput."""
    family = [(size, load, shape) for size in _SECONDS for load, shape in (
        ((0.3, 0.8),) if quick else itertools.product((0.2, 0.5), (0.5, 0.8, 1.0)))]
    for size, load, shape in family:
        for seed in range(1, runs + 1):
            for window in WINDOWS:
                yield {"size": size, "load": load, "shape": shape, "window": window, "run": seed,
                       **_times(tree(window, size, load, shape, seed), size)}


def _times(scenario: Scenario, size: int) -> Row:
    took = sorted(seconds for one in run(scenario).connections if (seconds := one.seconds()) is not None)
    return {"files": len(scenario.connections), "ended": len(took), "mean_ms": round(1000 * statistics.fmean(took), 4),
            "p99_ms": round(1000 * took[int(0.99 * len(took))], 4),
            "goodput": round(statistics.fmean(size * 8e-6 / seconds for seconds in took), 3)}


def converging(window: str, size: int, senders: int, seed: int, threshold: int = _THRESHOLD) -> Scenario:
    """Incast: random hosts send a block of ``size`` bytes each to one, at once. The same hosts for every window."""
    draw = random.Random(seed)
    target, *others = draw.sample(_hosts(), senders + 1)
    blocks = tuple(Connection(_paths(window, host, target, draw), WINDOWS[window], start=draw.uniform(0, _AT_ONCE), size=size)
                   for host in others)
    return Scenario(blocks, _LONGEST, _links(_red(window, threshold)), tcp=_CENTRE, sample=0, seed=seed, early=True)


def incast(runs: int, quick: bool) -> Iterator[Row]:
    """When half of the blocks are there, and all of them: ms from the first one's begin."""
    for size, senders, seed, window in itertools.product(BLOCKS, SENDERS[::2] if quick else SENDERS, range(1, runs + 1), WINDOWS):
        sent = run(converging(window, size, senders, seed)).connections
        begun = min(one.started for one in sent)
        ends = [_LONGEST if one.finished is None else one.finished - begun for one in sent]
        yield {"size": size, "senders": senders, "window": window, "run": seed,
               "ended": sum(one.finished is not None for one in sent), "median_ms": round(1000 * statistics.median(ends), 4),
               "all_ms": round(1000 * max(ends), 4)}


PLAIN: Mapping[str, bool] = {"TCP answers marks": True, "TCP without marks": False}


def fairness(runs: int, _quick: bool) -> Iterator[Row]:
    """Fig. 9: two connections of two subflows and two TCPs on one link of 100 Mbit/s; shares while all four are there."""
    links = (Link(("x", "t"), 100, 0.001, _QUEUE, Red(_THRESHOLD, _THRESHOLD, 1.0, marks=True)),
             *(Link((f"s{number}", "x"), 1000, 0.0001) for number in range(4)))
    for (label, marks), window, seed in itertools.product(PLAIN.items(), ("emptcp", "lia", "reno"), range(1, runs + 1)):
        flows = [Connection((Path((f"s{number}", "x", "t")),) * (2 if number < 2 else 1), window if number < 2 else "reno",
                            start=0.5 * number, marks=marks or number < 2) for number in (0, 2, 1, 3)]
        sent = run(Scenario(tuple(flows), 10, links, noise=(Noise(("x", "t"), 1),), seed=seed)).connections
        yield {"tcp": label, "window": window, "run": seed,
               **{name: round(one.mbps(4, 10), 3) for name, one in zip(("multipath_1", "tcp_1", "multipath_2", "tcp_2"), sent)}}
