# SPDX-License-Identifier: Apache-2.0
"""Helpers for tests of a cluster that loses nodes while a transfer runs: the transfer, and how long the loss is felt."""

import contextlib
import os
import time
from collections.abc import Iterator, Mapping

import nodes
from conftest import assert_disjoint
from life import flows, paths
from mptcplab.errors import LabError
from mptcplab.netcfg import device_id
from mptcplab.onos import Onos
from mptcplab.processes import wait_for
from mptcplab.rest import Json
from mptcplab.settings import progress
from mptcplab.testbed import Testbed
from stream import Stream

MOST_STALL_SECONDS = 10
"""Generous: what a transfer's stall is worth is told by ``./lab demo --kill`` on a quiet machine."""

MOST_RIGHT_SECONDS = 45
"""Until reservations are right as well, which wait for ONOS's stores. Paths and shares are right sooner."""

PATHS = "paths and shares"


class Loss:
    """Tells how long a loss was felt. ``what``: the loss."""

    def __init__(self, what: str) -> None:
        self._what, self._began, self._after = what, 0.0, dict[str, float]()

    def begins(self) -> None:
        self._began = time.monotonic()

    def reached(self, what: str) -> None:
        """Notes that something is right again."""
        self._after[what] = time.monotonic() - self._began

    def after(self, what: str) -> float:
        """Seconds until this was right again."""
        return self._after[what]

    def right_seconds(self) -> float:
        """From the beginning to the last thing that was right again."""
        return max(self._after.values())

    def tell(self, stall: float) -> None:
        steps = ", ".join(f"{what} {seconds:.1f}" for what, seconds in self._after.items())
        progress(f"{self._what}: the transfer stood for {stall:.1f} s at most; right after {self.right_seconds():.1f} s "
                 f"({steps}; load {os.getloadavg()[0]:.1f})")


@contextlib.contextmanager
def sending(testbed: Testbed, port: int = 5201) -> Iterator[Stream]:
    """A transfer from the first client to the first server."""
    server = testbed.network.servers[0]
    stream = Stream(testbed.network.clients[0], server, testbed.network.addresses(server)[0], port)
    try:
        yield stream
    finally:
        stream.stop()


def begun(testbed: Testbed) -> Json:
    """Waits until the transfer's connection has its paths and shares; returns it."""
    return wait_for("three paths and their shares", lambda: nodes.data(testbed), 60)


def the_next_leader(testbed: Testbed, loss: Loss, but: str) -> str:
    """Waits for a leader that is not this one; returns its address."""
    leader = nodes.wait_for_leader(testbed, but=[but])
    loss.reached("leader")
    return leader


def goes_on(testbed: Testbed, stream: Stream, before: Json, loss: Loss, moved: bool = False,
            stall: float = MOST_STALL_SECONDS, within: float = MOST_RIGHT_SECONDS, longer: float = 0) -> None:
    """The same connection, on the same paths unless ``moved``; nothing installed or booked twice, nothing left over. All is right
    ``within`` so many seconds, or more on a crowded machine, and so many seconds ``longer`` on any."""
    is_right(testbed, before, loss, moved, longer=longer)
    flows(testbed)
    stream.finish()
    loss.tell(stream.arrived["longestStall"])
    assert stream.arrived["longestStall"] <= stall
    assert loss.right_seconds() <= nodes.most(within) + longer
    nodes.wait_until_nothing_is_left(testbed)


def is_right(testbed: Testbed, before: Json, loss: Loss, moved: bool = False, paths_left: int = nodes.SUBFLOWS,
             longer: float = 0) -> None:
    """Waits until the connection has its paths and shares, and rules, intents and reservations are those of it."""
    now = nodes.wait_until_right(testbed, before, paths_left, longer)
    loss.reached(PATHS)
    assert moved or nodes.routes(now) == nodes.routes(before)
    if paths_left == nodes.SUBFLOWS:
        assert_disjoint(paths(now))
    nodes.wait_until_all_agree(testbed)
    loss.reached("rules and intents")
    nodes.wait_for_reservations(testbed)
    loss.reached("reservations")


def set_clocks(testbed: Testbed, seconds: Mapping[Onos, int]) -> None:
    """Starts these nodes again, so many seconds ahead."""
    cluster = nodes.cluster_of(testbed)
    for node, some in seconds.items():
        node.clock_seconds = some
        if node.runs():
            node.crash()
    cluster.restart()
    for node in seconds:
        behind = time.time() + node.clock_seconds - node.rest.get("/mptcp/settings")["millis"] / 1000
        assert abs(behind) < 20, f"{node.address} is {behind:.0f} s behind its clock"
    testbed.onos = cluster.nodes[0]
    cluster.spread_mastership([device_id(switch) for switch in testbed.network.topology.switches])
    nodes.wait_until_ready(testbed)


def events(node: Onos) -> bool:
    """Whether the connection's events are known at a node."""
    for connection in nodes.active(node):
        kinds = {e["type"] for e in node.rest.get(f"/mptcp/connections/{connection['id']}/events")["events"]}
        if not kinds:
            raise LabError("no events")
    return True
