# SPDX-License-Identifier: Apache-2.0
"""What a cluster of ONOS nodes has done while it was disturbed, as a list of events, and what of it may not be.

The test that disturbs it writes the history; ``problems`` alone decides, from nothing but the history, whether it is right. So a
history can be kept, and checked again. Each event is an object of JSON with ``kind`` and ``at`` (seconds since the beginning):

* ``look``: ``node`` was asked from ``asked`` to ``at`` who decides, and said ``decides`` in ``term``;
* ``fault``, ``healed``: ``what`` was done, and that all of it was undone;
* ``operator``: ``what`` the log of a node asked for, and was done;
* ``opened``, ``ended``: the transfer to the server's ``port`` with bytes ``sent`` and ``arrived``, its longest ``stall`` in
  seconds, and the ``error``, if there was one;
* ``settled``: what all nodes, ONOS's stores and the switches had when they came to rest, or when the time for that was over.
"""

import collections
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

Event = Mapping[str, Any]

MOST_STALL_SECONDS = 60
"""All nodes that restart at once, the longest of the losses in docs/cluster.md, may take as long."""

_MOST_ODD_MBPS = 0.01


def read(file: Path) -> list[Event]:
    """The events of a file, one in each line."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def problems(history: Sequence[Event]) -> list[str]:
    """What is wrong with a history, one sentence for each; empty if nothing is."""
    found = [*_leaders(history), *_transfers(history)]
    known: dict[int, Event] = {}
    for event in history:
        if event["kind"] == "settled":
            before = {port: seen for port, seen in known.items() if port in event["transfers"]}
            found += [f"settled at {event['at']:.0f} s: {one}" for one in unsettled(event, before)]
            known = by_port(event)
    if not any(event["kind"] == "settled" for event in history):
        found.append("the cluster never came to rest")
    return found


def unsettled(event: Event, before: Mapping[int, Event]) -> list[str]:
    """What is wrong with a state at rest.

    ``event``: ``alive`` nodes; ``nodes``, by name, each with ``leader``, ``ready``, ``connections`` and ``intents`` (key → its
    state); ``rules``, each with ``switch``, ``src`` and ``dst``; ``booked``, ``shares`` and ``capacity`` in Mbit/s by directed
    link; ``transfers``, the servers' ports of those that run. ``before``: connections that must still be there, by port.
    """
    return [*_one_leader(event), *_same_connections(event), *_nothing_lost(event, before), *_intents(event), *_rules(event),
            *_bookings(event)]


def by_port(event: Event) -> dict[int, Event]:
    """The connections that a node tells in a state at rest, by their server's port."""
    return {_port(one): one for node in event["nodes"].values() for one in node["connections"]}


def _leaders(history: Iterable[Event]) -> Iterator[str]:
    """Terms: each has one leader, and after one has decided in a later term, nobody does in an earlier one.

    An answer comes some time after its question. So only what was asked after another answer had come is later for certain.
    """
    looks = sorted((event for event in history if event["kind"] == "look" and event["decides"]), key=lambda look: look["at"])
    owners: dict[int, str] = {}
    for look in looks:
        owner = owners.setdefault(look["term"], look["node"])
        if owner != look["node"]:
            yield f"{owner} and {look['node']} both decide in term {look['term']}"
    answered, highest = 0, (0, "", 0.0)
    for look in sorted(looks, key=lambda each: each["asked"]):
        while answered < len(looks) and looks[answered]["at"] < look["asked"]:
            earlier = looks[answered]
            highest = max(highest, (earlier["term"], earlier["node"], earlier["at"]))
            answered += 1
        if look["term"] < highest[0]:
            yield (f"{look['node']} decides at {look['at']:.1f} s in term {look['term']}, after {highest[1]} did at "
                   f"{highest[2]:.1f} s in term {highest[0]}")


def _transfers(history: Iterable[Event]) -> Iterator[str]:
    running = set()
    for event in history:
        if event["kind"] == "opened":
            running.add(event["port"])
        elif event["kind"] == "ended":
            running.discard(event["port"])
            if event["error"]:
                yield f"transfer {event['port']} failed: {event['error']}"
            elif event["sent"] != event["arrived"]:
                yield f"transfer {event['port']}: {event['sent']} bytes sent, {event['arrived']} arrived"
            elif event["stall"] > MOST_STALL_SECONDS:
                yield f"transfer {event['port']} stood for {event['stall']:.0f} s"
    for port in sorted(running):
        yield f"transfer {port} never ended"


def _one_leader(event: Event) -> Iterator[str]:
    leaders = {node["leader"] for node in event["nodes"].values()}
    if len(leaders) != 1 or not leaders <= set(event["alive"]):
        yield f"the nodes name {sorted(map(str, leaders))}, alive are {event['alive']}"
    waiting = [name for name, node in event["nodes"].items() if not node["ready"]]
    if waiting:
        yield f"not ready for connections: {waiting}"


def _same_connections(event: Event) -> Iterator[str]:
    seen = {name: sorted((one["id"], sorted(_routes(one).items())) for one in node["connections"])
            for name, node in event["nodes"].items()}
    if len({repr(one) for one in seen.values()}) > 1:
        yield f"the nodes tell different connections: {seen}"


def _nothing_lost(event: Event, before: Mapping[int, Event]) -> Iterator[str]:
    ports = collections.Counter(_port(one) for one in _connections(event))
    for port, count in ports.items():
        if count > 1:
            yield f"{count} connections to port {port}"
        if port not in event["transfers"]:
            yield f"a connection to port {port}, whose transfer has ended"
    now = by_port(event)
    for port, earlier in before.items():
        if port not in now:
            yield f"connection {earlier['id']} to port {port} is lost"
            continue
        if now[port]["id"] != earlier["id"]:
            yield f"connection {earlier['id']} to port {port} is now {now[port]['id']}"
        missing = set(_routes(earlier)) - set(_routes(now[port]))
        if missing:
            yield f"connection {earlier['id']} has lost subflows {sorted(missing)}"
    for one in _connections(event):
        bare = [way for way, path in _routes(one).items() if not path]
        if bare:
            yield f"connection {one['id']} has subflows without a path: {bare}"


def _intents(event: Event) -> Iterator[str]:
    wanted = len(_connections(event))
    for name, node in event["nodes"].items():
        if len(node["intents"]) != wanted or any(state != "INSTALLED" for state in node["intents"].values()):
            yield f"{name}: intents {node['intents']} for {wanted} connections"


def _rules(event: Event) -> Iterator[str]:
    there = collections.Counter((rule["switch"], rule["src"], rule["dst"]) for rule in event["rules"])
    wanted = {(switch, *ends) for one in _connections(event) for (src, dst), path in _routes(one).items()
              for switch in path for ends in ((src, dst), (dst, src))}
    for rule, count in there.items():
        if rule not in wanted:
            yield f"a rule of nobody: {rule}"
        elif count > 1:
            yield f"{count} times the same rule: {rule}"
    for rule in sorted(wanted - set(there)):
        yield f"a missing rule: {rule}"


def _bookings(event: Event) -> Iterator[str]:
    for link in sorted({*event["booked"], *event["shares"]}):
        booked, share = event["booked"].get(link, 0), event["shares"].get(link, 0)
        if abs(booked - share) > _MOST_ODD_MBPS:
            yield f"{link}: {booked} Mbit/s booked for shares of {share}"
        if booked > event["capacity"].get(link, 0) + _MOST_ODD_MBPS:
            yield f"{link}: {booked} Mbit/s booked of {event['capacity'].get(link, 0)}"


def _connections(event: Event) -> list[Event]:
    """As the first node tells them; that all tell the same is looked at elsewhere."""
    return list(next(iter(event["nodes"].values()))["connections"]) if event["nodes"] else []


def _port(connection: Event) -> int:
    return int(connection["subflows"][0]["dst"].rpartition(":")[2])


def _routes(connection: Event) -> dict[tuple[str, str], list[str]]:
    return {(subflow["src"], subflow["dst"]): subflow["path"] for subflow in connection["subflows"]}
