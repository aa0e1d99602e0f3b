# SPDX-License-Identifier: Apache-2.0
"""Reads the counters of switches and kernels, so that the application's own figures can be compared with them.

Rates are taken from counters of Ethernet frames: of the flow rules at a subflow's last switch, where what was dropped
on the way is no longer counted, and of the switches' interfaces, behind the rate limit.
"""

import re
import threading
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from .errors import LabError
from .hosts import Host, address_and_port
from .processes import run

Counter = tuple[str] | tuple[str, str, str]
"""``(interface,)``, or ``(switch, source, destination)`` for a rule."""

_COUNT = re.compile(r"flow_count=(\d+)")
_TOKEN = re.compile(r"tcp-ulp-mptcp .*token:[0-9a-f]+\(id:\d+\)/([0-9a-f]+)\(id:")
_CARRIED = re.compile(r" bytes_(?:sent|received):(\d+)")
_SENDING_TIME = re.compile(r" rtt:([0-9.]+)/.* unacked:\d")
_FLOW = re.compile(r"n_bytes=(\d+),.*[ ,]tcp6?,([^ ]+)")


def flow_bytes(switch: str) -> dict[tuple[str, str], int]:
    """Bytes by (source, destination), each ``"ip:port"``, of a switch's exact TCP rules. What passes the switch before a router
    and behind it, and so has rules with two pairs of MAC addresses, counts once."""
    counted: dict[tuple[str, str], dict[tuple[str, str], int]] = {}
    for line in run(["ovs-ofctl", "-O", "OpenFlow13", "dump-flows", switch], f"reading {switch}'s rules").splitlines():
        found = _FLOW.search(line)
        if not found:
            continue
        match = dict(part.split("=", 1) for part in found[2].split(",") if "=" in part)
        ip = "ipv6" if "ipv6_src" in match else "nw"
        if {f"{ip}_src", f"{ip}_dst", "tp_src", "tp_dst"} <= match.keys():
            ends = (address_and_port(match[f"{ip}_src"], match["tp_src"]),
                    address_and_port(match[f"{ip}_dst"], match["tp_dst"]))
            by_macs, macs = counted.setdefault(ends, {}), (match.get("dl_src", ""), match.get("dl_dst", ""))
            by_macs[macs] = by_macs.get(macs, 0) + int(found[1])
    return {ends: max(by_macs.values()) for ends, by_macs in counted.items()}


def rule_count(switch: str, matching: str = "") -> int:
    """The rules in all tables of a switch; with ``matching``, as in ``tcp``, those whose match is that or part of it."""
    told = run(["ovs-ofctl", "-O", "OpenFlow13", "dump-aggregate", switch, *([matching] if matching else [])],
               f"counting {switch}'s rules")
    found = _COUNT.search(told)
    if not found:
        raise LabError(f"counting {switch}'s rules: {told.strip()}")
    return int(found[1])


def sent_bytes() -> dict[str, int]:
    """Bytes sent by interface name, from the kernel of this namespace."""
    return _interface_bytes(Path("/proc/net/dev").read_text(encoding="ascii"), 8)


def received_bytes(host: Host) -> int:
    """Bytes that a host's kernel has received from others, at all interfaces."""
    counted = _interface_bytes(host.pexec(["cat", "/proc/net/dev"])[0], 0)
    return sum(count for name, count in counted.items() if name != "lo")


def _interface_bytes(table: str, column: int) -> dict[str, int]:
    counted = {}
    for line in table.splitlines():
        name, colon, numbers = line.partition(":")
        if colon:
            counted[name.strip()] = int(numbers.split()[column])
    return counted


def kernel_subflows(host: Host) -> list[tuple[str, str]]:
    """The subflows that a host's kernel has: sorted (local, remote), each ``"ip:port"``, connections that are open."""
    return sorted({subflow for _, subflows in kernel_connections(host) for subflow in subflows})


def kernel_connections(host: Host, port: int | None = None) -> list[tuple[int, list[tuple[str, str]]]]:
    """The MPTCP connections that a host's kernel has, the one that has carried most first: bytes in both directions, and subflows
    as in `kernel_subflows`.

    ``port``: of the other host; the kernel itself leaves out connections to others, of which there may be thousands.
    """
    chosen = [] if port is None else [f"( dport = :{port} )"]
    out, err, status = host.pexec(["ss", "-tniHO", "state", "established", *chosen])
    if status:
        raise LabError(f"ss on {host.name}: {err.strip()}")
    carried: dict[str, int] = {}
    found: dict[str, list[tuple[str, str]]] = {}
    for line in out.splitlines():
        if "tcp-ulp-mptcp" in line:
            local, remote = line.split()[2:4]
            # The host's own token stands for the connection.
            token = _TOKEN.search(line)
            name = token[1] if token else local
            found.setdefault(name, []).append((_plain(local), _plain(remote)))
            carried[name] = carried.get(name, 0) + sum(int(count) for count in _CARRIED.findall(line))
    return sorted(((carried[name], found[name]) for name in found), key=lambda one: -one[0])


def plain_connections(host: Host) -> list[tuple[int, str]]:
    """The connections over plain TCP that a host's kernel has: bytes in both directions, and the other end as ``"ip:port"``."""
    out = host.pexec(["ss", "-tniHO", "state", "established"])[0]
    return [(sum(int(count) for count in _CARRIED.findall(line)), _plain(line.split()[3]))
            for line in out.splitlines() if "tcp-ulp-mptcp" not in line]


def subflow_times(host: Host) -> list[float]:
    """The smoothed round-trip times, in milliseconds, of a host's subflows of which something is under way."""
    out = host.pexec(["ss", "-tinHO", "state", "established"])[0]
    return [float(found[1]) for line in out.splitlines() if "tcp-ulp-mptcp" in line and (found := _SENDING_TIME.search(line))]


class SubflowTimes(threading.Thread):
    """Samples the round-trip times of all subflows that send from some hosts, in milliseconds, until ``stop``."""

    _FIRST_SECONDS = 2
    """Of a transfer; they do not count: paths and windows come about meanwhile."""

    _EVERY_SECONDS = 0.25

    def __init__(self, hosts: Sequence[Host]) -> None:
        super().__init__(daemon=True)
        self._hosts, self._end = hosts, threading.Event()
        self.found: list[float] = []

    def run(self) -> None:
        if self._end.wait(self._FIRST_SECONDS):
            return
        while not self._end.wait(self._EVERY_SECONDS):
            for host in self._hosts:
                self.found += subflow_times(host)

    def stop(self) -> None:
        """Ends it."""
        self._end.set()
        self.join()


def segments(hosts: Iterable[Host]) -> tuple[int, int]:
    """How many TCP segments hosts have sent, and how many of them again."""
    sent = again = 0
    for host in hosts:
        table = host.pexec(["cat", "/proc/net/snmp"])[0]
        names, values = [line.split()[1:] for line in table.splitlines() if line.startswith("Tcp:")]
        found = dict(zip(names, map(int, values)))
        try:
            sent, again = sent + found["OutSegs"], again + found["RetransSegs"]
        except KeyError as missing:
            raise LabError(f"{host.name}: no counter {missing} in /proc/net/snmp") from None
    return sent, again


def _plain(end: str) -> str:
    """``10.0.1.1%h1-eth0:38847`` without the interface."""
    return re.sub(r"%[^:\]]+", "", end)


class Sampler(threading.Thread):
    """Reads counters every half second while a transfer runs: rules of the given switches, all interfaces.

    A counter that goes back began anew (a rule was replaced); what it had counted stays counted.
    """

    def __init__(self, switches: Iterable[str], every: float = 0.5) -> None:
        super().__init__(daemon=True)
        self._switches = sorted(switches)
        self._every = every
        self._end = threading.Event()
        self._last: dict[Counter, int] = {}
        self._sums: dict[Counter, int] = {}
        self._history: list[tuple[float, dict[Counter, int]]] = []

    def run(self) -> None:
        while True:
            self._sample()
            if self._end.wait(self._every):
                return

    def stop(self) -> None:
        """Ends it after the sample it is at."""
        self._end.set()
        self.join()

    def rate(self, counter: Counter, begin: float, end: float) -> float:
        """Mean of a counter between two times (``time.monotonic``), Mbit/s.

        ``counter``: ``(switch, source, destination)`` for a rule, ``(interface,)`` for an interface.
        """
        inside = [(when, sums) for when, sums in self._history if begin <= when <= end]
        if len(inside) < 2:
            return 0.0
        (first, then), (last, now) = inside[0], inside[-1]
        return max(0, now.get(counter, 0) - then.get(counter, 0)) * 8e-6 / (last - first)

    def _sample(self) -> None:
        now: dict[Counter, int] = {(name,): count for name, count in sent_bytes().items()}
        for switch in self._switches:
            for ends, count in flow_bytes(switch).items():
                now[(switch, *ends)] = count
        when = time.monotonic()
        for counter, count in now.items():
            last = self._last.get(counter, 0)
            self._sums[counter] = self._sums.get(counter, 0) + (count - last if count >= last else count)
        self._last = now
        self._history.append((when, dict(self._sums)))
