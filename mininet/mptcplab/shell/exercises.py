# SPDX-License-Identifier: Apache-2.0
"""The exercises of ``docs/lab``: whether the network has come to what each asks for, and what is missing if not.

What counts is what ONOS's stores, the hosts' kernels and the switches have at the moment, not what somebody has typed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from .. import netcfg
from ..hosts import address_of
from ..rest import Json, quote
from ..sampling import flow_bytes, kernel_subflows, plain_connections

if TYPE_CHECKING:
    from ..testbed import Testbed

Ends = tuple[str, str]
"""(source, destination) of a subflow, each ``"ip:port"``."""

OURS = frozenset(("widest-disjoint", "k-max-min", "k-max", "shortest", "link-disjoint", "node-disjoint", "zone-disjoint",
                  "multiflow", "network-wide", "resource-pool", "ecmp"))
"""The strategies that come with the application."""

MUCH_BYTES = 1_000_000
"""Of a plain TCP connection, so that iperf3's own small ones do not count."""

_RATIO, _MEASURED_RATIO, _OVER_CAP = 1.8, 1.4, 1.25
"""The shares of a connection of twice the weight beside the other's; what switches measure of that; and of a cap, on a busy
machine."""

_MOVED, _FAILURE = "moved", "gone"
"""An event of a subflow that has another path, and a word of why if that was a failure."""


@dataclass(frozen=True)
class Connection:
    """One that ONOS has as active. ``paths``: the switches of each of its active subflows that the client's kernel has, too, and
    its switches have rules for. ``expected`` and ``measured``: Mbit/s, of the direction that carries more."""

    name: str
    strategy: str
    policy: str | None
    expected: float
    measured: float
    paths: Sequence[Sequence[str]]
    events: Sequence[str] = ()

    def links(self) -> list[frozenset[str]]:
        """Of all its paths, one after the other."""
        return [frozenset(hop) for path in self.paths for hop in zip(path, path[1:])]

    def inner(self) -> list[str]:
        """The switches of all its paths without the first and the last one of each."""
        return [switch for path in self.paths for switch in path[1:-1]]


@dataclass(frozen=True)
class Evidence:
    """What is seen: ``tcp``, the bytes that each plain TCP connection of the first client's kernel has carried; ``down``, links
    whose interfaces are down and that ONOS does not have; ``caps``, policies with a cap and what it is, Mbit/s."""

    connections: Sequence[Connection]
    tcp: Sequence[int] = ()
    down: Sequence[frozenset[str]] = ()
    caps: dict[str, float] = field(default_factory=dict)


def missing(name: str, seen: Evidence) -> list[str]:
    """What an exercise's goal still lacks, a sentence each; nothing if it is reached."""
    return list(EXERCISES[name](seen))


def _paths(seen: Evidence) -> Iterator[str]:
    if not any(len(one.paths) >= 3 and not _alike(one.links()) for one in seen.connections):
        yield (f"no MPTCP connection has three subflows on three paths without a common link; {_told(seen)}. "
               "Wait for the demonstration's own transfer")
    if not any(carried >= MUCH_BYTES for carried in seen.tcp):
        yield "h1 has no plain TCP connection that has carried 1 MB: ./lab transfer h1 h2 --tcp --seconds 60, and check meanwhile"


def _failure(seen: Evidence) -> Iterator[str]:
    if not seen.down:
        yield "all links are up: take one down that a subflow uses, and leave it down while you check"
        return
    lasting = [one for one in seen.connections if _MOVED in one.events]
    if not lasting:
        yield "no connection that runs has been led around a failure: was the link on a path? ./lab status shows paths"
    for one in lasting:
        if not one.paths:
            yield f"connection {one.name} has no path: take that link up again, and down another one"
        for link in seen.down:
            if link in one.links():
                yield f"connection {one.name} is still on {'-'.join(sorted(link))}"


def _disjointness(seen: Evidence) -> Iterator[str]:
    several = [one for one in seen.connections if len(one.paths) >= 2]
    if not any(_alike(one.inner()) and not _alike(one.links()) for one in several):
        yield (f"no connection has paths that share a switch in their middle, and no link; {_told(seen)}. The topology is "
               "docs/lab/waist.json, and the demonstration's own transfer has such paths")
    if not any(not _alike(one.inner()) for one in several):
        yield ("no connection has two paths or more without a common switch in their middle: set disjoint to node, and begin "
               "another transfer")


def _fairness(seen: Evidence) -> Iterator[str]:
    pairs = [sorted(pair, key=lambda one: one.expected) for pair in combinations(seen.connections, 2)
             if set(pair[0].links()) & set(pair[1].links())]
    if not pairs:
        yield f"no two connections share a link at the moment; {_told(seen)}. Start another transfer beside the first"
        return
    unequal = [(less, more) for less, more in pairs if more.expected >= _RATIO * less.expected > 0]
    if not unequal:
        yield "both connections have equal shares: give the next one a weight of 2 by a policy, and start it"
    elif not any(more.measured >= _MEASURED_RATIO * less.measured > 0 for less, more in unequal):
        yield "the shares differ, and the switches do not measure it yet: wait some seconds"


def _policies(seen: Evidence) -> Iterator[str]:
    capped = [one for one in seen.connections if one.policy in seen.caps]
    if not capped:
        yield f"no connection that runs has a policy with capMbps: {_told(seen)}. A policy holds for what begins after it"
        return
    for one in capped:
        cap = seen.caps[one.policy or ""]
        if one.expected > cap or one.measured > _OVER_CAP * cap:
            yield (f"connection {one.name} has {one.expected:.1f} Mbit/s, measured {one.measured:.1f}: "
                   f"more than its cap of {cap:g}")
    if not any(one.policy is None and one.expected > max(seen.caps.values()) for one in seen.connections):
        yield "no connection without a policy gets more beside it: the policy was to leave others alone"


def _strategy(seen: Evidence) -> Iterator[str]:
    own = [one for one in seen.connections if one.strategy not in OURS]
    if not own:
        there = ", ".join(sorted({one.strategy for one in seen.connections})) or "none"
        yield f"the strategies of the connections that run are {there}: none of your own. mptcp-strategies lists what ONOS knows"
    elif not any(one.paths for one in own):
        yield "your strategy gives the connection no path that is in the switches: what does mptcp-events say?"
    elif all(one.measured <= 0 for one in own):
        yield "the switches measure nothing on your strategy's paths yet: wait some seconds"


def _alike(things: Sequence[object]) -> list[object]:
    """Those that come more than once."""
    return [thing for number, thing in enumerate(things) if thing in things[:number]]


def _told(seen: Evidence) -> str:
    """The paths of all connections, in short."""
    return "; ".join(f"{one.name} has {', '.join(' '.join(path) for path in one.paths) or 'no path'}"
                     for one in seen.connections) or "there is no connection"


EXERCISES: dict[str, Callable[[Evidence], Iterator[str]]] = {
    "paths": _paths, "failure": _failure, "disjointness": _disjointness, "fairness": _fairness, "policies": _policies,
    "strategy": _strategy}
"""In the order of the lab sheet."""


def gather(testbed: Testbed) -> Evidence:
    """What there is to see of a running testbed."""
    network, rest = testbed.network, testbed.onos.rest
    kernel = {subflow for host in network.clients for subflow in kernel_subflows(host)}
    rules = functools.cache(lambda switch: set(flow_bytes(switch)))
    seen = rest.get("/mptcp/connections?state=active")["connections"]
    known = {link["source"] for link in rest.get("/mptcp/links?state=up")["links"]}
    down = [frozenset((link.a, link.b)) for link in network.topology.links
            if any(f"{netcfg.device_id(a)}/{network.port(a, b)}" not in known for a, b in link.ends)
            and not all(_is_up(network.interface(a, b)) for a, b in link.ends)]
    policies = rest.get("/mptcp/policies")["policies"]
    servers = {address for host in network.servers for address in network.addresses(host)}
    return Evidence([connection(one, kernel, rules, rest.get(f"/mptcp/connections/{quote(one['id'])}/events")["events"])
                     for one in seen],
                    [carried for host in network.clients for carried, remote in plain_connections(host)
                     if address_of(remote) in servers],
                    down, {one["name"]: one["capMbps"] for one in policies if one.get("capMbps")})


def _is_up(interface: str) -> bool:
    return bool(int(Path(f"/sys/class/net/{interface}/flags").read_text(encoding="ascii"), 16) & 1)


def connection(seen: Json, kernel: set[Ends], rules: Callable[[str], set[Ends]], events: Sequence[Json]) -> Connection:
    """A connection of ONOS's REST, as far as kernel and switches have it, too. ``kernel``: the subflows that hosts have;
    ``rules``: a switch → the subflows it has rules for; ``events``: of its life."""
    way = "Up" if (seen["measuredUpMbps"] or 0) >= (seen["measuredDownMbps"] or 0) else "Down"
    paths = []
    for subflow in seen["subflows"]:
        ends, path = (subflow["src"], subflow["dst"]), [netcfg.switch_name(device) for device in subflow["path"]]
        if subflow["state"] == "active" and path and ends in kernel and all(ends in rules(switch) for switch in path):
            paths.append(path)
    measured = seen[f"measured{way}Mbps"] or 0
    return Connection(seen["id"], seen["strategy"], seen["policy"], seen[f"expected{way}Mbps"], measured, paths,
                      [event["type"] for event in events if event["type"] != _MOVED or _FAILURE in (event["why"] or "")])
