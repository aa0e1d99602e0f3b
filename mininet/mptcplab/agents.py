# SPDX-License-Identifier: Apache-2.0
"""The host agents of a testbed: each MPTCP host gets a link to the controller and an agent.

The links are no part of the emulated network. Each joins a host to the controller alone, and MPTCP does not use it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from mptcpagent.compiling import compiled
from mptcpagent.errors import Unusable
from mptcpagent.pacing import OBJECT
from mptcpagent.windows import compiled_for

from . import marks
from .hosts import Host
from .login import write_private
from .processes import Process, run, wait_for
from .rest import Json, quote
from .settings import HTTP_PORT, ISOLATED, progress

if TYPE_CHECKING:
    from .onos import Onos
    from .testbed import Testbed

CONTROLLER = "192.0.2.254"
"""The controller's end of every link (documentation addresses, RFC 5737; host n has 192.0.2.n)."""

PORT = 8182
"""There the agents reach REST over TLS. It leads to where ONOS listens; the next ports lead to a cluster's further nodes."""

INTERFACE = "control"
"""In each host."""

_START_SECONDS = 30


class Agents:
    """The agents of a running testbed; they end with it, or with ``stop``."""

    def __init__(self, testbed: Testbed) -> None:
        self._testbed = testbed
        self._folder = testbed.folder / "agents"
        self._certificate, self._key = self._folder / "controller.pem", self._folder / "controller.key"
        self._running: dict[str, Process] = {}
        self._congestion: str | None = None
        self._forwarders: list[Process] = []

    def start(self, congestion: str | None = None, backend: str = "auto") -> None:
        """Starts one on every client and server, and waits until the controller has heard them all. ``congestion``: as the
        agents' option; for eMPTCP the links mark packets."""
        network = self._testbed.network
        # In the order of their numbers, so that it reads well.
        hosts = [host for host in network.net.hosts if host in network.clients or host in network.servers]
        self._congestion = congestion
        self._prepare()
        if congestion and congestion.startswith("emptcp"):
            marks.mark(network, self._folder)
        for host in hosts:
            self._connect(host)
        self._forwarders = [self._testbed.processes.start(
            ["socat", f"OPENSSL-LISTEN:{port},bind={CONTROLLER},reuseaddr,fork,verify=0,cert={self._certificate},key={self._key}",
             f"TCP:{address}:{HTTP_PORT}"],
            self._folder / "forward.out") for port, address in self._forwards()]
        for host in hosts:
            self.start_one(host, self.register(host), backend)
        self.wait_until_heard(hosts)
        backends = sorted({one["backend"] for one in self.known()})
        progress(f"agents on {len(hosts)} hosts, {'windows' if congestion else 'limits'} by {', '.join(backends)}")

    def stop(self) -> None:
        """Ends all of them in order."""
        for name in list(self._running):
            self._testbed.processes.stop(self._running.pop(name))

    def leave(self) -> None:
        """Ends all of them, and leaves hosts and controller as they were before ``start``."""
        for name in list(self._running):
            host = self._testbed.network.net.get(name)
            self._decides().rest.delete(f"/mptcp/agents/{quote(self._address(host))}")
            run(["ip", "link", "delete", _link(host)], f"removing the control link of {name}")
        self.stop()
        for forwarder in self._forwarders:
            self._testbed.processes.stop(forwarder)

    def start_one(self, host: Host, token: str, backend: str = "auto") -> Process:
        """Starts the agent of a host, with a token and the backend of that name."""
        file = self._folder / f"{host.name}.token"
        file.unlink(missing_ok=True)
        write_private(file, token + "\n")
        self._running[host.name] = self._testbed.processes.start(
            ["nsenter", f"--net=/proc/{host.pid}/ns/net", "--", sys.executable, *ISOLATED, "mptcpagent",
             *(f"--controller=https://{CONTROLLER}:{port}" for port, _ in self._forwards()), "--ca", str(self._certificate),
             "--host", self._address(host), "--token-file", str(file),
             *(["--congestion", self._congestion] if self._congestion else ["--backend", backend])],
            self.output(host), env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "CACHE_DIRECTORY": str(self._folder)})
        return self._running[host.name]

    def kill(self, host: Host) -> None:
        """Kills the agent of a host, as a crash does; what watches over it stays."""
        self._testbed.processes.kill(self._running.pop(host.name))

    def register(self, host: Host) -> str:
        """Registers a host with the controller; returns its new token."""
        main, *further = self._testbed.network.addresses(host)
        return self._decides().rest.post(f"/mptcp/agents/{quote(main)}", {"addresses": further, "renew": True})["token"]

    def known(self) -> list[Json]:
        """The agents as the controller lists them."""
        return self._decides().rest.get("/mptcp/agents")["agents"]

    def wait_until_heard(self, hosts: Iterable[Host]) -> None:
        """Waits until the controller has a report of each of these hosts."""
        wanted = {self._address(host) for host in hosts}
        wait_for("reports of all agents",
                 lambda: wanted <= {one["host"] for one in self.known() if one["lastReportMillis"] is not None}, _START_SECONDS)

    def set_link(self, host: Host, up: bool) -> None:
        """Takes the link between a host and the controller down, or up again."""
        run(["ip", "link", "set", _link(host), "up" if up else "down"], f"setting the control link of {host.name}")

    def output(self, host: Host) -> Path:
        """The file with what a host's agents have said."""
        return self._folder / f"{host.name}.out"

    def _prepare(self) -> None:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
             "-subj", "/CN=controller", "-addext", f"subjectAltName=IP:{CONTROLLER}",
             "-addext", "keyUsage=critical,digitalSignature,keyCertSign",
             "-keyout", str(self._key), "-out", str(self._certificate)], "making the controller's certificate")
        try:
            # Once, instead of by each of them at the same time.
            if self._congestion:
                compiled_for(self._congestion, self._folder)
            else:
                compiled(OBJECT, self._folder)
        except Unusable as failure:
            progress(f"agents do without BPF: {failure}")

    def _connect(self, host: Host) -> None:
        number = self._testbed.network.net.hosts.index(host) + 1
        here, there = _link(host), f"192.0.2.{number}"
        what = f"linking {host.name} to the controller"
        run(["ip", "-batch", "-"], what, input=f"""\
link add {here} type veth peer name {INTERFACE} netns {host.pid}
address add {CONTROLLER} peer {there} dev {here}
link set {here} up
""")
        run(["nsenter", f"--net=/proc/{host.pid}/ns/net", "ip", "-batch", "-"], what, input=f"""\
address add {there} peer {CONTROLLER} dev {INTERFACE}
link set {INTERFACE} up
""")

    def _forwards(self) -> list[tuple[int, str]]:
        """The ports at which the agents reach REST, with the address of the ONOS node behind each."""
        cluster = self._testbed.cluster
        nodes = cluster.nodes if cluster else [self._testbed.onos]
        return [(PORT + index, node.address) for index, node in enumerate(nodes)]

    def _decides(self) -> Onos:
        """The node that knows agents; LabError while there is none."""
        cluster = self._testbed.cluster
        return cluster.node(cluster.leader()) if cluster else self._testbed.onos

    def _address(self, host: Host) -> str:
        return self._testbed.network.addresses(host)[0]


def _link(host: Host) -> str:
    return f"{INTERFACE}-{host.name}"
