# SPDX-License-Identifier: Apache-2.0
"""Two hosts with kernel MPTCP and a wire between them, without switches and without a controller."""

import contextlib
import ctypes
import os
import subprocess
from collections.abc import Iterator, Sequence

from mptcplab.processes import run, wait_for

CLIENT, SERVER = "10.7.0.1", "10.7.0.2"

_CLONE_NEWNET = 0x40000000


@contextlib.contextmanager
def entered(pid: int) -> Iterator[None]:
    """This process is in the network namespace of another one meanwhile; what it opens there stays there."""
    libc = ctypes.CDLL(None, use_errno=True)
    with open("/proc/self/ns/net", "rb") as before, open(f"/proc/{pid}/ns/net", "rb") as there:
        assert libc.setns(there.fileno(), _CLONE_NEWNET) == 0, os.strerror(ctypes.get_errno())
        try:
            yield
        finally:
            libc.setns(before.fileno(), _CLONE_NEWNET)


class Namespace:
    """A host: a network namespace with an interface ``wire``, as long as the block runs."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"], stdin=subprocess.DEVNULL)
        self.pid = self._holder.pid
        own = os.readlink("/proc/self/ns/net")
        wait_for("a network namespace", lambda: os.readlink(f"/proc/{self.pid}/ns/net") != own, 10)

    def run(self, command: Sequence[str]) -> str:
        """Runs a command in it; what it says on standard output."""
        return run(self.inside(command), " ".join(command))

    def popen(self, command: Sequence[str], **options: object) -> subprocess.Popen[bytes]:
        """Starts a command in it, as Mininet's hosts do."""
        return subprocess.Popen(self.inside(command), **options)  # type: ignore[call-overload]

    def inside(self, command: Sequence[str]) -> list[str]:
        return ["nsenter", f"--net=/proc/{self.pid}/ns/net", "--", *command]

    def setting(self, name: str) -> str:
        """A setting below ``net.mptcp``."""
        return self.run(["sysctl", "-n", f"net.mptcp.{name}"]).strip()

    def subflows(self, port: int) -> list[tuple[str, str]]:
        """Local and remote end of each established TCP connection to a remote port."""
        shown = self.run(["ss", "-tnHO", "state", "established", f"( dport = :{port} )"])
        return sorted((line.split()[2], line.split()[3]) for line in shown.splitlines())

    def end(self) -> None:
        self._holder.kill()
        self._holder.wait()


@contextlib.contextmanager
def two_hosts() -> Iterator[tuple[Namespace, Namespace]]:
    """A client and a server."""
    hosts = Namespace(CLIENT), Namespace(SERVER)
    try:
        client, server = hosts
        run(["ip", "link", "add", "wire", "netns", str(client.pid), "type", "veth",
             "peer", "name", "wire", "netns", str(server.pid)], "joining two hosts")
        for host in hosts:
            host.run(["ip", "address", "add", f"{host.address}/24", "dev", "wire"])
            host.run(["ip", "link", "set", "wire", "up"])
            host.run(["ip", "link", "set", "lo", "up"])
            host.run(["sysctl", "-q", "-w", "net.mptcp.enabled=1"])
            host.run(["ip", "mptcp", "limits", "set", "subflow", "8", "add_addr_accepted", "8"])
        yield client, server
    finally:
        for host in hosts:
            host.end()
