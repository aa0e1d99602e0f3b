# SPDX-License-Identifier: Apache-2.0
"""Hosts with kernel MPTCP, with one network interface or several.

A client gets as many addresses as it shall have subflows: the kernel's path manager opens one subflow from each. Host n has
10.0.0.n and, as further addresses, 10.0.n.1, 10.0.n.2, …; over IPv6 fd00::n, fd00::n:1, fd00::n:2, … They go round the host's
interfaces: the main address is on the first one, 10.0.n.1 on the second, if there is one.

All hosts are in one subnet, unless there is a router: then servers are in the second one, 10.1.0.n, 10.1.n.1, … and
fd00:0:0:1::n, … So a host with several interfaces needs source-based routing: what it sends from an address of a further
interface takes that interface, by a routing table of its own.
"""

import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from .errors import LabError

PREFIX, PREFIX_V6 = 16, 64
NETWORK, NETWORK_V6 = f"10.0.0.0/{PREFIX}", f"fd00::/{PREFIX_V6}"
CLIENTS_SUBNET, SERVERS_SUBNET = 0, 1
"""Numbers of subnets."""

_FIRST_TABLE = 100
"""The routing table of a host's interface 1; interface 0 has the main one."""


class Host(Protocol):
    """The part of a Mininet host that is used here; Mininet itself has no type hints."""

    name: str
    pid: int

    def pexec(self, command: str | Sequence[str]) -> tuple[str, str, int]:
        """Runs a command in the host to its end: (standard output, standard error, status)."""

    def popen(self, command: Sequence[str], **options: Any) -> subprocess.Popen[Any]:
        """Starts a command in the host, in a session of its own."""

    def defaultIntf(self) -> Any:
        """The host's first interface; it has a ``name``."""

    def MAC(self) -> str:
        """The MAC address of the host's first interface."""


@dataclass(frozen=True)
class Plan:
    """What a host is to have.

    ``number`` of the host; ``interfaces``: how many; ``addresses`` in the IP version that MPTCP uses, the main one first;
    ``limit``: subflows beyond the first that it opens or accepts per connection, 0 to 8 (the kernel's most); ``ipv6``: whether
    it has IPv6 as well; ``opens``: whether it opens subflows from its further addresses, instead of telling of them;
    ``everywhere``: whether it opens one to each address of the other host; ``subnet``: the number of its subnet; ``routed``:
    whether the subnet has a `gateway`.
    """

    number: int
    interfaces: int
    addresses: Sequence[str]
    limit: int = 8
    ipv6: bool = False
    opens: bool = True
    everywhere: bool = False
    subnet: int = CLIENTS_SUBNET
    routed: bool = False


def address(number: int, ipv6: bool = False, subnet: int = CLIENTS_SUBNET) -> str:
    """The main address of host ``number``, 1 to 254."""
    return f"{_prefix_v6(subnet)}::{number:x}" if ipv6 else f"10.{subnet}.0.{number}"


def further_addresses(number: int, count: int, ipv6: bool = False, subnet: int = CLIENTS_SUBNET) -> list[str]:
    """``count`` more addresses of host ``number``."""
    return [f"{_prefix_v6(subnet)}::{number:x}:{index:x}" if ipv6 else f"10.{subnet}.{number}.{index}"
            for index in range(1, count + 1)]


def gateway(subnet: int, ipv6: bool = False) -> str:
    """The router's address in a subnet."""
    return f"{_prefix_v6(subnet)}::fffe" if ipv6 else f"10.{subnet}.255.254"


def _prefix_v6(subnet: int) -> str:
    return f"fd00:0:0:{subnet:x}" if subnet else "fd00"


def address_and_port(ip: str, port: int | str) -> str:
    """An address and a port as everybody here writes them: ``10.0.0.1:80``, ``[fd00::1]:80``."""
    return f"[{ip}]:{port}" if ":" in ip else f"{ip}:{port}"


def address_of(end: str) -> str:
    """The address of an end as `address_and_port` writes it."""
    return end.rpartition(":")[0].strip("[]")


def start(host: Host, command: Sequence[str]) -> subprocess.Popen[bytes]:
    """Starts a program in a host; its output is read through a pipe. Mininet's mnexec makes it the leader of a session of its
    own, so that its group can be ended alone."""
    return host.popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def listens(host: Host, port: int) -> bool:
    """Whether a program in the host accepts connections at a port."""
    return bool(host.pexec(["ss", "-ltnH", f"sport = :{port}"])[0].strip())


def mac(number: int, index: int) -> str:
    """The MAC address of interface ``index`` of host ``number``."""
    return f"00:00:00:00:{index:02x}:{number:02x}"


def interface(host: Host, index: int) -> str:
    """The name of a host's interface, which begin with 0."""
    return f"{host.name}-eth{index}"


def configure(host: Host, congestion_control: str, plan: Plan) -> None:
    """Prepares a Mininet host: checksums in software, its addresses and routes, and MPTCP with endpoints for its further
    addresses. LabError if the kernel refuses any of it."""
    for command in _commands(host, congestion_control, plan):
        do(host, command)


def set_interface(host: Host, plan: Plan, index: int, up: bool) -> None:
    """Takes an interface of a host down inside the host, or up again with its routes, which the kernel forgets. LabError if
    the kernel refuses."""
    do(host, f"ip link set {interface(host, index)} {'up' if up else 'down'}")
    if up:
        for command in _routes(host, plan, index):
            do(host, command)


def do(host: Host, command: str) -> None:
    """Runs a command in a host; LabError with its own words if it fails."""
    out, err, status = host.pexec(command)
    if status:
        raise LabError(f"{host.name}: {command}: {(err or out).strip()}")


def _commands(host: Host, congestion_control: str, plan: Plan) -> Iterator[str]:
    # Open vSwitch in user space passes frames on as they are: with offloading their checksums would be missing.
    for index in range(plan.interfaces):
        yield f"ethtool -K {interface(host, index)} tx off"
    yield f"sysctl -q -w net.mptcp.enabled=1 net.ipv4.tcp_congestion_control={congestion_control}"
    # A host whose SYNs are lost for some seconds does without MPTCP for an hour (-e: Linux before 6.12 has no such setting).
    yield "sysctl -q -e -w net.mptcp.blackhole_timeout=0"
    if not plan.ipv6:
        yield "sysctl -q -w net.ipv6.conf.all.disable_ipv6=1"
    else:
        yield from _ipv6(interface(host, 0), address(plan.number, True, plan.subnet))
    yield from _routes(host, plan, 0)
    if plan.interfaces > 1:
        # Each interface answers for its own addresses only, and asks in their name.
        yield "sysctl -q -w net.ipv4.conf.all.arp_ignore=1 net.ipv4.conf.all.arp_announce=2"
    for index in range(1, plan.interfaces):
        yield from _further_interface(host, plan, index)
    yield f"ip mptcp limits set subflow {plan.limit} add_addr_accepted {plan.limit}"
    yield "ip mptcp endpoint flush"
    yield from _endpoints(host, plan)


def _further_interface(host: Host, plan: Plan, index: int) -> Iterator[str]:
    name, table = interface(host, index), _FIRST_TABLE + index
    yield f"ip link set {name} up"
    homes = further_addresses(plan.number, index)[-1:]
    if plan.ipv6:
        homes += further_addresses(plan.number, index, ipv6=True)[-1:]
        yield from _ipv6(name, homes[-1], 128)
    yield f"ip address add {homes[0]}/32 dev {name}"
    for home in homes:
        yield f"ip {_family(home)} rule add from {home} lookup {table}"
        # While the interface is down, nothing leaves another one in its name.
        yield f"ip {_family(home)} route add unreachable default metric 9999 table {table}"
    yield from _routes(host, plan, index)


def _routes(host: Host, plan: Plan, index: int) -> Iterator[str]:
    """What goes when an interface goes down."""
    if not index:
        for ipv6 in [False, *[True] * plan.ipv6] if plan.routed else []:
            yield f"ip {'-6' if ipv6 else '-4'} route replace default via {gateway(plan.subnet, ipv6)} dev {interface(host, 0)}"
        return
    for network in [NETWORK, *[NETWORK_V6] * plan.ipv6]:
        yield f"ip {_family(network)} route replace {network} dev {interface(host, index)} table {_FIRST_TABLE + index}"


def _endpoints(host: Host, plan: Plan) -> Iterator[str]:
    """The kernel's path manager opens a subflow from each endpoint, or tells the other host of it."""
    how = "subflow fullmesh" if plan.everywhere else "subflow" if plan.opens else "signal"
    for place, here in enumerate(plan.addresses):
        index = place % plan.interfaces
        name = interface(host, index)
        if place >= plan.interfaces:
            # preferred_lft 0: the kernel does not choose these addresses by itself, only MPTCP uses them.
            length, more = (PREFIX_V6, " nodad preferred_lft 0") if ":" in here else (PREFIX, "")
            if index:
                length = 128 if ":" in here else 32
                yield f"ip {_family(here)} rule add from {here} lookup {_FIRST_TABLE + index}"
            yield f"ip address add {here}/{length}{more} dev {name}"
        if place or plan.everywhere:
            yield f"ip mptcp endpoint add {here} dev {name} {how}"


def _family(address_or_network: str) -> str:
    return "-6" if ":" in address_or_network else "-4"


def _ipv6(name: str, home: str, length: int = PREFIX_V6) -> list[str]:
    """Commands; without IPv6 a host is silent, with it there is nothing but the one address given: no link-local one, no
    router asked for."""
    here = f"net.ipv6.conf.{name}"
    # A router of one interface cannot be kept from redirecting hosts past it, as with IPv4.
    return [f"sysctl -q -w {here}.addr_gen_mode=1 {here}.accept_ra=0 {here}.router_solicitations=0 {here}.disable_ipv6=0 "
            f"{here}.keep_addr_on_down=1 {here}.accept_redirects=0",
            f"ip address add {home}/{length} dev {name} nodad"]
