# SPDX-License-Identifier: Apache-2.0
"""What ONOS has to be told about the network: ports report 10 Gbit/s whatever their rate limit is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from .rest import Json

if TYPE_CHECKING:  # the options are read before Mininet is installed
    from .network import Network


def device_id(switch: str) -> str:
    """ONOS's name for switch ``s7``: ``of:0000000000000007``."""
    return f"of:{int(switch[1:]):016x}"


def switch_name(device: str) -> str:
    """The switch behind ONOS's name for it."""
    return f"s{int(device.split(':', 1)[1], 16)}"


def configuration(network: Network) -> Json:
    """Network configuration: the capacity of every switch port, in the direction out of it, what the topology says of
    links' delays and groups, the names of switches and hosts, and where they are on the map."""
    return {**capacities(network), **links(network), **_names_and_places(network)}


def links(network: Network) -> Json:
    """Network configuration with the delay of each link, both ways, and its shared-risk link groups."""
    found: Json = {}
    for link in network.topology.links:
        for ends, delay in zip((link.ends, link.ends[::-1]), link.delays):
            says: Json = {"basic": {"latency": round(delay * 1e6)}} if delay is not None else {}
            if link.groups:
                says["srlg"] = list(link.groups)
            if says:
                found[link_key(network, *ends)] = says
    return {"links": found} if found else {}


def link_key(network: Network, there: tuple[str, str], back: tuple[str, str]) -> str:
    """ONOS's name for the direction of a link that begins at ``there``, of its two ends (switch, neighbour)."""
    return "-".join(f"{device_id(end[0])}/{network.port(*end)}" for end in (there, back))


def _names_and_places(network: Network) -> Json:
    places = network.topology.places
    # GUI2 draws hosts without coordinates anywhere, outside the window, too.
    beside: dict[str, int] = {}
    at_hosts = {}
    for mac, switch, name in network.attachments():
        number = beside[switch] = beside.get(switch, -1) + 1
        place = _beside(places, switch, number) if switch in places else None
        at_hosts[f"{mac}/None"] = {"basic": {"name": name, **_place(place)}}
    return {"devices": {device_id(switch): {"basic": {"name": name, **_place(places.get(switch))}}
                        for switch, name in network.topology.names.items()}, "hosts": at_hosts}


def _place(place: tuple[float, float] | None) -> Json:
    return {} if place is None else {"locType": "geo", "latitude": place[0], "longitude": place[1]}


def _beside(places: Mapping[str, tuple[float, float]], switch: str, number: int) -> tuple[float, float]:
    """A place for the host of this number at a switch: a little beside it on a map of all, each in another direction."""
    latitude, longitude = places[switch]
    spans = [max(values) - min(values) for values in zip(*places.values())]
    step = max(*spans, 1.0) / 25
    angle = math.radians(-60 - 75 * number)
    return (max(-90.0, min(90.0, round(latitude + step * math.sin(angle), 4))),
            max(-180.0, min(180.0, round(longitude + step * math.cos(angle), 4))))


def capacities(network: Network) -> Json:
    """Network configuration with the capacity of every switch port, in the direction out of it."""
    ports = {}
    for a, b in network.neighbours():
        if a in network.topology.switches:
            connect_point = f"{device_id(a)}/{network.port(a, b)}"
            ports[connect_point] = {"bandwidthCapacity": {"capacityMbps": _number(network.rate(a, b))}}
    return {"ports": ports}


def _number(mbps: float) -> float:
    """Whole where it is: some versions of ONOS read whole numbers only."""
    return int(mbps) if mbps == int(mbps) else mbps
