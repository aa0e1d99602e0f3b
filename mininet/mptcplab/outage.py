# SPDX-License-Identifier: Apache-2.0
"""A node of the cluster that is killed while transfers run (``./lab demo --nodes 3 --kill``): how long the transfers stall, and
how long until the connections have the same paths and their shares again."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from .errors import LabError, UsageError
from .netcfg import device_id
from .processes import wait_for
from .rest import Json
from .settings import progress

if TYPE_CHECKING:  # the options are read before Mininet is installed
    from .testbed import Testbed
    from .transfer import Transfer

Routes = dict[str, dict[tuple[str, str], list[str]]]
"""Connection → its subflows → their paths."""

LEADER, MASTER, STORAGE = "leader", "master", "storage"
KINDS = (LEADER, MASTER, STORAGE)

_INTERVAL = 0.1
_STORAGE_DOWN_SECONDS = 5
_RECOVERY_SECONDS = 60
_RIGHT = 0.9
"""Of the shares before: demands have to be learned anew, and that takes a few counter samples."""

_STALLED = 0.05
"""Of the mean: an interval with less counts as stalled."""


def parse(text: str, seconds: float) -> tuple[str, float]:
    """``WHO@SECOND`` → (who, second). UsageError says what is wrong with it."""
    who, at, when = text.partition("@")
    try:
        second = float(when)
    except ValueError:
        second = math.nan
    if who not in KINDS or not at or not 1 <= second <= seconds - 2:
        raise UsageError(f"./lab demo: --kill {text}: give WHO@SECOND with WHO one of {', '.join(KINDS)} and a SECOND from 1 to "
                         f"{seconds - 2}, two before the transfer's end, as in --kill leader@{max(1, int(seconds) // 3)}")
    return who, second


class Outage:
    """``who``: the node that decides, the master of the first client's switch, or the storage node, which comes back after 5 s;
    ``second`` of the transfer at which it is killed."""

    interval = _INTERVAL
    """What :meth:`report` needs of the transfers: seconds between two readings of what has arrived."""

    def __init__(self, testbed: Testbed, who: str, second: float) -> None:
        self._testbed, self._who, self._second = testbed, who, second
        self._killed = ""
        self._at_second = 0.0
        self._recovered: float | None = None

    def happen(self, transfer: Transfer) -> None:
        """Waits for the second, kills the node, and waits until every connection has its paths and shares again."""
        cluster = self._testbed.cluster
        if not cluster:
            raise LabError("there is one node only")
        wait_for("the second of the outage", lambda: time.monotonic() >= transfer.started + self._second, self._second + 5)
        connections = self._connections()
        before = _routes(connections)
        if not before:
            raise LabError("no connection has paths at the second of the outage")
        shares = {one["id"]: _share(one) for one in connections}
        killed_at = time.monotonic()
        self._at_second = killed_at - transfer.started
        if self._who == STORAGE:
            self._killed = STORAGE
            cluster.kill_storage()
            progress("the storage node is killed")
            wait_for("the storage node's return", lambda: time.monotonic() >= killed_at + _STORAGE_DOWN_SECONDS,
                     _STORAGE_DOWN_SECONDS + 5)
            cluster.start_storage()
        else:
            self._killed = cluster.leader() if self._who == LEADER else self._master()
            cluster.kill(self._killed)
            self._testbed.onos = cluster.alive()[0]
            progress(f"{self._killed} is killed")
        wait_for("the connections' paths and shares after the outage", lambda: self._is_right(before, shares),
                 _RECOVERY_SECONDS)
        self._recovered = round(time.monotonic() - killed_at, 1)
        progress(f"the connections have their paths and shares again after {self._recovered} s")

    def report(self, transfer: Transfer) -> Json:
        """The contract's JSON; after the transfer's end."""
        cluster = self._testbed.cluster
        return {"nodes": len(cluster.nodes) if cluster else 1, "leader": cluster.leader() if cluster else None,
                "killed": self._killed, "stallMillis": stall_millis(transfer.intervals(), self._at_second),
                "recoveredSeconds": self._recovered}

    def _master(self) -> str:
        """The address of the master of the first client's switch; empty if it has none."""
        network, cluster = self._testbed.network, self._testbed.cluster
        return cluster.masters().get(device_id(network.topology.pair(0)[0]), "") if cluster else ""

    def _connections(self) -> list[Json]:
        return [c for c in self._testbed.onos.rest.get("/mptcp/connections")["connections"] if c["state"] == "active"]

    def _is_right(self, before: Routes, shares: dict[str, float]) -> bool:
        """Whether a living leader's answers, not older ones, show the same connections on the same paths, with shares, and the
        first client's switch has a living master."""
        told = self._testbed.onos.rest.get("/mptcp/cluster")
        if told["leader"] in (None, self._killed) or not 0 <= told["ageMillis"] <= 2000:
            raise LabError(f"no node decides, or nobody knows what it does: {told}")
        if self._master() in ("", self._killed):
            raise LabError("the first client's switch has no master")
        now = self._connections()
        routes = _routes(now)
        if any(routes.get(one) != paths for one, paths in before.items()):
            raise LabError(f"paths are {routes} now, and were {before}")
        return all(_share(one) >= _RIGHT * shares[one["id"]] for one in now if one["id"] in before)


def stall_millis(intervals: list[Json], at_second: float) -> float:
    """The longest time after a second of the transfer in which next to nothing arrived, in milliseconds."""
    after = [one["sum"] for one in intervals if one["sum"]["end"] >= at_second]
    mean = sum(one["bytes"] for one in after) / max(1, len(after))
    longest = running = 0.0
    for one in after:
        running = running + one["seconds"] if one["bytes"] < _STALLED * mean else 0.0
        longest = max(longest, running)
    return round(longest * 1000, 1)


def _share(connection: Json) -> float:
    return float(connection["expectedUpMbps"] + connection["expectedDownMbps"])


def _routes(connections: list[Json]) -> Routes:
    return {one["id"]: {(s["src"], s["dst"]): s["path"] for s in one["subflows"]}
            for one in connections if any(s["path"] for s in one["subflows"])}
