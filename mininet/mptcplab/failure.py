# SPDX-License-Identifier: Apache-2.0
"""A link that fails while transfers run (``./lab demo --fail``): how long it takes until the subflows on it have
new rules, and how much the transfers lose."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from .errors import LabError, UsageError
from .hosts import address_of
from .netcfg import switch_name
from .processes import wait_for
from .rest import Json
from .rulewatch import Rule, RuleWatch, present
from .sampling import sent_bytes
from .settings import progress
from .topology import Topology

if TYPE_CHECKING:  # the options are read before Mininet is installed
    from .network import Network
    from .testbed import Testbed
    from .transfer import Transfer

Link = tuple[str, str] | str
"""Two switches, or ``auto``."""

AUTO = "auto"
MANY = 64
"""So many connections have exact rules while the setting `pathLabels` is `auto` (`PathLabels.MANY`); later ones have labels."""

DOWN_SECONDS = 3
"""If the hosts cannot reach each other without the link, it comes back after so long, so that the transfer can end."""

_REROUTE_SECONDS = 20
_BACK_SECONDS = 30
_FIRST_BYTES = 50_000
_SETTLE_SECONDS = 2


def parse(text: str, topology: Topology, seconds: float) -> tuple[Link, float]:
    """``LINK@SECOND`` → (link or ``auto``, second). UsageError says what is wrong with it."""
    name, at, when = text.partition("@")
    try:
        second = float(when)
    except ValueError:
        second = math.nan
    if not at or not 1 <= second <= seconds - 2:
        raise UsageError(f"./lab demo: --fail {text}: give LINK@SECOND with a SECOND from 1 to {seconds - 2}, two before "
                         f"the transfer's end, as in --fail auto@{max(1, seconds // 3)}")
    if name == AUTO:
        return AUTO, second
    a, _, b = name.partition("-")
    link = topology.link(a, b)
    if not link or link.number:  # _is_on_link cannot tell links between the same switches apart
        known = ", ".join(f"{link.a}-{link.b}" for link in topology.links[:6])
        raise UsageError(f"./lab demo: --fail {text}: {topology.name} has no link {name}; its links are {known}"
                         f"{', …' if len(topology.links) > 6 else ''}, or auto for one in use")
    return (a, b), second


class Failure:
    """One link's end under load.

    ``link``: two switches, or ``auto`` for the second link of the path of the busiest connection's first subflow; ``second``
    of the transfer at which it ends. Attributes after ``happen``: ``link``, two switches; ``at_second``; ``reroute_millis``,
    None where no other path exists; ``disconnects``.
    """

    def __init__(self, testbed: Testbed, link: Link, second: float) -> None:
        self._testbed = testbed
        self._wanted = link
        self._second = second
        self._watch = RuleWatch(testbed.folder / "rules", testbed.network.topology.switches)
        self._back_second: float | None = None
        self._labelled: set[str] = set()
        self.link = None if isinstance(link, str) else link
        self.at_second = 0.0
        self.reroute_millis: float | None = None
        self.disconnects = False

    def __enter__(self) -> Failure:
        self._watch.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._watch.__exit__()

    def happen(self, transfer: Transfer) -> None:
        """Waits for the second, ends the link, and waits until every subflow on it has a new path, or its connection is
        reported down; then the link comes back, and so must the connection. LabError if that takes too long."""
        begun = self._data_flows(transfer)
        wait_for("the second of the failure", lambda: time.monotonic() >= begun + self._second,
                 self._second + 5, every=0.01)
        if self._wanted == AUTO:
            self.link = second_link(self._connections())
        affected = {s["src"]: s["dst"] for c in self._connections() for s in c["subflows"] if self._is_on_link(s)}
        cut_at = self.cut()
        self.at_second = time.monotonic() - begun
        progress(f"link {'-'.join(self.link or ())} has ended; {len(affected)} subflows were on it")
        try:
            self.follow(affected, cut_at)
        finally:
            if self.disconnects:
                self._bring_back(affected)
                self._back_second = time.monotonic() - begun

    def cut(self) -> float:
        """Ends the link at both its ends; returns when, in seconds of ``time.time()``."""
        self._labelled = self._sources_with_labels()
        now = time.time()
        self._set_link(up=False)
        return now

    def mend(self) -> None:
        """Takes the link up again, if it is known which one it is."""
        self._set_link(up=True)

    def follow(self, affected: Mapping[str, str], cut_at: float) -> None:
        """Waits until the affected subflows (source → destination) have new rules, or their connections are reported down."""
        self.disconnects = wait_for("new paths of the subflows on the link", lambda: self._outcome(affected),
                                    _REROUTE_SECONDS, every=0.05) == "down"
        if affected and not self.disconnects:
            installed = wait_for("the new rules in the switches", lambda: self._installed(affected, cut_at),
                                 _REROUTE_SECONDS)
            self.reroute_millis = round((installed - cut_at) * 1000, 1)
            progress(f"all of them have new rules, the last one after {self.reroute_millis:.0f} ms")

    def _set_link(self, up: bool) -> None:
        if self.link:
            self._testbed.network.set_link(*self.link, up=up)

    def _data_flows(self, transfer: Transfer) -> float:
        """When the transfer's data began to arrive, ``time.monotonic()``."""
        network = self._testbed.network
        interfaces = [network.interface(switch, transfer.server.name) for switch in network.homes(transfer.server)]

        def arrived() -> int:
            sent = sent_bytes()
            return sum(sent[interface] for interface in interfaces)
        before = arrived()
        wait_for("data of the transfer", lambda: arrived() > before + _FIRST_BYTES, 20, every=0.02)
        return time.monotonic()

    def _connections(self) -> list[Json]:
        return [c for c in self._testbed.onos.rest.get("/mptcp/connections")["connections"] if c["state"] != "idle"]

    def _is_on_link(self, subflow: Json) -> bool:
        switches = [switch_name(device) for device in subflow["path"]]
        return any(set(hop) == set(self.link or ()) for hop in zip(switches, switches[1:]))

    def _outcome(self, affected: Mapping[str, str]) -> str | None:
        """``moved`` or ``down`` once that is the state of all affected connections, else None."""
        concerned = [c for c in self._connections() if any(s["src"] in affected for s in c["subflows"])]
        if any(self._is_on_link(s) for c in concerned for s in c["subflows"]):
            return None
        states = {c["state"] for c in concerned}
        if states <= {"active"}:
            return "moved"
        return "down" if states <= {"active", "down"} else None

    def _installed(self, affected: Mapping[str, str], cut_at: float) -> float | None:
        rules = []
        for subflow in (s for c in self._connections() for s in c["subflows"] if s["src"] in affected):
            rules += rules_of(self._testbed.network, subflow, subflow["src"] in self._labelled)
        return self._watch.installed(rules, cut_at)

    def _sources_with_labels(self) -> set[str]:
        """The sources of the subflows whose next paths have labels: a connection keeps the kind of rules that it has."""
        setting, subflows = self._testbed.onos.settings()["pathLabels"], [s for c in self._connections() for s in c["subflows"]]
        if setting != "auto":
            return {s["src"] for s in subflows if setting == "on"}
        # With labels, a subflow has no rule of its own in the second switch.
        second = {s["src"]: rule for s in subflows for rule in rules_of(self._testbed.network, s)[1:2]}
        exact = set().union(*(present(switch) for switch in {str(rule[0]) for rule in second.values()}))
        return {source for source, rule in second.items() if rule not in exact}

    def _bring_back(self, affected: Mapping[str, str]) -> None:
        progress(f"the hosts cannot reach each other: reported down; the link comes back in {DOWN_SECONDS} s")
        back_at = time.monotonic() + DOWN_SECONDS
        wait_for("the link's return", lambda: time.monotonic() >= back_at, DOWN_SECONDS + 5)
        self.mend()
        wait_for("the connections' return", lambda: {c["state"] for c in self._connections() if any(
            s["src"] in affected for s in c["subflows"])} <= {"active"}, _BACK_SECONDS)
        progress("the connections are back")

    def report(self, transfers: Sequence[Transfer]) -> Json:
        """The contract's ``failure``; after the transfers' end."""
        intervals = [i for transfer in transfers for i in transfer.intervals()]
        before, after, lost = effect(intervals, self.at_second, min(t.seconds for t in transfers), self._back_second)
        return {"link": list(self.link or ()), "atSecond": round(self.at_second, 2), "rerouteMillis": self.reroute_millis,
                "lostMegabits": round(lost, 2), "goodputBefore": round(before, 2), "goodputAfter": round(after, 2)}


def second_link(connections: Iterable[Json]) -> tuple[str, str]:
    """The second link (the only one of a short path) of the first routed subflow of the busiest connection."""
    for connection in sorted(connections, key=lambda c: -max(c["expectedUpMbps"], c["expectedDownMbps"])):
        for subflow in connection["subflows"]:
            path = [switch_name(device) for device in subflow["path"]]
            if len(path) > 1:
                return (path[1], path[2]) if len(path) > 2 else (path[0], path[1])
    raise LabError("no connection is on any link, so none can fail under it: "
                   "is the transfer longer than the failure's second?")


def rules_of(network: Network, subflow: Json, path_labels: bool = False) -> list[Rule]:
    """The rules that carry a subflow along its path, both directions: (switch, in port, source, destination, out port).

    ``path_labels``: whether its path has labels. Then a path of several switches has one rule of the subflow's own in its first
    switch.
    """
    switches = [switch_name(device) for device in subflow["path"]]
    if not switches:
        return []
    source, destination = (address_of(subflow[end]) for end in ("src", "dst"))
    hops = [network.host_at(switches[0], source).name, *switches, network.host_at(switches[-1], destination).name]
    rules: list[Rule] = []
    for way, source, destination in ((hops, subflow["src"], subflow["dst"]), (hops[::-1], subflow["dst"], subflow["src"])):
        steps = list(zip(way, way[1:], way[2:]))
        for before, here, after in steps[:1] if path_labels else steps:
            rules.append((here, network.port(here, before), source, destination, network.port(here, after)))
    return rules


def effect(intervals: Sequence[Json], at: float, end: float, back: float | None = None) -> tuple[float, float, float]:
    """(goodput before, goodput after, Mbit lost) of a failure at second ``at`` of a transfer that lasts ``end`` seconds.

    ``intervals``: iperf3's, of all transfers; ``back``: the second at which a link came back without which nothing flowed.
    Before: from the second second on. After: once two seconds, or half of the remaining time, have passed since the failure (or
    the link's return). Lost: what was missing to the smaller of the two rates (with ``back`` to the larger one, as both can
    be had with all links up) over that stretch of the time since the failure over which most was missing: what comes in
    excess before or after does not make up for it.
    """
    again = at if back is None else min(back, end)
    settled = again + min(_SETTLE_SECONDS, (end - again) / 2)
    before = _rate(intervals, min(1, at / 2), at)
    after = _rate(intervals, settled, end)
    usual = max(before, after) if back is not None else min(before, after)
    return before, after, _most_missing(intervals, usual, at, end)


def _most_missing(intervals: Sequence[Json], usual: float, begin: float, end: float) -> float:
    """What was missing to a rate (Mbit/s) over the stretch between two times over which most was missing, Mbit."""
    edges = {begin, end}
    for one in (i["sum"] for i in intervals):
        edges.update(edge for edge in (one["start"], one["end"]) if begin < edge < end)
    moments = sorted(edges)
    missing = most = 0.0
    for now, then in zip(moments, moments[1:]):
        missing = max(0.0, missing + (usual - _rate(intervals, now, then)) * (then - now))
        most = max(most, missing)
    return most


def _rate(intervals: Sequence[Json], begin: float, end: float) -> float:
    """Mean rate between two times, Mbit/s; an interval on the edge counts in proportion."""
    bits = 0.0
    for one in (i["sum"] for i in intervals):
        length = one["end"] - one["start"]
        if length > 0:
            bits += one["bytes"] * 8e-6 * max(0.0, min(end, one["end"]) - max(begin, one["start"])) / length
    return bits / (end - begin) if end > begin else 0.0
