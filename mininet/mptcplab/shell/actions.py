# SPDX-License-Identifier: Apache-2.0
"""What a running demonstration does when it is asked to. An action gives lines to print, or facts for the one who asks."""

from __future__ import annotations

import contextlib
import itertools
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from .. import netcfg
from ..errors import LabError, UsageError
from ..openvswitch import keeps_syns
from ..processes import wait_for
from ..rest import Json
from ..transfer import IPERF_PORT, MOST_SECONDS, MPTCP, Transfer
from .exercises import EXERCISES, gather, missing

if TYPE_CHECKING:
    from ..testbed import Testbed

LEAST_MBPS, MOST_MBPS = 0.1, 1000.0
"""Between these a link's capacity can be set."""

FIRST_PORT = IPERF_PORT + 200
"""Of the first transfer that is asked for; each has the next one."""

_PORTS = range(FIRST_PORT, FIRST_PORT + 1000)
_LOOK_BEFORE_END = 0.7
_CONNECTED_SECONDS = 20
_POLICY_SECONDS = 10


class Actions:
    """``testbed`` is up while they are asked, by several threads at once. UsageError says what a request should have been."""

    def __init__(self, testbed: Testbed) -> None:
        self._testbed, self._network, self._onos = testbed, testbed.network, testbed.onos
        self._ports = itertools.cycle(_PORTS)
        self._lock = threading.Lock()

    def names(self) -> Json:
        """What completion and the page offer: ``hosts`` and ``links``; ``ports`` has what ONOS calls a link's two ends, by its
        name."""
        network, topology = self._network, self._network.topology
        return {"hosts": [host.name for host in network.hosts_and_router()], "links": topology.link_names(),
                "ports": {name: [f"{netcfg.device_id(a)}/{network.port(a, b)}" for a, b in link.ends]
                          for name, link in zip(topology.link_names(), topology.links)}}

    def host(self, name: str) -> Json:
        """``pid``, as it is numbered in here, of the process that has the host's network namespace, its ``addresses`` and
        ``switches``."""
        host = self._testbed.host(name)
        return {"pid": host.pid, "addresses": self._network.addresses(host), "switches": list(self._network.homes(host))}

    def interface(self, place: str) -> Json:
        """Where to capture what a link carries, or what a host sends and gets: ``interface``, and ``pid`` of the host or None."""
        if "-" in place:
            return {"pid": None, "interface": self._network.interface(*self._testbed.link(place))}
        return {"pid": self._testbed.host(place).pid, "interface": "any"}

    def status(self) -> Iterator[str]:
        """Hosts, links and connections at this moment."""
        network = self._network
        yield f" {'host':<6} {'at':<10} addresses"
        for host in network.hosts_and_router():
            yield f" {host.name:<6} {' '.join(network.homes(host)):<10} {' '.join(network.addresses(host))}"
        yield ""
        yield f" {'link':<12} {'state':<6} {'capacity':>9} {'reserved':>9} {'measured':>9}   Mbit/s, each direction"
        now = self.results()
        for link in now["links"]:
            rates = [_rate(link[field]) for field in ("reservedMbps", "measuredMbps")]
            yield (f" {link['source'] + ' → ' + link['target']:<12} {link['state']:<6} {link['capacityMbps']:>9.1f} "
                   f"{rates[0]:>9} {rates[1]:>9}")
        yield ""
        yield from _lines(now["connections"]) if now["connections"] else [" no connection has paths"]

    def results(self) -> Json:
        """``topology``, ``strategy``, ``allocator``, both directions of all ``links``, and ``connections`` that are not over."""
        network, settings = self._network, self._onos.settings()
        known = {link["source"]: link for link in self._onos.rest.get("/mptcp/links?state=up")["links"]}
        links = []
        for link in network.topology.links:
            for a, b in link.ends:
                usage = known.get(f"{netcfg.device_id(a)}/{network.port(a, b)}")
                links.append({"source": a, "target": b, "state": "up" if usage else "down", "capacityMbps": network.rate(a, b),
                              **{field: usage and usage[field] for field in ("reservedMbps", "measuredMbps")}})
        return {"topology": network.topology.name, "strategy": settings["strategy"], "allocator": settings["allocator"],
                "links": links, "connections": [_connection(one) for one in self._connections() if one["state"] != "idle"]}

    def check(self, exercise: str) -> Iterator[str | Json]:
        """Whether an exercise of the lab sheet is ``reached`` at this moment, and what is missing if not."""
        if exercise not in EXERCISES:
            raise UsageError(f"no exercise {exercise}: there are {', '.join(EXERCISES)}")
        lacking = missing(exercise, gather(self._testbed))
        yield from (f" missing: {one}" for one in lacking)
        yield f" {exercise}: not reached yet" if lacking else f" {exercise}: reached"
        yield {"reached": not lacking}

    def link(self, place: str, what: str) -> Iterator[str]:
        """Takes a link ``down`` or ``up``, or gives it so many Mbit/s in each direction, which ONOS is told."""
        ends, mbps = self._testbed.link(place), None if what in ("down", "up") else _mbps(what)
        with self._lock:
            if mbps is None:
                self._network.set_link(*ends, up=what == "up")
            else:
                self._network.set_rate(*ends, mbps)
                self._onos.rest.post("/network/configuration", netcfg.capacities(self._network))
        yield f"link {place} " + (f"is {what}" if mbps is None else f"has {mbps:g} Mbit/s in each direction")

    def transfer(self, source: str, target: str, seconds: int, tcp: bool, subflows: int | None,
                 given_up: Callable[[], bool]) -> Iterator[str | Json]:
        """A transfer over MPTCP, or over plain TCP; at its end what it got, as facts.

        ``subflows``: the most of each of its connections, by a policy of its own; None leaves that to hosts and settings.
        ``given_up``: whether nobody waits for it any more, which ends it.
        """
        if tcp and subflows is not None:
            raise UsageError("plain TCP has no subflows: leave out --tcp or --subflows")
        port = self._port(seconds)
        with self._at_most(subflows, source, port) if subflows is not None else contextlib.nullcontext():
            yield from self._transfer(source, target, seconds, port, tcp, given_up)

    def _transfer(self, source: str, target: str, seconds: int, port: int, tcp: bool,
                  given_up: Callable[[], bool]) -> Iterator[str | Json]:
        running = self._begin(source, target, seconds, port, tcp)
        try:
            with contextlib.suppress(LabError):
                wait_for("its last second", lambda: given_up() or not running.runs() or _is_late(running, seconds), seconds + 30)
            seen = [_connection(one) for one in self._connections() if _is_to(one, port)]
            if given_up():
                return
            running.finish()
        finally:
            running.stop()
        yield f" {running.goodput():.1f} Mbit/s of payload from {source} to {target} over {seconds} s"
        yield from _lines(seen) if seen else ()
        yield {"source": source, "target": target, "seconds": seconds, "protocol": "tcp" if tcp else "mptcp",
               "goodputMbps": round(running.goodput(), 3), "samples": running.samples(),
               "subflows": [subflow for one in seen for subflow in one["subflows"]]}

    def begin_transfer(self, source: str, target: str, seconds: int, tcp: bool) -> Iterator[str]:
        """A transfer that nobody waits for: a line when its hosts are connected, and nothing more until its end."""
        running = self._begin(source, target, seconds, self._port(seconds), tcp)
        try:
            wait_for(f"a connection from {source} to {target}", lambda: running.is_connected() or not running.runs(),
                     _CONNECTED_SECONDS)
            over = not running.runs()
            if over:
                running.finish()
            yield f"a transfer from {source} to {target} " + ("is over" if over else f"runs for {seconds} s")
            if not over:
                running.finish()
        finally:
            running.stop()

    def _port(self, seconds: int) -> int:
        """Of the next transfer, which takes so long."""
        if not 1 <= seconds <= MOST_SECONDS:
            raise UsageError(f"{seconds} is no whole number from 1 to {MOST_SECONDS}: a transfer takes so many seconds")
        with self._lock:
            return next(self._ports)

    def _begin(self, source: str, target: str, seconds: int, port: int, tcp: bool) -> Transfer:
        return self._testbed.transfer(source, target, seconds, port, () if tcp else MPTCP)

    @contextlib.contextmanager
    def _at_most(self, subflows: int, source: str, port: int) -> Iterator[None]:
        """While its body runs, a policy before all others bounds the subflows of connections to a port, whoever opens them."""
        name, homes = f"transfer-{port}", self._network.homes(self._testbed.host(source))
        self._change_policies(lambda policies: [
            {"name": name, "ports": [port], "mostSubflows": subflows, "subflows": subflows, "joinPolicy": "block"}, *policies])
        try:
            wait_for(f"the policy {name}", lambda: any(one["name"] == name for one in self._policies()), _POLICY_SECONDS)
            # Where switches copy nothing to the controller, each SYN comes to it anyway.
            if self._testbed.is_copying:
                wait_for("SYNs kept by switches", lambda: all(map(keeps_syns, homes)), _POLICY_SECONDS)
            yield
        finally:
            self._change_policies(lambda policies: [one for one in policies if one["name"] != name])

    def _policies(self) -> list[Json]:
        return self._onos.rest.get("/mptcp/policies")["policies"]

    def _change_policies(self, change: Callable[[list[Json]], list[Json]]) -> None:
        with self._lock:
            self._onos.rest.put("/mptcp/policies", {"policies": change(self._policies())})

    def _connections(self) -> list[Json]:
        return self._onos.rest.get("/mptcp/connections")["connections"]


def _mbps(text: str) -> float:
    try:
        mbps = float(text)
    except ValueError:
        mbps = 0.0
    if not LEAST_MBPS <= mbps <= MOST_MBPS:
        raise UsageError(f"{text} is neither down nor up, nor a capacity from {LEAST_MBPS:g} to {MOST_MBPS:g} Mbit/s")
    return mbps


def _is_late(running: Transfer, seconds: int) -> bool:
    return time.monotonic() >= running.started + seconds - _LOOK_BEFORE_END


def _rate(mbps: float | None) -> str:
    return "–" if mbps is None else format(mbps, ".1f")


def _is_to(connection: Json, port: int) -> bool:
    return any(subflow["dst"].endswith(f":{port}") for subflow in connection["subflows"])


def _connection(seen: Json) -> Json:
    """A connection of REST with what concerns the direction that carries more, and switches by their names."""
    way = "Up" if (seen["measuredUpMbps"] or 0) >= (seen["measuredDownMbps"] or 0) else "Down"
    return {"id": seen["id"], "client": seen["client"], "server": seen["server"], "state": seen["state"],
            "direction": way.lower(), "disjointIn": seen["disjointIn"],
            "subflows": [{"src": s["src"], "dst": s["dst"], "path": [netcfg.switch_name(device) for device in s["path"]],
                          "expectedMbps": s[f"expected{way}Mbps"], "measuredMbps": s[f"measured{way}Mbps"], "state": s["state"]}
                         for s in seen["subflows"]]}


def _lines(connections: Iterable[Json]) -> Iterator[str]:
    yield f" {'subflow':<42} {'path':<24} {'expected':>9} {'measured':>9}  state"
    for one in connections:
        for s in one["subflows"]:
            yield (f" {s['src'] + ' → ' + s['dst']:<42} {' '.join(s['path']) or '–':<24} {s['expectedMbps']:>9.1f} "
                   f"{_rate(s['measuredMbps']):>9}  {s['state']}")
