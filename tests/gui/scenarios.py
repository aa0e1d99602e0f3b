# SPDX-License-Identifier: Apache-2.0
"""The invented networks that the page is tested with, by their names."""

import json
import math
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from scenario import HOSTILE, STRATEGIES, Scenario, address


def diamond(**options: Any) -> Scenario:
    """Three disjoint paths between switches 1 and 5; a busy connection, and its nearly idle control connection."""
    scenario = Scenario(5, [(1, 2), (1, 3), (1, 4), (2, 5), (3, 5), (4, 5)], {1: 1, 2: 5}, **options)
    scenario.connect(1, 2, identifier="mptcp-data")
    scenario.connect(1, 2, subflows=1, rate=0.01, identifier="mptcp-control")
    scenario.connections["mptcp-control"]["createdMillis"] = scenario.connections["mptcp-data"]["createdMillis"] - 40
    return scenario


def demonstration() -> Scenario:
    """The diamond as the testbed has it: hosts have names."""
    return diamond(name=lambda kind, number: f"{'s' if kind == 'switch' else 'h'}{number}")


def routed() -> Scenario:
    """Two subnets and a router between them: a transfer with a leg on each side. Links have delays and shared-risk groups.

    Beside it parallel links, and a server that takes no further subflow, whose connection ends at the router.
    """
    links = [(1, 2), (1, 3), (1, 4), (2, 5), (3, 5), (4, 5), (5, 6), (5, 6), (5, 7), (6, 8), (6, 8), (7, 8)]
    client, server, router, outside = 1, 258, 254, 600
    scenario = Scenario(8, links, {client: 1, server: 8, router: 5})
    scenario.hosts[2]["ips"] = [address(router), "10.0.1.254"]
    for (a, b), delay, groups in (((1, 2), 2.5, []), ((2, 5), 2.5, []), ((1, 3), 5.0, ["duct-7"]), ((3, 5), 5.0, ["bridge"]),
                                  ((1, 4), 20.0, ["duct-7", "bridge"]), ((4, 5), 20.0, []), ((5, 6), 1.5, []), ((6, 8), 1.5, []),
                                  ((5, 7), 1.0, []), ((7, 8), 1.0, [])):
        scenario.traits[frozenset((a, b))] = {"delayMillis": delay, "srlg": groups, "capacitySource": "basic.bandwidth"}
    for identifier, between in (("mptcp-near", (client, router)), ("mptcp-far", (router, server))):
        scenario.connect(client, server, identifier=identifier, between=between, port=41000)
        scenario.connections[identifier]["createdMillis"] = scenario.millis - 4000
    scenario.connections["mptcp-near"]["subflows"][2].update(backup=True, state="backup", expectedMbps=0.0, expectedUpMbps=0.0,
                                                             expectedDownMbps=0.0)
    scenario.connections["mptcp-near"]["disjointIn"] = ["link", "node", "srlg"]
    scenario.connect(client, outside, subflows=1, rate=0.4, identifier="mptcp-outside", between=(client, router), port=42000)
    scenario.connections["mptcp-outside"].update(deniesJoins=True, disjointIn=[], clientToken="00c0ffee", serverToken="0badcafe")
    return scenario


def hostile() -> Scenario:
    """The diamond with markup where names are."""
    scenario = diamond(name=lambda kind, number: f"{HOSTILE}{kind}{number}")
    scenario.connections["mptcp-data"]["strategy"] = HOSTILE
    scenario.life["mptcp-data"][0]["text"] = HOSTILE
    scenario.counters[HOSTILE] = 1
    return scenario


def cities() -> Scenario:
    """The cities of OS3E with their coordinates, and four connections between hosts in some of them."""
    file = Path(__file__).resolve().parents[2] / "mininet/mptcplab/topologies/os3e.json"
    network = json.loads(file.read_text(encoding="utf-8"))
    number = {node["id"]: n for n, node in enumerate(network["nodes"], 1)}
    scenario = Scenario(
        len(number), [(number[link["source"]], number[link["target"]]) for link in network["links"]],
        {10 * i + end: number[city] for i, pair in enumerate(network["pairs"], 1) for end, city in enumerate(pair)},
        name=lambda kind, n: network["nodes"][n - 1]["id"] if kind == "switch" else None,
        places={number[node["id"]]: (node["latitude"], node["longitude"]) for node in network["nodes"]})
    for i in range(1, len(network["pairs"]) + 1):
        scenario.connect(10 * i, 10 * i + 1, subflows=3, rate=1.07, identifier=f"cities-{i}")
    return scenario


def fattree() -> Scenario:
    """A fat tree of switches with four ports, with two hosts at each edge switch and a connection between the first two pods."""
    file = Path(__file__).resolve().parents[2] / "mininet/mptcplab/topologies/fattree4.json"
    network = json.loads(file.read_text(encoding="utf-8"))
    names = [node["id"] for node in network["nodes"]]
    number = {name: n for n, name in enumerate(names, 1)}
    edges = [n for name, n in number.items() if "edge" in name]
    scenario = Scenario(
        len(names), [(number[link["source"]], number[link["target"]]) for link in network["links"]],
        {2 * i + end: edge for i, edge in enumerate(edges, 1) for end in (0, 1)},
        name=lambda kind, n: names[n - 1] if kind == "switch" else None)
    scenario.connect(2, 6, subflows=2, identifier="across")
    return scenario


def gridded() -> Scenario:
    """The diamond with places on a grid."""
    scenario = diamond()
    for device, (x, y) in zip(scenario.devices, [(0, 100), (200, 0), (200, 100), (200, 200), (400, 100)]):
        device.update(gridX=x, gridY=y)
    return scenario


def twins(number: int = 20) -> Scenario:
    """The diamond with many connections between the same two hosts."""
    scenario = diamond(capacity=1000.0)
    for index in range(number):
        scenario.connect(1, 2, subflows=1 + index % 3, rate=2.0 + index)
    return scenario


def crowd(number: int = 10_000) -> Scenario:
    """The diamond with very many connections."""
    scenario = Scenario(5, [(1, 2), (1, 3), (1, 4), (2, 5), (3, 5), (4, 5)], {1: 1, 2: 5}, capacity=10_000.0)
    for index in range(number):
        scenario.connect(1, 2, subflows=2, rate=0.5 + (index % 40) / 10, strategy=STRATEGIES[index % 3])
    return scenario


def big(switches: int = 500, links: int = 1500, connections: int = 1000) -> Scenario:
    """A connected random network of that size."""
    chance = random.Random(7)
    places = [(chance.random(), chance.random()) for _ in range(switches)]

    def near(n: int, others: Iterable[int]) -> list[int]:
        return sorted(others, key=lambda m: math.dist(places[n - 1], places[m - 1]))
    pairs = {(near(n, range(1, n))[0], n) for n in range(2, switches + 1)}
    rank = 1
    while len(pairs) < links:
        for n in range(1, switches + 1):
            other = near(n, [m for m in range(1, switches + 1) if m != n])[rank]
            if len(pairs) < links:
                pairs.add((min(n, other), max(n, other)))
        rank += 1
    hosts = {h: chance.randrange(1, switches + 1) for h in range(1, 101)}
    scenario = Scenario(switches, sorted(pairs), hosts, capacity=100.0)
    for _ in range(connections):
        client, server = chance.sample(range(1, 101), 2)
        scenario.connect(client, server, subflows=3, rate=chance.uniform(0.5, 6))
    return scenario


def empty() -> Scenario:
    """A controller to which nothing is connected."""
    return Scenario(0, [], {})


SCENARIOS: dict[str, Callable[[], Scenario]] = {
    "diamond": diamond, "demonstration": demonstration, "routed": routed, "hostile": hostile, "cities": cities,
    "fattree": fattree, "gridded": gridded, "twins": twins, "crowd": crowd, "big": big, "empty": empty}
