# SPDX-License-Identifier: Apache-2.0
"""Invented networks with active connections, as the controller's REST interface describes them."""

import collections
import json
import math
import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

Json = dict[str, Any]


# Golden files give the names of strategies. replay.test.mjs compares the fields of all answers with them.
GOLDEN = Path(__file__).resolve().parents[2] / "app/controller/src/test/resources/golden"
SETTINGS = json.loads((GOLDEN / "settings.json").read_text(encoding="utf-8"))
STRATEGIES = SETTINGS["strategies"]
HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>"\'&amp;{{7*7}}'


class Scenario:
    """A network and its connections; ``step`` lets time pass.

    Args: switches and links (pairs of switch numbers), hosts (host → switch), capacity in Mbit/s per direction, places (switch →
    latitude and longitude).
    """

    def __init__(self, switches: int, links: Iterable[tuple[int, int]], hosts: Mapping[int, int], capacity: float = 10.0,
                 name: Callable[[str, int], str | None] = lambda kind, number: f"s{number}" if kind == "switch" else None,
                 seed: int = 1,
                 places: Mapping[int, tuple[float, float]] | None = None) -> None:
        self._random = random.Random(seed)
        self._capacity = capacity
        self.millis = int(time.time() * 1000)
        self.devices = [{"id": _device(n), "name": name("switch", n), **dict(zip(("latitude", "longitude"), place)),
                         "gridX": None, "gridY": None}
                        for n in range(1, switches + 1) for place in [(places or {}).get(n, (None, None))]]
        ports: collections.Counter[int] = collections.Counter()
        self.ends = {}
        self.around = collections.defaultdict(list)
        for a, b in links:
            ports[a] += 1
            ports[b] += 1
            there, back = f"{_device(a)}/{ports[a]}", f"{_device(b)}/{ports[b]}"
            self.ends[there], self.ends[back] = (a, b, back), (b, a, there)
            self.around[a].append((b, there))
            self.around[b].append((a, back))
        self.hosts = [{"id": _host(h), "name": name("host", h), "mac": _host(h).split("/")[0], "ips": [address(h)],
                       "device": _device(s), "deviceName": name("switch", s), "port": str(200 + h)} for h, s in hosts.items()]
        self._names: dict[str, str | None] = {**{_device(n): name("switch", n) for n in range(1, switches + 1)},
                                              **{_host(h): name("host", h) for h in hosts}}
        self._at = dict(hosts)
        self.connections: dict[str, Json] = {}
        self.ended: list[Json] = []
        self.life: dict[str, list[Json]] = collections.defaultdict(list)
        self.dead: set[str] = set()
        self.failed: dict[str, list[Json]] = {"devices": [], "links": []}
        # By the numbers of both switches: fields of a link that differ from the others'.
        self.traits: dict[frozenset[int], Json] = {}
        self.counters = {"syn": 12, "mp-capable": 2, "mp-join": 4, "malformed-length": 3, "refused-table-full": 0}
        self.version = "0.1.0.SNAPSHOT"
        self.kept = dict(SETTINGS)
        self.policies: list[Json] = [{"name": "video", "ports": [443], "weight": 2.0}]
        self.refused_strategy: str | None = None

    def connect(self, client: int, server: int, subflows: int = 3, rate: float | None = None, identifier: str | None = None,
                strategy: str = "widest-disjoint", between: tuple[int, int] | None = None, port: int | None = None) -> str:
        """Opens a connection whose subflows take link-disjoint shortest paths. Returns its name.

        Args: between (the hosts between which its frames run, of which one may be a router), port (of the first subflow).
        """
        identifier = identifier or f"mptcp-{len(self.life) + 1:04x}"
        source, target = between or (client, server)
        port = port or 38130 + 10 * (len(self.life) % 2000)
        flows: list[Json] = []
        used: set[str] = set()
        for index in range(subflows):
            path, ports = self.path(self._at[source], self._at[target], used)
            used |= {self._link(one) for one in ports}
            expected = rate if rate is not None else self._capacity * 0.95
            flows.append({
                "src": f"{address(client)}:{port + index}",
                "dst": f"{address(server)}:5201", "state": "active" if ports else "down", "join": index > 0,
                "fromClient": True, "srcHost": _host(source), "dstHost": _host(target), "backup": False,
                "srcHostName": self._name(_host(source)), "dstHostName": self._name(_host(target)),
                **self._on(path, ports, expected, 0.2)})
        self.connections[identifier] = {
            "id": identifier, "client": address(client), "server": address(server), "version": 1,
            "deniesJoins": False, "disjointIn": ["link"],
            "clientToken": "1f2e3d4c", "serverToken": "5b6a7988", "state": "active", "policy": None, "strategy": strategy,
            "agent": False, "awaitedUntilMillis": None, "demandUpMbps": None, "demandDownMbps": 0.25,
            "fairUpMbps": 28.5, "fairDownMbps": 28.5, "availableUpMbps": 30.0, "availableDownMbps": 30.0,
            "createdMillis": self.millis - self._random.randrange(300_000), "lastActiveMillis": self.millis, "subflows": flows}
        self._tell(identifier, "opened", None, f"{address(client)} opened a connection to {address(server)}")
        for flow in flows[1:]:
            self._tell(identifier, "joined", flow, "a subflow joined", "MP_JOIN with the connection's token")
        self._sum(self.connections[identifier])
        return identifier

    def close(self, identifier: str) -> None:
        """Ends a connection; the next step tells."""
        self.ended.append({"endedMillis": self.millis, "connection": self.connections.pop(identifier)})

    def fail(self, a: int, b: int) -> None:
        """Takes the link between two switches away and moves the subflows that were on it."""
        gone = {port for port, (x, y, _) in self.ends.items() if {x, y} == {a, b}}
        self.dead |= gone
        port = min(gone)
        failed: Json = {**self._ends(port), "capacityMbps": self._capacity, "sinceMillis": self.millis,
                        "moved": []}
        self.failed["links"].append(failed)
        for connection in self.connections.values():
            for flow in connection["subflows"]:
                if gone & set(flow["links"]):
                    numbers = [int(device[3:], 16) for device in flow["path"]]
                    path, ports = self.path(numbers[0], numbers[-1], set())
                    before = " > ".join(f"s{n}" for n in numbers)
                    flow.update(**self._path(path), links=ports, state="active" if ports else "down")
                    if connection["id"] not in failed["moved"]:
                        failed["moved"].append(connection["id"])
                    self._tell(connection["id"], "moved", flow,
                               f"moved from {before} to {' > '.join(f's{n}' for n in path)}", "a link of its path went down")

    def mend(self, a: int, b: int) -> None:
        """Brings the link between two switches back. What has moved stays where it is."""
        back = {port for port, (x, y, _) in self.ends.items() if {x, y} == {a, b}}
        self.dead -= back
        self.failed["links"] = [failed for failed in self.failed["links"] if failed["source"] not in back]

    def path(self, source: int, target: int, used: Set[str]) -> tuple[list[int], list[str]]:
        """A shortest path that avoids used and dead links, or, if there is none, any shortest path: switches and ports."""
        for avoid in (used, set()):
            before: dict[int, tuple[int, str] | None] = {source: None}
            queue = collections.deque([source])
            while queue:
                node = queue.popleft()
                for other, port in self.around[node]:
                    if other not in before and port not in self.dead and self._link(port) not in avoid:
                        before[other] = (node, port)
                        queue.append(other)
            if target in before:
                path: list[int] = [target]
                ports: list[str] = []
                while step := before[path[0]]:
                    path.insert(0, step[0])
                    ports.insert(0, step[1])
                return path, ports
        return [], []

    def step(self, seconds: float = 1.0) -> None:
        """Lets time pass: rates waver around what is expected."""
        self.millis += int(seconds * 1000)
        wave = math.sin(self.millis / 9000)
        for connection in self.connections.values():
            for index, flow in enumerate(connection["subflows"]):
                if connection["state"] == "active" and flow["state"] == "active":
                    target = flow["expectedUpMbps"] * (0.93 + 0.04 * wave * (-1) ** index)
                    rate = flow["measuredUpMbps"]
                    flow["measuredUpMbps"] = round(rate + (target - rate) * 0.6 + self._random.gauss(0, 0.012 * target), 3)
                    flow["measuredDownMbps"] = round(flow["measuredUpMbps"] * 0.021, 3)
                else:
                    flow["measuredUpMbps"] = flow["measuredDownMbps"] = 0.0
            self._sum(connection)
        self.counters["syn"] += 1

    def topology(self) -> Json:
        """As GET /topology gives it."""
        return {"devices": self.devices, "hosts": self.hosts, "links": self.links(), "failed": self.failed}

    def links(self) -> list[Json]:
        """Both directions of every living link with their usage."""
        measured: dict[str, float] = collections.defaultdict(float)
        reserved: dict[str, float] = collections.defaultdict(float)
        users: dict[str, int] = collections.defaultdict(int)
        for connection in self.connections.values():
            for flow in connection["subflows"]:
                for port in flow["links"]:
                    back = self.ends[port][2]
                    for name, way in ((port, "Up"), (back, "Down")):
                        measured[name] += flow[f"measured{way}Mbps"]
                        reserved[name] += flow[f"expected{way}Mbps"]
                        users[name] += 1
        return [{**self._ends(port), "state": "up", "capacityMbps": self._capacity, "capacitySource": "portSpeed",
                 "delayMillis": None, "srlg": [], "reservedMbps": round(reserved[port], 3),
                 "measuredMbps": round(measured[port], 3), "othersMbps": 0.0, "subflows": users[port], **self._traits(port)}
                for port in self.ends if port not in self.dead]

    def settings(self) -> Json:
        """As the stream gives them."""
        return {"strategy": "widest-disjoint", "allocator": "max-min", "subflows": 3,
                "retentionSeconds": self.kept["retentionSeconds"], "strategies": STRATEGIES}

    def all_settings(self) -> Json:
        """As GET /settings gives them."""
        return {**self.kept, **self.settings(), "version": self.version, "millis": self.millis}

    def snapshot(self) -> Json:
        """The stream's first message."""
        return {"version": self.version, "millis": self.millis, "settings": self.settings(), "topology": self.topology(),
                "connections": list(self.connections.values()), "ended": self.ended, "bound": self.bound(),
                "counters": self.counters, "events": self.events(), "samples": self.samples()}

    def events(self) -> list[Json]:
        """The newest of all connections, as GET /events gives them."""
        return sorted((event for events in self.life.values() for event in events), key=lambda event: event["millis"])[-500:]

    def samples(self) -> Json:
        """Two minutes before the page is opened, in which rates rose."""
        times = range(-60, 0)
        flows = [(identifier, flow) for identifier, connection in list(self.connections.items())[:30]
                 for flow in connection["subflows"]]
        rising = [round(1 + index / 60, 3) for index in times]
        return {"millis": [self.millis + 2000 * index for index in times], "connections": [len(self.connections)] * 60,
                "subflows": [len(flows)] * 60, "measuredMbps": rising, "fairness": rising, "meanUtilisation": rising,
                "mostUtilisation": [None, *rising[1:]],
                "rates": [{"connection": identifier, "subflow": flow["src"],
                           "measuredMbps": [round(flow["expectedUpMbps"] * part, 3) for part in rising],
                           "expectedMbps": [flow["expectedUpMbps"]] * 60} for identifier, flow in flows]}

    def stop(self, switch: int) -> None:
        """Takes a switch away, with its links."""
        device = next(one for one in self.devices if one["id"] == _device(switch))
        for other in sorted({b for a, b, _ in self.ends.values() if a == switch}):
            self.fail(switch, other)
        self.devices.remove(device)
        self.failed["devices"].append({**device, "sinceMillis": self.millis})

    def bound(self) -> Json | None:
        """As the stream gives the comparison with the best of any routing."""
        active = [one for one in self.connections.values() if one["state"] == "active"]
        expected = sum(one["expectedUpMbps"] for one in active)
        return None if not active else {
            "millis": self.millis, "connections": len(active), "sumMbps": round(expected / 0.96, 3), "sumFraction": 0.96,
            "smallestMbps": min(one["expectedUpMbps"] for one in active), "smallestFraction": 1.0}

    def background_plan(self) -> list[Json]:
        """As GET /plan/background answers: each active connection that has another would change places with it."""
        active = [one for one in self.connections.values() if one["state"] == "active" and one["subflows"]]
        return [{"id": one["id"], "expectedUpMbps": one["expectedUpMbps"] + 1, "expectedDownMbps": one["expectedDownMbps"],
                 "subflows": [{**one["subflows"][0], **{way: one["subflows"][0][way][::-1] for way in ("path", "pathNames")}},
                              *one["subflows"][1:]]}
                for one in active[:2] if len(active) > 1]

    def limits(self, identifier: str) -> tuple[int, Json]:
        """As GET /connections/ID/limits answers, as if the first link of each path were full; (status, body)."""
        connection = self.connections.get(identifier)
        firsts = [flow["links"][0] for flow in connection["subflows"] if flow["links"]] if connection else []
        if not firsts:
            return 409, {"code": 409, "message": f"MPTCP connection {identifier} has no path between two switches now"}
        full = [{**self._ends(port), "capacityMbps": self._capacity, "gainMbps": 1.0,
                 "connections": [other["id"] for other in self.connections.values()
                                 if any(port in flow["links"] for flow in other["subflows"])]} for port in firsts]
        cut = [self._ends(port) for _, port in self.around[self.ends[firsts[0]][0]]
               if port not in self.dead]
        return 200, {"direction": "up", "limitedByDemand": False, "limitedBy": full, "minimumCut": cut}

    def what_if(self, question: Json) -> tuple[int, Json]:
        """As POST /whatif answers; (status, body)."""
        by_id = {host["id"]: number for number, host in zip(self._at, self.hosts)}
        client, server = by_id.get(question["client"]), by_id.get(question["server"])
        if client is None or server is None:
            return 400, {"code": 400, "message": f"No host {question['client']}"}
        answers = []
        for strategy in question["strategies"]:
            if strategy not in STRATEGIES or strategy == self.refused_strategy:
                answers.append({"strategy": strategy, "error": f"no path strategy '{strategy}'"})
                continue
            flows: list[Json] = []
            used: set[str] = set()
            for _ in range(question["k"] if strategy != "shortest" else 1):
                path, ports = self.path(self._at[client], self._at[server], used)
                if flows and {self._link(p) for p in ports} & used:
                    break
                used |= {self._link(p) for p in ports}
                flows.append({"src": f"{address(client)}:0", "dst": f"{address(server)}:0", "state": "active",
                              "srcHost": None, "dstHost": None, "srcHostName": None, "dstHostName": None, "backup": False,
                              "join": len(flows) > 0, "fromClient": True,
                              **self._on(path, ports, self._capacity / 2, self._capacity / 2)})
            total = sum(flow["expectedMbps"] for flow in flows)
            answers.append({"strategy": strategy, "error": None, "expectedMbps": total, "expectedUpMbps": total,
                            "expectedDownMbps": total, "micros": 41, "subflows": flows})
        return 200, {"answers": answers}

    def _on(self, path: list[int], ports: Sequence[str], up: float, down: float) -> Json:
        """What REST tells of a subflow on a path, with what is expected in each direction."""
        return {**self._path(path), "links": ports, "bottleneckMbps": self._capacity if ports else None,
                "expectedMbps": max(up, down), "expectedUpMbps": up, "expectedDownMbps": down, "measuredUpMbps": 0.0,
                "measuredDownMbps": 0.0, "ratio": 0.0, "delayMillis": self._delay(ports)}

    def _path(self, path: Iterable[int]) -> Json:
        devices = [_device(switch) for switch in path]
        return {"path": devices, "pathNames": [self._name(device) for device in devices]}

    def _ends(self, port: str) -> Json:
        """A directed link by its ports, with what these are called."""
        target = self.ends[port][2]
        return {"source": port, "target": target, "sourceName": self._port_name(port), "targetName": self._port_name(target)}

    def _port_name(self, port: str) -> str:
        device, number = port.split("/")
        return f"{self._name(device)}/{number}"

    def _name(self, identifier: str) -> str | None:
        """What a switch or a host is called; None if it has no name."""
        return self._names.get(identifier)

    def _delay(self, ports: Sequence[str]) -> float | None:
        return sum(self._traits(port).get("delayMillis", 0) for port in ports) if ports and self.traits else None

    def _traits(self, port: str) -> Json:
        return self.traits.get(frozenset(self.ends[port][:2]), {})

    def _link(self, port: str) -> str:
        return min(port, self.ends[port][2])

    def _sum(self, connection: Json) -> None:
        for kind in ("expectedUp", "expectedDown", "measuredUp", "measuredDown"):
            connection[f"{kind}Mbps"] = round(sum(flow[f"{kind}Mbps"] for flow in connection["subflows"]), 3)
        for one in (connection, *connection["subflows"]):
            one["ratio"] = round(one["measuredUpMbps"] / one["expectedUpMbps"], 3) if one["expectedUpMbps"] else None

    def _tell(self, identifier: str, kind: str, flow: Json | None, text: str, why: str | None = None) -> None:
        self.life[identifier].append({
            "millis": self.millis, "connection": identifier, "type": kind, "text": text, "why": why,
            "subflow": f"{flow['src']}>{flow['dst']}" if flow else None})


def _device(number: int) -> str:
    return f"of:{number:016x}"


def address(host: int) -> str:
    return f"10.0.{host // 256}.{host % 256}"


def _host(number: int) -> str:
    return f"00:00:00:00:{number // 256:02X}:{number % 256:02X}/None"
