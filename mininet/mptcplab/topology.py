# SPDX-License-Identifier: Apache-2.0
"""Topologies are data: node-link JSON as networkx writes it. A file in ``topologies/`` is a topology with a name. Files in
other forms are converted by the planner.

Beyond networkx' form, ``"pairs": [["a", "b"], …]`` says at which nodes clients and servers are attached. A host with several
interfaces has a list of nodes, one for each interface: ``[["a1", "a2"], "b"]``. ``"connections"`` and ``"subflows"`` say how
many of them a demonstration runs if it is not told otherwise. ``"router"`` puts a router between clients and servers, as
``routers`` has it. A node's ``"latitude"`` and ``"longitude"``, in degrees, say where it stands on the map.
Several links may join two nodes, unless ``"multigraph"`` is false. Links may have a delay, loss, a queue and shared-risk link
groups, as ``delays`` has it.
"""

import json
import math
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import commands, delays
from .errors import UsageError
from .options import did_you_mean
from .rest import Json
from .routers import Router, read as router_of

Neighbours = Mapping[str, Sequence[str]]
"""A switch → those it has a link to."""

Homes = tuple[str, ...]
"""The switches of a host's interfaces, the main one first; no two alike."""

_Stated = tuple[float, float | None, float, int | None, tuple[str, ...]]
"""What a file says of one direction of a link: capacity, delay, loss, queue, groups."""

_NAMED = Path(__file__).parent / "topologies"
MAX_SWITCHES = 200
MAX_INTERFACES = 8
"""Of one host: the kernel's path manager has room for eight endpoints."""
MAX_CONNECTIONS, MAX_SUBFLOWS = 100, 9
"""Transfers at once; subflows of one connection: the kernel's path manager opens at most eight beside the first."""
MAX_MBPS = 1000.0
"""What a switch in user space still carries; links beyond that would promise what the machine cannot do."""


@dataclass(frozen=True)
class Link:
    """A link between two switches (``s1``, …) with its capacity in each direction, Mbit/s. ``number`` tells it from others
    between the same two, from 0. ``delays``, in milliseconds, are those from ``a`` to ``b`` and back, None where the file has
    none; ``losses`` are frames in a hundred, and ``queues`` the full frames that wait at most, None for the testbed's own
    length; ``groups`` are its shared-risk link groups."""

    a: str
    b: str
    forward: float
    backward: float
    number: int = 0
    delays: tuple[float | None, float | None] = (None, None)
    groups: tuple[str, ...] = ()
    losses: tuple[float, float] = (0.0, 0.0)
    queues: tuple[int | None, int | None] = (None, None)

    @property
    def ends(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Both directions as (switch, name of the neighbour there). A further link to the same switch has its number in that
        name: ``s2#1``."""
        a, b = (f"{switch}#{self.number}" if self.number else switch for switch in (self.a, self.b))
        return (self.a, b), (self.b, a)

    @property
    def is_delayed(self) -> bool:
        """Whether frames take longer than they would by themselves."""
        return any(self.delays)

    @property
    def has_middle(self) -> bool:
        """Whether something in its middle has to pass its frames: for a delay, or for loss."""
        return self.is_delayed or any(self.losses)


@dataclass(frozen=True)
class Topology:
    """Switches s1, s2, … in the order of the file's nodes; ``labels`` has the nodes' own names, ``homes`` the
    (client's switches, server's switches) in the order in which connections use them; ``connections`` and ``subflows`` what
    a demonstration runs by itself; ``places`` the (latitude, longitude), in degrees, of switches for which the file has them;
    ``router`` the router between clients and servers, if there is one. Servers outside have the router's switch."""

    name: str
    switches: tuple[str, ...]
    labels: dict[str, str]
    links: tuple[Link, ...]
    homes: tuple[tuple[Homes, Homes], ...]
    connections: int = 1
    subflows: int = 3
    places: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    router: Router | None = None

    def link(self, a: str, b: str) -> Link | None:
        """The link that leads from ``a`` to the neighbour ``b``, as ``Link.ends`` names it; None if there is none."""
        return next((link for link in self.links if (a, b) in link.ends), None)

    def link_names(self) -> list[str]:
        """What its links are called: ``s1-s2``; ``s1-s2#1`` is the second one between the two."""
        return ["-".join(link.ends[0]) for link in self.links]

    @property
    def names(self) -> dict[str, str]:
        """What ONOS calls each switch: as the file does, or s1 if that is a number or could mean another one, too."""
        called = Counter([*self.labels.values(), *self.switches])
        return {switch: switch if label.isdigit() or called[label] > 1 else label for switch, label in self.labels.items()}

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The (client's switch, server's switch) of each pair: those of their main interfaces."""
        return tuple((client[0], server[0]) for client, server in self.homes)

    def pair(self, index: int) -> tuple[str, str]:
        """The main switches of the ``index``-th client and server; starts again after the last."""
        return self.pairs[index % len(self.homes)]

    @property
    def millis(self) -> float:
        """No path takes longer, there and back: the sum of all delays."""
        return sum(delay or 0 for link in self.links for delay in link.delays)

    def shortest_path(self, source: str, target: str) -> list[str] | None:
        """Switches from ``source`` to ``target`` by fewest hops, ties by the order of links; None if there is none."""
        previous = _breadth_first(_neighbours(self.links), source)
        if target not in previous:
            return None
        path, here = [target], previous[target]
        while here is not None:
            path.append(here)
            here = previous[here]
        return path[::-1]


def names() -> list[str]:
    """The topologies that have a name."""
    return sorted(path.stem for path in _NAMED.glob("*.json"))


def load(name_or_file: str) -> Topology:
    """The topology of that name, or in that file. UsageError says what is wrong and where."""
    named = _NAMED / f"{name_or_file}.json"
    if "/" not in name_or_file and named.is_file():
        return parse(named.read_text(encoding="utf-8"), name_or_file)
    path = Path(name_or_file)
    if not path.is_file():
        raise UsageError(f"unknown topology {name_or_file}: give one of {', '.join(names())} or a file that ./lab plan reads"
                         f"{did_you_mean(name_or_file, names())}")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        return parse(commands.converted(path), path.stem)
    except OSError as failure:
        raise UsageError(f"{name_or_file}: cannot be read: {failure}") from None
    return parse(text if _is_node_link(text) else commands.converted(path), path.stem)


def _is_node_link(text: str) -> bool:
    """True for node-link JSON, and for broken JSON, which ``parse`` refuses; False for other forms."""
    try:
        data = json.loads(text)
    except ValueError:
        return text.lstrip().startswith("{")
    return not isinstance(data, dict) or "nodes" in data or not data.keys() & {"links", "devices", "switches"}


def parse(text: str, name: str) -> Topology:
    """Reads node-link JSON; ``name`` appears in messages. UsageError for anything that cannot be built as it is."""
    data = _json(text, name)
    nodes = _nodes(data, name)
    switches = {node: f"s{number}" for number, node in enumerate(nodes, 1)}
    links = _links(data, switches, name)
    homes = _homes(data, nodes, switches, links, name)
    router = router_of(data.get("router"), switches, name)
    if router:
        _check_routed(homes, router, name)
    stated = {node["id"]: node["label"] for node in data["nodes"] if isinstance(node.get("label"), str)}
    labels = {switch: stated.get(node, str(node)) for node, switch in switches.items()}
    return Topology(name, tuple(switches.values()), labels, links, homes,
                    _count(data, "connections", Topology.connections, MAX_CONNECTIONS, name),
                    _count(data, "subflows", Topology.subflows, MAX_SUBFLOWS, name), _places(data, switches, name), router)


def _check_routed(homes: Iterable[tuple[Homes, Homes]], router: Router, name: str) -> None:
    for client, server in homes:
        if len(client) > 1 or len(server) > 1:
            raise UsageError(f"{name}: with a router, each host has one interface")
        if router.outside and server != router.homes:
            raise UsageError(f"{name}: with servers outside, each pair's second node is the router's")


def _count(data: Json, field: str, default: int, most: int, name: str) -> int:
    value = data.get(field, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise UsageError(f"{name}: \"{field}\" is {json.dumps(value)}: it must be a whole number from 1 to {most}")
    return value


def _json(text: str, name: str) -> Json:
    try:
        data = json.loads(text)
    except ValueError as failure:
        raise UsageError(f"{name}: not JSON: {failure}") from None
    if not isinstance(data, dict):
        raise UsageError(f"{name}: not node-link JSON: expected an object with \"nodes\" and \"links\"")
    return data


def _nodes(data: Json, name: str) -> list[str | int]:
    nodes = data.get("nodes")
    if not isinstance(nodes, list) or not nodes:
        raise UsageError(f"{name}: \"nodes\" must be a list with at least one node")
    seen = {}
    for number, node in enumerate(nodes, 1):
        if not isinstance(node, dict) or not isinstance(node.get("id"), str | int) or isinstance(node["id"], bool):
            raise UsageError(f"{name}: node {number} has no \"id\" (a string or a whole number)")
        if node["id"] in seen:
            raise UsageError(f"{name}: node {node['id']} is listed twice")
        seen[node["id"]] = True
    if len(seen) > MAX_SWITCHES:
        raise UsageError(f"{name}: {len(seen)} nodes; the testbed runs up to {MAX_SWITCHES} switches on one machine")
    return list(seen)


def _places(data: Json, switches: Mapping[str | int, str], name: str) -> dict[str, tuple[float, float]]:
    places = {}
    for node in data["nodes"]:
        latitude, longitude = (_degrees(node, field, most, name) for field, most in (("latitude", 90), ("longitude", 180)))
        if (latitude is None) != (longitude is None):
            raise UsageError(f"{name}: node {node['id']} needs both \"latitude\" and \"longitude\", or neither")
        if latitude is not None and longitude is not None:
            places[switches[node["id"]]] = (latitude, longitude)
    return places


def _degrees(node: Json, field: str, most: float, name: str) -> float | None:
    value = node.get(field)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= most):
        raise UsageError(f"{name}: \"{field}\" of node {node['id']} is {json.dumps(value)}: it must be a number of degrees, "
                         f"from -{most} to {most}")
    return value


def _links(data: Json, switches: Mapping[str | int, str], name: str) -> tuple[Link, ...]:
    listed = _listed(data, name)
    directed, several = data.get("directed", False) is True, data.get("multigraph") is not False
    stated: dict[tuple[str, str, Any], _Stated] = {}
    for number, link in enumerate(listed, 1):
        a, b, says = _link(link, number, switches, name)
        if a == b:
            print(f"lab: {name}: link {number} joins {link['source']} to itself, and is left out", file=sys.stderr)
            continue
        alike = sum((a, b) == seen[:2] for seen in stated)
        key = link.get("key", alike) if several else None
        for ends in [(a, b, key)] if directed else [(a, b, key), (b, a, key)]:
            if ends in stated:
                raise UsageError(f"{name}: link {number} ({link['source']} – {link['target']}) is listed twice; "
                                 "several links between two switches need a \"key\" each, or none, and no \"multigraph\": false")
            stated[ends] = says
    return tuple(_both_ways(stated, switches, name))


def _listed(data: Json, name: str) -> list[Any]:
    """The links of a document. One that has them under both names has the same links twice."""
    lists = [data[field] for field in ("links", "edges") if field in data]
    if not lists or not all(isinstance(listed, list) for listed in lists):
        raise UsageError(f"{name}: \"links\" (or \"edges\") must be a list")
    first, again = lists[0], lists[-1] if len(lists) > 1 else []
    if again and sorted(map(json.dumps, first)) != sorted(map(json.dumps, again)):
        raise UsageError(f"{name}: \"links\" and \"edges\" are not the same links")
    return list(first)


def _link(link: Any, number: int, switches: Mapping[str | int, str], name: str) -> tuple[str, str, _Stated]:
    if not isinstance(link, dict) or "source" not in link or "target" not in link:
        raise UsageError(f"{name}: link {number} needs \"source\" and \"target\"")
    source, target = link["source"], link["target"]
    for end in (source, target):
        if not isinstance(end, str | int) or end not in switches:
            raise UsageError(f"{name}: link {number} ends at {end}, which is no node")
    where = f"{name}: link {number} ({source} – {target})"
    return switches[source], switches[target], (_capacity(link, where), delays.millis(link, where), delays.loss(link, where),
                                                delays.queue_frames(link, where), delays.groups(link, where))


def _capacity(link: Json, where: str) -> float:
    mbps = link.get("capacityMbps")
    if mbps is None:
        raise UsageError(f"{where} has no capacityMbps: give its capacity in Mbit/s")
    if isinstance(mbps, bool) or not isinstance(mbps, int | float) or not math.isfinite(mbps) or mbps <= 0:
        raise UsageError(f"{where} has capacityMbps {mbps}: it must be a number above 0")
    if mbps > MAX_MBPS or mbps < 0.1:
        raise UsageError(f"{where} has capacityMbps {mbps:g}: the testbed emulates 0.1 to {MAX_MBPS:g} Mbit/s")
    return float(mbps)


def _both_ways(stated: Mapping[tuple[str, str, Any], _Stated], switches: Mapping[str | int, str], name: str
               ) -> Iterator[Link]:
    node = {switch: identity for identity, switch in switches.items()}
    numbers: Counter[tuple[str, str]] = Counter()
    for (a, b, key), (forward, delay, loss, queue, groups) in stated.items():
        if (b, a, key) not in stated:
            raise UsageError(f"{name}: link {node[a]} → {node[b]} has no way back; an Ethernet link has both directions")
        if int(a[1:]) < int(b[1:]):
            backward, delay_back, loss_back, queue_back, groups_back = stated[b, a, key]
            yield Link(a, b, forward, backward, numbers[a, b], (delay, delay_back), tuple(dict.fromkeys(groups + groups_back)),
                       (loss, loss_back), (queue, queue_back))
            numbers[a, b] += 1


def _homes(data: Json, nodes: Sequence[str | int], switches: Mapping[str | int, str], links: Sequence[Link],
           name: str) -> tuple[tuple[Homes, Homes], ...]:
    neighbours = _neighbours(links)
    reached = _breadth_first(neighbours, switches[nodes[0]])
    if len(reached) < len(nodes):
        lonely = next(node for node in nodes if switches[node] not in reached)
        raise UsageError(f"{name}: not connected: {lonely} cannot be reached from {nodes[0]}")
    listed = data.get("pairs")
    if listed is None:
        a, b = _far_apart(list(switches.values()), neighbours)
        return (((a,), (b,)),)
    if not isinstance(listed, list) or not listed:
        raise UsageError(f"{name}: \"pairs\" must be a list of [client's node, server's node]")
    found = []
    for pair in listed:
        if not isinstance(pair, list) or len(pair) != 2:
            raise UsageError(f"{name}: \"pairs\" has {json.dumps(pair)}: each is two of the nodes")
        client, server = (_homes_of(end, switches, f"{name}: \"pairs\" has {json.dumps(pair)}") for end in pair)
        found.append((client, server))
    return tuple(found)


def _homes_of(end: Any, switches: Mapping[str | int, str], where: str) -> Homes:
    """The switches of one host: of a node, or of a list of nodes for a host with several interfaces."""
    nodes = end if isinstance(end, list) else [end]
    if not nodes or any(not isinstance(node, str | int) or node not in switches for node in nodes):
        raise UsageError(f"{where}: each is two of the nodes, or of lists of nodes")
    if len(set(nodes)) < len(nodes):
        raise UsageError(f"{where}: a host has one interface at a node")
    if len(nodes) > MAX_INTERFACES:
        raise UsageError(f"{where}: a host has at most {MAX_INTERFACES} interfaces")
    return tuple(switches[node] for node in nodes)


def _far_apart(switches: Sequence[str], neighbours: Neighbours) -> tuple[str, str]:
    """Where a file does not say: two switches with as many links as possible (three will do) and far from each other."""
    best, found = (-1, -1), (switches[0], switches[-1])
    for a in switches:
        hops = _distances(neighbours, a)
        for b in switches:
            if b != a:
                score = (min(3, len(neighbours[a]), len(neighbours[b])), hops[b])
                if score > best:
                    best, found = score, (a, b)
    return found


def _neighbours(links: Iterable[Link]) -> Neighbours:
    neighbours: dict[str, list[str]] = {}
    for link in links:
        neighbours.setdefault(link.a, []).append(link.b)
        neighbours.setdefault(link.b, []).append(link.a)
    return neighbours


def _breadth_first(neighbours: Neighbours, source: str) -> dict[str, str | None]:
    previous: dict[str, str | None] = {source: None}
    queue = deque([source])
    while queue:
        here = queue.popleft()
        for there in neighbours.get(here, ()):
            if there not in previous:
                previous[there] = here
                queue.append(there)
    return previous


def _distances(neighbours: Neighbours, source: str) -> dict[str, int]:
    hops, queue = {source: 0}, deque([source])
    while queue:
        here = queue.popleft()
        for there in neighbours.get(here, ()):
            if there not in hops:
                hops[there] = hops[here] + 1
                queue.append(there)
    return hops
