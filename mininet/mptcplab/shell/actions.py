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
from ..processes import wait_for
from ..rest import Json
from ..transfer import IPERF_PORT, MPTCP, Transfer

if TYPE_CHECKING:
    from ..hosts import Host
    from ..testbed import Testbed

LEAST_MBPS, MOST_MBPS = 0.1, 1000.0
"""Between these a link's capacity can be set."""

_PORTS = range(IPERF_PORT + 200, IPERF_PORT + 1200)
_LOOK_BEFORE_END = 0.7


class Actions:
    """``testbed`` is up while they are asked, by several threads at once. UsageError says what a request should have been."""

    def __init__(self, testbed: Testbed) -> None:
        self._network, self._onos = testbed.network, testbed.onos
        self._ports = itertools.cycle(_PORTS)
        self._lock = threading.Lock()

    def names(self) -> Json:
        """What completion offers: ``hosts`` and ``links``."""
        return {"hosts": [host.name for host in self._network.hosts_and_router()],
                "links": ["-".join(link.ends[0]) for link in self._network.topology.links]}

    def host(self, name: str) -> Json:
        """``pid``, as it is numbered in here, of the process that has the host's network namespace."""
        return {"pid": self._host(name).pid}

    def interface(self, place: str) -> Json:
        """Where to capture what a link carries, or what a host sends and gets: ``interface``, and ``pid`` of the host or None."""
        if "-" in place:
            return {"pid": None, "interface": self._network.interface(*self._link(place))}
        return {"pid": self._host(place).pid, "interface": "any"}

    def status(self) -> Iterator[str]:
        """Hosts, links and connections at this moment."""
        network = self._network
        yield f" {'host':<6} {'at':<10} addresses"
        for host in network.hosts_and_router():
            yield f" {host.name:<6} {' '.join(network.homes(host)):<10} {' '.join(network.addresses(host))}"
        yield ""
        yield f" {'link':<12} {'state':<6} {'capacity':>9} {'reserved':>9} {'measured':>9}   Mbit/s, each direction"
        known = {link["source"]: link for link in self._onos.rest.get("/mptcp/links")["links"]}
        for link in network.topology.links:
            for a, b in link.ends:
                usage = known.get(f"{netcfg.device_id(a)}/{network.port(a, b)}")
                rates = [format(usage[field], ".1f") if usage else "–" for field in ("reservedMbps", "measuredMbps")]
                yield (f" {a + ' → ' + b:<12} {'up' if usage else 'down':<6} {network.rate(a, b):>9.1f} "
                       f"{rates[0]:>9} {rates[1]:>9}")
        yield ""
        alive = [one for one in self._onos.rest.get("/mptcp/connections")["connections"] if one["state"] != "idle"]
        yield from _subflows(alive) if alive else [" no connection has paths"]

    def link(self, place: str, what: str) -> Iterator[str]:
        """Takes a link ``down`` or ``up``, or gives it so many Mbit/s in each direction, which ONOS is told."""
        ends, mbps = self._link(place), None if what in ("down", "up") else _mbps(what)
        with self._lock:
            if mbps is None:
                self._network.set_link(*ends, up=what == "up")
            else:
                self._network.set_rate(*ends, mbps)
                self._onos.rest.post("/network/configuration", netcfg.capacities(self._network))
        yield f"link {place} " + (f"is {what}" if mbps is None else f"has {mbps:g} Mbit/s in each direction")

    def transfer(self, source: str, target: str, seconds: int, tcp: bool, given_up: Callable[[], bool]) -> Iterator[str]:
        """A transfer over MPTCP, or over plain TCP. ``given_up``: whether nobody waits for it any more, which ends it."""
        client, server = self._host(source), self._host(target)
        if source == target:
            raise UsageError(f"{source} cannot transfer to itself: give two hosts")
        with self._lock:
            port = next(self._ports)
        running = Transfer(client, server, self._network.addresses(server)[0], seconds, port, () if tcp else MPTCP)
        try:
            with contextlib.suppress(LabError):
                wait_for("its last second", lambda: given_up() or not running.runs() or _is_late(running, seconds), seconds + 30)
            seen = [one for one in self._onos.rest.get("/mptcp/connections")["connections"] if _is_to(one, port)]
            if given_up():
                return
            running.finish()
        finally:
            running.stop()
        yield f" {running.goodput():.1f} Mbit/s of payload from {source} to {target} over {seconds} s"
        yield from _subflows(seen) if seen else ()

    def _host(self, name: str) -> Host:
        for host in self._network.hosts_and_router():
            if host.name == name:
                return host
        raise UsageError(f"no host {name}: there are {', '.join(self.names()['hosts'])}")

    def _link(self, place: str) -> tuple[str, str]:
        a, _, b = place.partition("-")
        if self._network.topology.link(a, b):
            return a, b
        known = self.names()["links"]
        raise UsageError(f"no link {place}: there are {', '.join(known[:12])}{', …' if len(known) > 12 else ''}")


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


def _is_to(connection: Json, port: int) -> bool:
    return any(subflow["dst"].endswith(f":{port}") for subflow in connection["subflows"])


def _subflows(connections: Iterable[Json]) -> Iterator[str]:
    yield f" {'subflow':<42} {'path':<24} {'expected':>9} {'measured':>9}  state"
    for one in connections:
        way = "Up" if one["measuredUpMbps"] >= one["measuredDownMbps"] else "Down"
        for s in one["subflows"]:
            path = " ".join(netcfg.switch_name(device) for device in s["path"])
            yield (f" {s['src'] + ' → ' + s['dst']:<42} {path or '–':<24} {s[f'expected{way}Mbps']:>9.1f} "
                   f"{s[f'measured{way}Mbps']:>9.1f}  {s['state']}")
