# SPDX-License-Identifier: Apache-2.0
"""Hosts with kernel MPTCP, one network interface each.

A client gets as many addresses as it shall have subflows: the kernel's path manager opens one subflow from each.
Host n has 10.0.0.n and, as further addresses, 10.0.n.1, 10.0.n.2, …; over IPv6 fd00::n, fd00::n:1, fd00::n:2, …
"""

import subprocess
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from .errors import LabError

PREFIX, PREFIX_V6 = 16, 64


class Host(Protocol):
    """The part of a Mininet host that is used here; Mininet itself has no type hints."""

    name: str
    pid: int

    def pexec(self, command: str | Sequence[str]) -> tuple[str, str, int]:
        """Runs a command in the host to its end: (standard output, standard error, status)."""

    def popen(self, command: Sequence[str], **options: Any) -> subprocess.Popen[Any]:
        """Starts a command in the host, in a session of its own."""

    def defaultIntf(self) -> Any:
        """The host's interface; it has a ``name``."""

    def MAC(self) -> str:
        """The MAC address of the host's interface."""


def address(number: int, ipv6: bool = False) -> str:
    """The main address of host ``number``, 1 to 254."""
    return f"fd00::{number:x}" if ipv6 else f"10.0.0.{number}"


def further_addresses(number: int, count: int, ipv6: bool = False) -> list[str]:
    """``count`` more addresses of host ``number``."""
    return [f"fd00::{number:x}:{index:x}" if ipv6 else f"10.0.{number}.{index}" for index in range(1, count + 1)]


def address_and_port(ip: str, port: int | str) -> str:
    """An address and a port as everybody here writes them: ``10.0.0.1:80``, ``[fd00::1]:80``."""
    return f"[{ip}]:{port}" if ":" in ip else f"{ip}:{port}"


def start(host: Host, command: Sequence[str]) -> subprocess.Popen[bytes]:
    """Starts a program in a host; its output is read through a pipe. Mininet's mnexec makes it the leader of a session of its
    own, so that its group can be ended alone."""
    return host.popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def listens(host: Host, port: int) -> bool:
    """Whether a program in the host accepts connections at a port."""
    return bool(host.pexec(["ss", "-ltnH", f"sport = :{port}"])[0].strip())


def configure(host: Host, congestion_control: str, more_addresses: Iterable[str] = (), limit: int = 8,
              address_v6: str | None = None) -> None:
    """Prepares a Mininet host: checksums in software, MPTCP with the given further addresses as subflow endpoints.

    ``limit``: subflows beyond the first that the host opens or accepts per connection, 0 to 8 (the kernel's most);
    ``address_v6``: its main IPv6 address, or None for a host without.
    """
    interface = host.defaultIntf().name
    commands = [
        # Open vSwitch in user space passes frames on as they are: with offloading their checksums would be missing.
        f"ethtool -K {interface} tx off",
        "sysctl -q -w net.mptcp.enabled=1 "
        f"net.ipv4.tcp_congestion_control={congestion_control}",
        # A host whose SYNs are lost for some seconds does without MPTCP for an hour (-e: Linux before 6.12 has no such setting).
        "sysctl -q -e -w net.mptcp.blackhole_timeout=0",
        *_ipv6(interface, address_v6),
        f"ip mptcp limits set subflow {limit} add_addr_accepted {limit}",
        "ip mptcp endpoint flush",
    ]
    for extra in more_addresses:
        # preferred_lft 0: the kernel does not choose these addresses by itself, only MPTCP uses them.
        how = f"{extra}/{PREFIX_V6} nodad preferred_lft 0" if ":" in extra else f"{extra}/{PREFIX}"
        commands.append(f"ip address add {how} dev {interface}")
        commands.append(f"ip mptcp endpoint add {extra} dev {interface} subflow")
    for command in commands:
        out, err, status = host.pexec(command)
        if status:
            raise LabError(f"{host.name}: {command}: {(err or out).strip()}")


def _ipv6(interface: str, address_v6: str | None) -> list[str]:
    """Commands; without IPv6 a host is silent, with it there is nothing but the one address given: no link-local one, no
    router asked for."""
    if not address_v6:
        return ["sysctl -q -w net.ipv6.conf.all.disable_ipv6=1"]
    here = f"net.ipv6.conf.{interface}"
    return [f"sysctl -q -w {here}.addr_gen_mode=1 {here}.accept_ra=0 {here}.router_solicitations=0 {here}.disable_ipv6=0",
            f"ip address add {address_v6}/{PREFIX_V6} dev {interface} nodad"]
