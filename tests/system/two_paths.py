# SPDX-License-Identifier: Apache-2.0
"""A client and a server with two paths of 10 Mbit/s between them, through a router, without switches and without a controller.

The queues are at the router. A queue at the sending host would drop nothing: there the kernel keeps each socket short
(TCP small queues).
"""

import contextlib
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from mptcplab.hosts import Host
from mptcplab.processes import run, wait_for
from mptcplab.settings import ISOLATED
from stream import Stream
from two_hosts import Namespace

MBPS = 10
PAYLOAD_MBPS = MBPS * 1428 / 1514
"""Of a path: what the headers of full frames leave."""

QUEUE_FRAMES = 30
NOISE_MBPS = 1.0
_NOISE = Path(__file__).with_name("noise.py")
_MPTCP_PORT, TCP_PORT = 5300, 5301
_FRAME = 1514
_WARM_UP_SECONDS = 5
_CONTROL = re.compile(r"(?<= )(reno|cubic|bbr|[a-z]+_[0-9a-f]{8})(?= )")


class Network:
    """The three hosts. A connection has two subflows: over a path each if ``disjoint``, otherwise both over the first one."""

    def __init__(self, disjoint: bool) -> None:
        self.client, self.router, self.server = self.hosts = [Namespace(f"10.8.0.{number}") for number in (1, 254, 2)]
        for path in (0, 1):
            self._join(self.client, f"10.8.{path}.1", self.router, f"10.8.{path}.254", f"a{path}")
            self._join(self.router, f"10.9.{path}.254", self.server, f"10.9.{path}.1", f"b{path}")
            self.client.run(["ip", "route", "add", f"10.9.{path}.0/24", "via", f"10.8.{path}.254"])
            self.server.run(["ip", "route", "add", f"10.8.{path}.0/24", "via", f"10.9.{path}.254"])
            self._shape(f"b{path}")
        self.router.run(["sysctl", "-q", "-w", "net.ipv4.ip_forward=1"])
        for host in (self.client, self.server):
            host.run(["sysctl", "-q", "-w", "net.mptcp.enabled=1", "net.ipv4.tcp_congestion_control=reno",
                      "net.ipv4.tcp_no_metrics_save=1"])
            host.run(["ip", "mptcp", "limits", "set", "subflow", "8", "add_addr_accepted", "8"])
        if disjoint:
            # With a port the kernel listens there itself.
            self.server.run(["ip", "mptcp", "endpoint", "add", "10.9.1.1", "port", str(_MPTCP_PORT), "signal"])
        else:
            self.client.run(["ip", "address", "add", "10.8.0.11/24", "dev", "a0", "preferred_lft", "0"])
            self.client.run(["ip", "mptcp", "endpoint", "add", "10.8.0.11", "dev", "a0", "subflow"])

    def stream(self, mptcp: bool = True, port: int = 0) -> Stream:
        """A transfer that begins on the first path; to a ``port`` of its own, or the usual one."""
        return Stream(cast(Host, self.client), cast(Host, self.server), "10.9.0.1", port or (_MPTCP_PORT if mptcp else TCP_PORT),
                      mptcp)

    def acknowledge_each(self) -> None:
        """From now on the server acknowledges each segment of the first path at once."""
        self.server.run(["ip", "route", "change", "10.8.0.0/24", "via", "10.9.0.254", "quickack", "1"])

    def noise(self) -> subprocess.Popen[bytes]:
        """Datagrams at random times on the first path, as long as the process runs."""
        return self.client.popen([sys.executable, "-s", str(_NOISE), "10.9.0.1", str(NOISE_MBPS)], stdin=subprocess.DEVNULL)

    def agent(self, control: str, *more: str) -> list[str]:
        """The command that gives the client's subflows a congestion control."""
        return self.client.inside([sys.executable, *ISOLATED, "mptcpagent", "congestion", control, *more])

    def controls(self) -> list[str]:
        """The congestion control of each of the client's subflows, that of the second path last."""
        return [found[0] for line in self._shown(_MPTCP_PORT) if (found := _CONTROL.search(line))]

    def control_of_tcp(self) -> str:
        """That of the client's other transfer."""
        return next(found[0] for line in self._shown(TCP_PORT) if (found := _CONTROL.search(line)))

    def acked(self, mptcp: bool = True) -> list[int]:
        """Bytes that were acknowledged of each subflow, that of the second path last."""
        return [int(found[1]) if (found := re.search(r" bytes_acked:(\d+)", line)) else 0
                for line in self._shown(_MPTCP_PORT if mptcp else TCP_PORT)]

    def wait_for_subflows(self) -> None:
        """Until there are two."""
        wait_for("two subflows", lambda: len(self.acked()) == 2, 20)

    def rates(self, seconds: float, beside_tcp: bool) -> tuple[list[float], float]:
        """Payload in Mbit/s of each subflow and of a TCP on the first path, over that time once both run."""
        def reached(after: float) -> None:
            end = time.monotonic() + after
            wait_for("the end of a measurement", lambda: time.monotonic() >= end, after + 10, every=0.2)
        reached(_WARM_UP_SECONDS)
        before, tcp_before, begun = self.acked(), self.acked(mptcp=False) if beside_tcp else [0], time.monotonic()
        reached(seconds)
        after, tcp_after = self.acked(), self.acked(mptcp=False) if beside_tcp else [0]
        scale = 8e-6 / (time.monotonic() - begun)
        return [(now - then) * scale for now, then in zip(after, before)], (tcp_after[0] - tcp_before[0]) * scale

    def end(self) -> None:
        """Takes it away."""
        for host in self.hosts:
            host.end()

    def _shown(self, port: int) -> list[str]:
        told = self.client.run(["ss", "-tinHO", "state", "established", f"( dport = :{port} )"]).splitlines()
        return sorted(told, key=lambda line: line.split()[2:4])

    def _join(self, one: Namespace, address: str, other: Namespace, there: str, name: str) -> None:
        run(["ip", "link", "add", name, "netns", str(one.pid), "type", "veth", "peer", "name", name, "netns", str(other.pid)],
            "joining two hosts")
        for host, own in ((one, address), (other, there)):
            host.run(["ip", "address", "add", f"{own}/24", "dev", name])
            host.run(["ip", "link", "set", name, "up"])
            host.run(["ethtool", "-K", name, "tx", "off", "tso", "off", "gso", "off", "gro", "off"])

    def _shape(self, name: str) -> None:
        self.router.run(["tc", "qdisc", "add", "dev", name, "root", "handle", "5:", "htb", "default", "1"])
        self.router.run(["tc", "class", "add", "dev", name, "parent", "5:", "classid", "5:1", "htb", "rate", f"{MBPS}mbit",
                         "burst", "15140", "quantum", str(_FRAME)])
        self.router.run(["tc", "qdisc", "add", "dev", name, "parent", "5:1", "bfifo", "limit", str(_FRAME * QUEUE_FRAMES)])


@contextlib.contextmanager
def two_paths(disjoint: bool) -> Iterator[Network]:
    """The network, as long as the block runs."""
    network = Network(disjoint)
    try:
        yield network
    finally:
        network.end()
