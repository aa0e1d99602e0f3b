# SPDX-License-Identifier: Apache-2.0
"""Random faults of a cluster's nodes, transfers that come and go meanwhile, and the history of all that."""

import contextlib
import json
import random
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import nodes
from conftest import tcp_rules
from life import allocated_by_link, expected_by_link, paths
from mptcplab import clusterhistory
from mptcplab.cluster import Cluster
from mptcplab.clusterhistory import Event
from mptcplab.errors import LabError
from mptcplab.onos import Onos
from mptcplab.rest import Rest
from mptcplab.testbed import Testbed
from stream import Stream

MOST_STEP_SECONDS = 20

_LOOK_SECONDS = 0.2
_STANDS_STILL = re.compile(r"stands still\. Give the switch another master: device-role (\S+) NODE master")
_RULE = re.compile(r"nw_src=([\d.]+),nw_dst=([\d.]+),tp_src=(\d+),tp_dst=(\d+)")


class History:
    """Keeps events, as ``clusterhistory`` wants them, and writes each to ``file`` at once. Any thread may note."""

    def __init__(self, file: Path) -> None:
        self._file, self._began, self._lock = file, time.monotonic(), threading.Lock()
        file.write_text("", encoding="utf-8")
        self.events: list[Event] = []

    def now(self) -> float:
        return time.monotonic() - self._began

    def note(self, kind: str, **more: Any) -> Event:
        with self._lock, open(self._file, "a", encoding="utf-8") as out:
            event = {"kind": kind, "at": round(self.now(), 3), **more}
            self.events.append(event)
            out.write(json.dumps(event) + "\n")
        return event


@contextlib.contextmanager
def repeating(step: Callable[[], None], pace: Callable[[], float]) -> Iterator[None]:
    """Does a step in a thread of its own, again and again, with a pause between that ``pace`` tells in seconds."""
    over = threading.Event()

    def steps() -> None:
        while not over.is_set():
            step()
            over.wait(pace())
    thread = threading.Thread(target=steps)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextlib.contextmanager
def watching(cluster: Cluster, history: History) -> Iterator[None]:
    """Asks each node all the time who decides."""
    def look(node: Onos, rest: Rest) -> None:
        asked = history.now()
        with contextlib.suppress(OSError, LabError, ValueError):
            told = rest.get("/mptcp/cluster")
            # One that is just beginning has no term yet.
            history.note("look", node=node.address, asked=asked, decides=told["state"] == "decides" and told["term"] > 0,
                         term=told["term"], leader=told["leader"])
    with contextlib.ExitStack() as stack:
        for node in cluster.nodes:
            rest = Rest(node.login, seconds=5, address=node.address)
            stack.enter_context(repeating(lambda node=node, rest=rest: look(node, rest), lambda: _LOOK_SECONDS))  # type: ignore[misc]
        yield


class Transfers:
    """Transfers from the first client to the first server, each to a port of its own; noted when they begin and end."""

    def __init__(self, testbed: Testbed, history: History) -> None:
        self._testbed, self._history = testbed, history
        self._next_port, self._running = 6000, dict[int, Stream]()

    def ports(self) -> list[int]:
        """The ports of those that run."""
        return sorted(self._running)

    def begin(self) -> int | None:
        """Begins one; returns its port, or None if it does not come about."""
        self._next_port += 1
        port, network = self._next_port, self._testbed.network
        try:
            stream = Stream(network.clients[0], network.servers[0], network.addresses(network.servers[0])[0], port)
        except AssertionError as failure:
            # While no node runs, nobody leads the first packets of a new one.
            self._history.note("refused", port=port, why=str(failure)[-200:])
            return None
        self._running[port] = stream
        self._history.note("opened", port=port)
        return port

    def end(self, port: int) -> None:
        """Ends one in order."""
        stream, error = self._running[port], None
        try:
            stream.finish(seconds=90)
        except Exception as failure:  # whatever it is belongs into the history
            error = repr(failure)[-500:]
        finally:
            stream.stop()
        del self._running[port]
        self._history.note("ended", port=port, sent=stream.sent.get("bytes"), arrived=stream.arrived.get("bytes"),
                           stall=stream.arrived.get("longestStall"), error=error)

    def end_all(self) -> None:
        for port in self.ports():
            self.end(port)

    def stop(self) -> None:
        """Ends those that are left, at once."""
        for stream in self._running.values():
            stream.stop()

    @contextlib.contextmanager
    def churn(self, chance: random.Random) -> Iterator[None]:
        """Meanwhile there are one or two more, for some seconds each."""
        mine: list[int] = []

        def change() -> None:
            if len(mine) > chance.randrange(2):
                self.end(mine.pop(0))
            else:
                mine.extend(port for port in [self.begin()] if port)
        try:
            with repeating(change, lambda: chance.uniform(1, 4)):
                yield
        finally:
            for port in mine:
                self.end(port)


class Faults:
    """Disturbs a cluster by chance, and undoes all of it."""

    def __init__(self, cluster: Cluster, chance: random.Random, history: History) -> None:
        self._cluster, self._chance, self._history = cluster, chance, history
        self._undo: dict[str, Callable[[], None]] = {}
        self._kinds = [self._kill, self._kill_leader, self._part, self._part, self._cut_off_leader, self._pause, self._step_clock,
                       self._step_clock, self._slow_disk, self._kill_storage]

    def happen(self) -> None:
        """One more."""
        self._chance.choice(self._kinds)()

    def undo_one(self) -> None:
        """One of them is over, unless none is left that goes by itself."""
        if self._undo:
            self._end(self._chance.choice(sorted(self._undo)))

    def heal(self) -> None:
        """All of them are over, and all nodes run again."""
        for what in sorted(self._undo):
            self._end(what)
        for node in self._cluster.nodes:
            node.step_clock(0)
        try:
            self._cluster.restart()
        except LabError:
            # ONOS's own list of nodes has stayed without one. An operator restarts that.
            unseen = self._cluster.least_seen()
            self._history.note("operator", what=f"restart of {unseen}")
            self._cluster.kill(unseen)
            self._cluster.restart()
        self._history.note("healed")

    def _end(self, what: str) -> None:
        self._history.note("over", what=what)
        self._undo.pop(what)()

    def _begin(self, what: str, undo: Callable[[], None] | None = None) -> bool:
        """Notes a fault; false if it is there already."""
        if what in self._undo:
            return False
        self._history.note("fault", what=what)
        if undo:
            self._undo[what] = undo
        return True

    def _some(self) -> Onos:
        return self._chance.choice(self._cluster.nodes)

    def _leader(self) -> Onos:
        """The one that decides, or any other if none does."""
        deciding = [event["node"] for event in self._history.events[-20:] if event["kind"] == "look" and event["decides"]]
        return self._cluster.node(deciding[-1]) if deciding else self._some()

    def _kill(self) -> None:
        self._kill_one(self._some())

    def _kill_leader(self) -> None:
        self._kill_one(self._leader())

    def _kill_one(self, node: Onos) -> None:
        if node.runs() and self._begin(f"kill {node.address}"):
            self._cluster.kill(node.address)

    def _kill_storage(self) -> None:
        if self._begin("kill storage"):
            self._cluster.kill_storage()

    def _part(self) -> None:
        """Some of all pairs no longer reach each other."""
        for node in self._cluster.nodes:
            for other in self._cluster.others(node.address):
                if self._chance.random() < 0.4:
                    self._cut(node, other)

    def _cut_off_leader(self) -> None:
        leader = self._leader()
        for other in self._cluster.others(leader.address):
            self._cut(leader, other)

    def _cut(self, node: Onos, other: str) -> None:
        if self._begin(f"cut {node.address} {other}", lambda: self._cluster.cut(node.address, other, cut=False)):
            self._cluster.cut(node.address, other, cut=True)

    def _pause(self) -> None:
        node = self._leader() if self._chance.random() < 0.5 else self._some()

        def go_on() -> None:
            if node.runs():
                self._cluster.pause(node.address, paused=False)
        if node.runs() and self._begin(f"pause {node.address}", go_on):
            self._cluster.pause(node.address, paused=True)

    def _step_clock(self) -> None:
        node, seconds = self._some(), self._chance.randint(-MOST_STEP_SECONDS, MOST_STEP_SECONDS)
        self._begin(f"clock {node.address} {seconds:+d}")
        node.step_clock(seconds)

    def _slow_disk(self) -> None:
        millis = self._chance.choice([50, 200, 1000])
        if self._begin(f"disk {millis}", lambda: self._cluster.slow_disk(0)):
            self._cluster.slow_disk(millis)


def at_rest(testbed: Testbed, transfers: list[int]) -> Mapping[str, Any]:
    """What ``settled`` of ``clusterhistory`` has, but for the time."""
    alive = nodes.cluster_of(testbed).alive()
    testbed.onos = alive[0]
    return {"alive": [node.address for node in alive], "transfers": transfers,
            "nodes": {node.address: _told(node) for node in alive},
            "rules": [_rule(*rule) for rule in tcp_rules(testbed)], "booked": _by_name(allocated_by_link(testbed)),
            "shares": _by_name(expected_by_link(testbed)),
            "capacity": {"-".join(link): testbed.network.rate(*link) for link in testbed.network.neighbours()}}


def _told(node: Onos) -> Mapping[str, Any]:
    told = nodes.told(node)
    connections = [{"id": c["id"], "subflows": [{"src": s["src"], "dst": s["dst"], "path": path}
                                                for s, path in zip(c["subflows"], paths(c))]} for c in nodes.active(node)]
    return {"leader": told["leader"], "ready": told["ready"], "connections": connections, "intents": nodes.intents(node)}


def _rule(switch: str, text: str) -> Mapping[str, str]:
    found = _RULE.search(text)
    if not found:
        return {"switch": switch, "src": text, "dst": ""}
    source, destination, source_port, destination_port = found.groups()
    return {"switch": switch, "src": f"{source}:{source_port}", "dst": f"{destination}:{destination_port}"}


def _by_name(rates: Mapping[tuple[str, str], float]) -> Mapping[str, float]:
    return {"-".join(link): rate for link, rate in rates.items()}


class Operator:
    """Does what the log of a node asks for: gives a switch whose table stands still in ONOS another master."""

    def __init__(self, cluster: Cluster, history: History) -> None:
        self._cluster, self._history = cluster, history
        self._done: dict[str, int] = {}

    def look(self) -> None:
        """Does what was asked for since the last look."""
        alive = self._cluster.alive()
        for node in alive:
            asked = _STANDS_STILL.findall(node.log())
            for device in asked[self._done.get(node.address, 0):]:
                master = node.rest.get(f"/mastership/{device}/master").get("nodeId")
                other = next(one.address for one in alive if one.address != master)
                node.rest.put("/mastership", {"deviceId": device, "nodeId": other, "role": "MASTER"})
                self._history.note("operator", what=f"{device} from {master} to {other}")
            self._done[node.address] = len(asked)


def settle(testbed: Testbed, history: History, operator: Operator, transfers: list[int], seconds: float,
           all_known: bool = False) -> list[str]:
    """Waits until nothing is wrong, at most so many seconds; notes the last state, and returns what is wrong with it.

    ``all_known``: whether each transfer must have a connection with all its subflows, even if no earlier state had it.
    """
    earlier = next((event for event in reversed(history.events) if event["kind"] == "settled"), None)
    before = {port: one for port, one in clusterhistory.by_port(earlier).items() if port in transfers} if earlier else {}
    end = time.monotonic() + seconds
    last: tuple[Mapping[str, Any], list[str]] | None = None
    while True:
        try:
            operator.look()
            state = at_rest(testbed, transfers)
            last = state, clusterhistory.unsettled(state, before)
            if all_known:
                seen = clusterhistory.by_port(state)
                last[1].extend(f"transfer {port} is not known with all subflows" for port in transfers
                               if port not in seen or len(seen[port]["subflows"]) < nodes.SUBFLOWS)
            why = "; ".join(last[1])
        except (OSError, LabError) as failure:
            why = str(failure)
        if (last and not last[1]) or time.monotonic() > end:
            break
        time.sleep(0.5)  # between two looks at stores that give no sign
    if last is None:
        raise LabError(f"no state of the cluster within {seconds:.0f} s: {why}")
    history.note("settled", **last[0])
    return last[1]
