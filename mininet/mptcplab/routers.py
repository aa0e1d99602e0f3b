# SPDX-License-Identifier: Apache-2.0
"""A router between the clients' subnet and the servers': what a topology says of it, and a Linux host that is one.

In a topology file, ``"router": {"nodes": ["5"]}`` attaches a router by one interface, which has an address in both subnets. With
two nodes it has an interface for each subnet, the clients' one first. ``"drops": [5999]`` lets it pass no TCP to these ports.
``"outside": {"delayMillis": 10, "capacityMbps": 100}`` puts the servers behind it, outside the switches: each at the end of a
link with that delay each way.
"""

import json
import math
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from . import delays, hosts
from .errors import UsageError
from .hosts import CLIENTS_SUBNET, PREFIX, PREFIX_V6, SERVERS_SUBNET, Host

NAME = "r1"

MAX_MBPS = 1000.0

_FIELDS = {"nodes", "drops", "outside"}
_OUTSIDE_FIELDS = {"delayMillis", "capacityMbps"}


@dataclass(frozen=True)
class Outside:
    """The links behind a router: delay each way in milliseconds, capacity in Mbit/s."""

    delay_millis: float
    mbps: float


@dataclass(frozen=True)
class Router:
    """``homes``: the switches of its interfaces, one or two, the clients' first; ``drops``: TCP ports to which it lets nothing
    pass; ``outside``: the links to the servers, None if these are in the network of switches."""

    homes: tuple[str, ...]
    drops: tuple[int, ...] = ()
    outside: Outside | None = None


def read(data: Any, switches: Mapping[str | int, str], name: str) -> Router | None:
    """The router that a topology file's ``"router"`` tells of; None without one. UsageError says what is wrong.

    ``switches``: a node's name in the file → its switch; ``name``: appears in messages.
    """
    if data is None:
        return None
    where = f"{name}: \"router\""
    fields = _object(data, _FIELDS, where)
    nodes = fields.get("nodes")
    if not isinstance(nodes, list) or not 1 <= len(nodes) <= 2 or any(
            not isinstance(node, str | int) or node not in switches for node in nodes) or len(set(nodes)) < len(nodes):
        raise UsageError(f"{where} has \"nodes\" {json.dumps(nodes)}: give a list of one node, or of two for two interfaces")
    drops = fields.get("drops", [])
    if not isinstance(drops, list) or any(isinstance(port, bool) or not isinstance(port, int) or not 1 <= port <= 65535
                                          for port in drops):
        raise UsageError(f"{where} has \"drops\" {json.dumps(drops)}: give a list of TCP ports from 1 to 65535")
    outside = None
    if "outside" in fields:
        if len(nodes) > 1:
            raise UsageError(f"{where} has \"outside\" and two nodes: with servers outside it has one")
        found = _object(fields["outside"], _OUTSIDE_FIELDS, f"{where}, \"outside\"")
        outside = Outside(_number(found, "delayMillis", 0, delays.MAX_MILLIS, where),
                          _number(found, "capacityMbps", 0.1, MAX_MBPS, where))
    return Router(tuple(switches[node] for node in nodes), tuple(drops), outside)


def _object(data: Any, fields: set[str], where: str) -> dict[str, Any]:
    if not isinstance(data, dict) or set(data) - fields:
        raise UsageError(f"{where} is {json.dumps(data)}: it must be an object with {', '.join(sorted(fields))} alone")
    return data


def _number(data: Mapping[str, Any], field: str, least: float, most: float, where: str) -> float:
    value = data.get(field)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or not least <= value <= most:
        raise UsageError(f"{where}: \"{field}\" is {json.dumps(value)}: it must be a number from {least:g} to {most:g}")
    return float(value)


def outside_link(server: str) -> str:
    """The name of the Mininet host that is the link between a router and a server outside."""
    return f"o{server.removeprefix('h')}"


def configure(host: Host, router: Router, servers: Mapping[str, list[str]], ipv6: bool) -> None:
    """Makes a Mininet host a router, as distributions have one. LabError if the kernel refuses any of it.

    ``servers``: the addresses behind each interface to the outside.
    """
    for command in _commands(host, router, servers, ipv6):
        hosts.do(host, command)


def _commands(host: Host, router: Router, servers: Mapping[str, list[str]], ipv6: bool) -> Iterator[str]:
    inside = [hosts.interface(host, index) for index in range(len(router.homes))]
    for name in (*inside, *servers):
        yield f"ethtool -K {name} tx off"
        yield f"ip link set {name} up"
    # Loose, as systemd has it. Redirects would tell hosts of one wire to do without the router.
    yield ("sysctl -q -w net.ipv4.ip_forward=1 net.ipv4.conf.all.rp_filter=2 net.ipv4.conf.all.send_redirects=0 "
           "net.ipv4.conf.default.send_redirects=0")
    for name in (*inside, *servers):
        yield f"sysctl -q -w net.ipv4.conf.{name}.send_redirects=0"
    yield f"sysctl -q -w net.ipv6.conf.all.disable_ipv6={0 if ipv6 else 1} net.ipv6.conf.all.forwarding={1 if ipv6 else 0}"
    # Of IPv4 alone: a router asks for its neighbours by its link-local address.
    yield f"ip -4 address flush dev {inside[0]}"
    for subnet, name in ((CLIENTS_SUBNET, inside[0]), *([] if servers else [(SERVERS_SUBNET, inside[-1])])):
        yield from _address(subnet, name, ipv6)
    for name, addresses in servers.items():
        yield f"ip address add {hosts.gateway(SERVERS_SUBNET)}/32 dev {name}"
        if ipv6:
            yield f"ip address add {hosts.gateway(SERVERS_SUBNET, ipv6)}/128 dev {name} nodad"
        for address in addresses:
            yield f"ip route add {address} dev {name}"
    for port in router.drops:
        # Every kernel can do that; not each has nftables.
        yield f"ip rule add ipproto tcp dport {port} blackhole"
        if ipv6:
            yield f"ip -6 rule add ipproto tcp dport {port} blackhole"


def _address(subnet: int, name: str, ipv6: bool) -> Iterator[str]:
    yield f"ip address add {hosts.gateway(subnet)}/{PREFIX} dev {name}"
    if ipv6:
        yield f"ip address add {hosts.gateway(subnet, ipv6)}/{PREFIX_V6} dev {name} nodad"


def start_link(link: Host, router: Router) -> subprocess.Popen[bytes]:
    """Lets a Mininet host with two interfaces pass frames between them, with the delay that a router's links outside have.
    LabError if it does not begin."""
    delay = router.outside.delay_millis if router.outside else 0
    return delays.start(link, delay, delay)
