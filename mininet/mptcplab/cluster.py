# SPDX-License-Identifier: Apache-2.0
"""Several embedded ONOS nodes and the storage node that makes them a cluster, each in a network namespace of its own.

Namespaces, because OpenFlow and the cluster's ports are the same on every node. A bridge joins them with the testbed's own
namespace, where the switches are. Nothing leads out of it. Everything goes with the testbed's namespace.
"""

import collections
import os
import signal
from collections.abc import Sequence
from pathlib import Path

from . import packages
from .errors import EndedError, LabError
from .login import Login
from .onos import EMBEDDED, Onos, Place, readable_java
from .processes import Process, Processes, run, wait_for
from .rest import Json
from .settings import OPENFLOW_PORT
from .slowdisk import SlowDisk
from .unprivileged import Account, readable

_BRIDGE = "onosbr"
_NETWORK = "172.31.255"
"""A part of 172.16.0.0/12, which the hosts of the testbed do not use."""

_STORAGE_NUMBER = 200
_GATEWAY_NUMBER = 254
_HEAP = "256m"
_NAME = "embedded"
_STORAGE_SECONDS = 60


class Cluster:
    """So many ONOS nodes with one storage node. ``nodes``: the nodes, which take the same login; some may have been killed."""

    def __init__(self, folder: Path, processes: Processes, login: Login, count: int) -> None:
        self._folder, self._processes = folder, processes
        self._places = [Place(_address(number), ()) for number in range(1, count + 1)]
        self._login = login
        self._storage_address = _address(_STORAGE_NUMBER)
        self._storage: Process | None = None
        self._disk: SlowDisk | None = None
        self._storage_enter: tuple[str, ...] = ()
        self._enter: dict[str, tuple[str, ...]] = {}
        self.nodes: list[Onos] = []

    def disturbable(self) -> None:
        """Lets the nodes' clocks be set, and the storage node's disk be slowed down, from the start on; needs ``clocks`` and
        ``agents``."""
        self._disk = SlowDisk(Account("storage"))

    def start(self) -> None:
        """Starts the storage node, then all nodes at once; waits until REST of all answers and they know each other."""
        run(["ip", "link", "add", _BRIDGE, "type", "bridge"], "making the nodes' bridge")
        run(["ip", "address", "add", f"{_address(_GATEWAY_NUMBER)}/24", "dev", _BRIDGE], "making the nodes' bridge")
        run(["ip", "link", "set", _BRIDGE, "up"], "making the nodes' bridge")
        self._storage_enter = self._namespace(_STORAGE_NUMBER)
        self.start_storage()
        for number, place in enumerate(self._places, 1):
            self._enter[place.address] = self._namespace(number)
            inside = Place(place.address, self._enter[place.address], self._storage_address, _HEAP)
            self.nodes.append(Onos(self._folder, self._processes, self._login, name=f"onos{number}", place=inside))
            if self._disk:
                self.nodes[-1].has_steps = True
                self.nodes[-1].step_clock(0)
        for node in self.nodes:
            node.begin()
        for node in self.nodes:
            node.wait_until_up()
        wait_for(f"a cluster of {len(self.nodes)} ONOS nodes", lambda: self._all_are("READY"), 120, every=0.5)

    def start_storage(self) -> None:
        """Starts the storage node, with the files that it had."""
        account = Account("storage")
        output = self._folder / "storage.out"
        before = output.read_bytes().count(b"ready") if output.exists() else 0
        java = readable_java(packages.java_home()) / "bin" / "java"
        self._storage = self._processes.start(
            [*self._storage_enter, *account.become, *(self._disk.words if self._disk else ()),
             str(readable(EMBEDDED, "installation") / "bin" / "storage-node"), _NAME, "storage", self._storage_address,
             str(account.home / "data")], output, cwd=account.home,
            env={**account.environment, "ONOS_JAVA": str(java)})
        wait_for("the storage node", lambda: self._storage_is_up(output, before), _STORAGE_SECONDS)

    def stop(self) -> None:
        """Kills all nodes: one after the other would wait for each that goes to leave the cluster. The run's folder goes as
        well, so nothing is to be saved."""
        for node in self.alive():
            node.crash()

    def kill_storage(self) -> None:
        """Kills the storage node, as a crash does."""
        if self._storage:
            self._processes.kill(self._storage)
            self._storage = None

    def kill(self, address: str) -> None:
        """Kills the node with this address, as a crash does."""
        self.node(address).crash()

    def restart(self) -> None:
        """Starts the nodes that have been killed, the storage node among them, with the files that they had; waits until the
        application runs on all nodes and they know each other."""
        if not self._storage:
            self.start_storage()
        killed = [node for node in self.nodes if not node.runs()]
        for node in killed:
            node.begin()
        for node in killed:
            node.wait_until_up()
        # ONOS calls nodes READY at the cluster's first start only; after a restart they are ACTIVE.
        wait_for(f"a cluster of {len(self.nodes)} ONOS nodes", lambda: self._all_are("ACTIVE", "READY"), 120, every=0.5)
        for node in killed:
            node.wait_for_application()

    def slow_disk(self, millis: int) -> None:
        """Lets each write of the storage node to its files wait so long, or not at all if 0."""
        assert self._disk, "the cluster is not disturbable"
        self._disk.wait(millis)

    def pause(self, address: str, paused: bool) -> None:
        """Stops a node's process in its steps, as a long collection of garbage does, or lets it go on."""
        os.kill(self.node(address).pid(), signal.SIGSTOP if paused else signal.SIGCONT)

    def cut(self, address: str, other: str, cut: bool) -> None:
        """Lets a node and another one, or the storage node, reach each other no more, or again."""
        self._route(address, other, "add" if cut else "delete")

    def cut_off(self, address: str) -> None:
        """Lets a node reach neither the other nodes nor the storage node; switches and REST remain."""
        for other in self.others(address):
            self._route(address, other, "add")

    def heal(self, address: str) -> None:
        """Lets it reach them again."""
        for other in self.others(address):
            self._route(address, other, "delete")

    def enter(self, address: str) -> tuple[str, ...]:
        """The words before a command that runs in a node's namespace."""
        return self._enter[address]

    def others(self, address: str) -> list[str]:
        """The addresses of the other nodes and of the storage node."""
        return [place.address for place in self._places if place.address != address] + [self._storage_address]

    def node(self, address: str) -> Onos:
        """The node with this address."""
        for node in self.nodes:
            if node.address == address:
                return node
        raise LabError(f"no node has the address {address}")

    def alive(self) -> list[Onos]:
        """The nodes that run."""
        return [node for node in self.nodes if node.runs()]

    def targets(self) -> list[str]:
        """What the switches are told to connect to."""
        return [f"tcp:{place.address}:{OPENFLOW_PORT}" for place in self._places]

    def leader(self) -> str:
        """The address of the node that decides; LabError while no node says so."""
        told: Json = self.alive()[0].rest.get("/mptcp/cluster")
        if not told["leader"]:
            raise LabError("no node decides")
        return str(told["leader"])

    def masters(self) -> dict[str, str]:
        """Device → the address of its master."""
        rest = self.alive()[0].rest
        return {device["id"]: rest.get(f"/mastership/{device['id']}/master").get("nodeId", "")
                for device in rest.get("/devices")["devices"]}

    def least_seen(self) -> str:
        """The address of the node that the fewest others have in their lists of nodes as one that runs."""
        seen = collections.Counter(one["id"] for node in self.nodes for one in node.rest.get("/cluster")["nodes"]
                                   if one["status"] in ("ACTIVE", "READY"))
        return min((node.address for node in self.nodes), key=lambda address: seen[address])

    def spread_mastership(self, devices: Sequence[str]) -> None:
        """Makes the nodes masters of the devices by turns, and waits until they are."""
        alive = self.alive()
        wanted = {device: alive[index % len(alive)].address for index, device in enumerate(devices)}

        def spread() -> bool:
            now = self.masters()
            for device, address in wanted.items():
                if now.get(device) != address:
                    alive[0].rest.put("/mastership", {"deviceId": device, "nodeId": address, "role": "MASTER"})
            return self.masters() == wanted
        wait_for("mastership spread over the nodes", spread, 60, every=1)

    def _route(self, address: str, other: str, verb: str) -> None:
        run([*self._enter[address], "ip", "route", verb, "blackhole", other], f"cutting {address} off from {other}")

    def _all_are(self, *states: str) -> bool:
        for node in self.nodes:
            seen = node.rest.get("/cluster")["nodes"]
            if sum(one["status"] in states for one in seen) != len(self.nodes):
                raise LabError(f"{node.address} sees {seen}")
        return True

    def _storage_is_up(self, output: Path, before: int) -> bool:
        if self._storage and self._storage.poll() is not None:
            raise EndedError(f"the storage node ended with status {self._storage.returncode}: see {output}")
        return output.read_bytes().count(b"ready") > before

    def _namespace(self, number: int) -> tuple[str, ...]:
        """Makes a namespace on the bridge; returns the words before a command that runs in it. A process keeps it."""
        keeper = self._processes.start(["unshare", "--net", "sleep", "infinity"], self._folder / "namespaces.out")
        of_keeper = f"/proc/{keeper.pid}/ns/net"
        ours = os.readlink("/proc/self/ns/net")
        wait_for(f"namespace {number}", lambda: os.readlink(of_keeper) != ours, 10)
        enter = ("nsenter", f"--net={of_keeper}")
        outer, inner = f"onos{number}", "eth0"
        run(["ip", "link", "add", outer, "type", "veth", "peer", "name", inner, "netns", str(keeper.pid)], "joining a namespace")
        run(["ip", "link", "set", outer, "master", _BRIDGE, "up"], "joining a namespace")
        for command in (["link", "set", "lo", "up"], ["address", "add", f"{_address(number)}/24", "dev", inner],
                        ["link", "set", inner, "up"]):
            run([*enter, "ip", *command], "joining a namespace")
        return enter


def _address(number: int) -> str:
    return f"{_NETWORK}.{number}"
