# SPDX-License-Identifier: Apache-2.0
"""A scenario: network, connections and how long; checked, and as JSON for the program (``engine``) and from users' files."""

import dataclasses
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mptcplab.errors import UsageError

SCHEDULERS = ("minrtt", "roundrobin")
SEGMENT = 1428
"""Bytes of payload in a full frame: 1514 on Ethernet, with IP, TCP, timestamps and DSS."""

FULL = SEGMENT / 1514
"""The part of a link that payload can have."""

_MOST_SECONDS = 10_000.0


@dataclass(frozen=True)
class Red:
    """Random early detection (ns-3's RedQueueDisc): packets of mean queue from which, and up to which, more and more are dropped;
    ``weight`` of the newest length in the mean. With ``marks`` those that ask for it are marked instead (RFC 3168)."""

    least: float
    most: float
    weight: float = 1.0
    marks: bool = False

    def __post_init__(self) -> None:
        _require(0 < self.least <= self.most, f"red needs 0 < least ≤ most, not {self.least:g} and {self.most:g}")
        _require(0 < self.weight <= 1, f"red's weight {self.weight:g} is not in (0, 1]")


@dataclass(frozen=True)
class Link:
    """A link in both directions: Mbit/s on the wire, seconds of delay each way, packets of the drop-tail queue at each end."""

    ends: tuple[str, str]
    mbps: float
    delay: float = 0.0
    queue: int = 1000
    red: Red | None = None

    def __post_init__(self) -> None:
        _require(self.ends[0] != self.ends[1], f"a link from {self.ends[0]} to itself")
        _positive(f"link {'–'.join(self.ends)}: mbps", self.mbps, 1e6)
        _require(0 <= self.delay <= 100, f"link {'–'.join(self.ends)}: delay {self.delay:g} is not from 0 to 100 s")
        _positive(f"link {'–'.join(self.ends)}: queue", self.queue, 1e6)


@dataclass(frozen=True)
class Path:
    """The nodes that a subflow goes through, from client to server; ``expected``: Mbit/s on the wire that a controller has told,
    0 if none; ``channel`` of a radio network."""

    nodes: tuple[str, ...]
    expected: float = 0.0
    channel: int = 0

    def __post_init__(self) -> None:
        _require(len(self.nodes) >= 2, "a path has two nodes at least")
        _require(len(set(self.nodes)) == len(self.nodes), f"path {'–'.join(self.nodes)} comes to a node twice")
        _require(0 <= self.expected <= 1e6, f"expected {self.expected:g} Mbit/s")


@dataclass(frozen=True)
class Connection:
    """From the first node of its paths to the last: it begins after ``start`` seconds, and sends so many bytes; 0: without end.
    ``buffer``: bytes of the shared receive buffer. With one path it is a TCP. Others than the first join when that is set up.
    ``marks``: it asks for marks (RFC 3168) even if its control does not need them."""

    paths: tuple[Path, ...]
    control: str = "reno"
    start: float = 0.0
    size: int = 0
    buffer: int = 4 << 20
    scheduler: str = "minrtt"
    marks: bool = False

    def __post_init__(self) -> None:
        _require(bool(self.paths), "a connection has one path at least")
        _require(len({(path.nodes[0], path.nodes[-1]) for path in self.paths}) == 1, "paths of a connection have the same ends")
        _require(0 <= self.start <= _MOST_SECONDS, f"start {self.start:g} is not from 0 to {_MOST_SECONDS:g} s")
        _require(self.size >= 0, f"size {self.size} is negative")
        _positive("buffer", self.buffer, 1e12)
        _require(self.scheduler in SCHEDULERS, f"no scheduler {self.scheduler}: there are {', '.join(SCHEDULERS)}")


@dataclass(frozen=True)
class Noise:
    """Datagrams with Poisson gaps along a path, Mbit/s: without any, a drop-tail queue may drop the same connection's always."""

    nodes: tuple[str, ...]
    mbps: float

    def __post_init__(self) -> None:
        _positive("noise: mbps", self.mbps, 1e6)


@dataclass(frozen=True)
class Radio:
    """802.11b at 11 Mbit/s, ad hoc, without losses but for collisions. ``places``: node → metres; ``channels``: which nodes have
    a radio on each; ``transmissions`` of a frame at most."""

    places: Mapping[str, tuple[float, float]]
    channels: tuple[tuple[str, ...], ...]
    range: float = 20.0
    transmissions: int = 4

    def __post_init__(self) -> None:
        _positive("radio: range", self.range, 1e5)
        _positive("radio: transmissions", self.transmissions, 255)
        unplaced = [node for nodes in self.channels for node in nodes if node not in self.places]
        _require(not unplaced, f"{', '.join(unplaced[:3])} of the radio has no place")


@dataclass(frozen=True)
class Tcp:
    """What ends have in common: bytes of a segment, packets of the first window, seconds of the least time-out and of a delayed
    acknowledgement, as Linux has them."""

    segment: int = SEGMENT
    window: int = 10
    timeout: float = 0.2
    delayed: float = 0.04

    def __post_init__(self) -> None:
        _positive("tcp: segment", self.segment, SEGMENT)
        _positive("tcp: window", self.window, 1000)
        _positive("tcp: timeout", self.timeout, 60)
        _require(0 < self.delayed < self.timeout, "tcp: delayed must be shorter than timeout: a segment alone would run into it")


@dataclass(frozen=True)
class Scenario:
    """All of it, for ``stop`` seconds; with ``early``, until all connections with a size have ended. What has arrived is noted
    every ``sample`` seconds; 0: at the end only. The same seed gives the same result."""

    connections: tuple[Connection, ...]
    stop: float
    links: tuple[Link, ...] = ()
    radio: Radio | None = None
    noise: tuple[Noise, ...] = ()
    tcp: Tcp = field(default_factory=Tcp)
    sample: float = 1.0
    seed: int = 1
    early: bool = False

    def __post_init__(self) -> None:
        _positive("stop", self.stop, _MOST_SECONDS)
        _require(self.sample == 0 or 1e-4 <= self.sample <= self.stop,
                 f"sample {self.sample:g} is not from 0.0001 s to stop, nor 0")
        _require(1 <= self.seed < 1 << 32, f"seed {self.seed} is not from 1 to 4294967295")
        _require(bool(self.connections), "a scenario has one connection at least")
        known = {frozenset(link.ends) for link in self.links}
        for nodes in (*(path.nodes for one in self.connections for path in one.paths), *(one.nodes for one in self.noise)):
            missing = [hop for hop in zip(nodes, nodes[1:]) if frozenset(hop) not in known]
            _require(not missing or self.radio is not None, f"there is no link {'–'.join(missing[0]) if missing else ''}")

    def to_json(self, controls: Mapping[str, str]) -> str:
        """What the program reads; ``controls``: name → its shared object, or the name of one of ns-3's own."""
        def control(name: str) -> str:
            return controls[name] if controls[name].startswith("ns3::") else name
        return json.dumps({
            "seed": self.seed, "stop": self.stop, "sample": self.sample, "early": int(self.early),
            "tcp": dataclasses.asdict(self.tcp),
            "controls": {name: file for name, file in controls.items() if not file.startswith("ns3::")},
            "links": [{"from": one.ends[0], "to": one.ends[1], "mbps": one.mbps, "delay": one.delay, "queue": one.queue,
                       **({"red": dataclasses.asdict(one.red)} if one.red else {})} for one in self.links],
            **({"radio": _radio(self.radio)} if self.radio else {}),
            "noise": [{"path": one.nodes, "mbps": one.mbps} for one in self.noise],
            "connections": [{"start": one.start, "control": control(one.control), "scheduler": one.scheduler,
                             "buffer": one.buffer, "marks": int(one.marks), "bytes": one.size,
                             "paths": [dataclasses.asdict(path) for path in one.paths]}
                            for one in self.connections]})


def _radio(radio: Radio) -> Mapping[str, Any]:
    return {"range": radio.range, "transmissions": radio.transmissions, "channels": radio.channels,
            "places": [{"name": name, "x": x, "y": y} for name, (x, y) in radio.places.items()]}


def read(text: str) -> Scenario:
    """The scenario of a JSON file: objects with the fields of the classes here. UsageError, in one line, if it is none."""
    try:
        found = json.loads(text)
    except ValueError as failure:
        raise UsageError(f"the scenario is no JSON: {failure}") from None
    return _made(Scenario, found, "the scenario")


_PARTS: Mapping[tuple[type, str], type] = {
    (Scenario, "connections"): Connection, (Scenario, "links"): Link, (Scenario, "noise"): Noise, (Scenario, "radio"): Radio,
    (Scenario, "tcp"): Tcp, (Connection, "paths"): Path, (Link, "red"): Red}


def _made(kind: type, found: Any, where: str) -> Any:
    _require(isinstance(found, dict), f"{where} is no object")
    known: dict[str, dataclasses.Field[Any]] = {one.name: one for one in dataclasses.fields(kind)}
    for name in found:
        _require(name in known, f"{where} has no field {name}: there are {', '.join(known)}")
    for name, one in known.items():
        needed = one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING
        _require(name in found or not needed, f"{where} has no {name}")
    return kind(**{name: _value(kind, name, known[name], value, where) for name, value in found.items()})


def _value(kind: type, name: str, one: "dataclasses.Field[Any]", value: Any, where: str) -> Any:
    inner = _PARTS.get((kind, name))
    wanted = str(one.type)
    if inner and isinstance(value, list):
        return tuple(_made(inner, each, f"{name}[{index}]") for index, each in enumerate(value))
    if inner:
        return _made(inner, value, name)
    if "tuple" in wanted or "Mapping" in wanted:
        _require(isinstance(value, list | dict), f"{where}: {name} is no list")
        return _tuples(value)
    if "bool" in wanted:
        fits = isinstance(value, bool)
    elif "str" in wanted:
        fits = isinstance(value, str)
    else:
        fits = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        fits = fits and ("float" in wanted or value == int(value))
    _require(fits, f"{where}: {name} {json.dumps(value)} does not fit: {wanted} is needed")
    return value


def _tuples(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _tuples(one) for name, one in value.items()}
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _positive(what: str, value: float, most: float) -> None:
    _require(0 < value <= most, f"{what} {value:g} is not above 0 and at most {most:g}")


def _require(holds: bool, complaint: str) -> None:
    if not holds:
        raise UsageError(f"simulation: {complaint}")


def series(ends: Sequence[tuple[str, str, float]], delay: float, queue: int) -> tuple[Link, ...]:
    """Links with the same delay (s) and queue (packets): both ends and Mbit/s of each."""
    return tuple(Link((one, other), mbps, delay, queue) for one, other, mbps in ends)
