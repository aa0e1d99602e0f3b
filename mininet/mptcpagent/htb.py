# SPDX-License-Identifier: Apache-2.0
"""Limits by queueing: one HTB class and one u32 filter for each subflow, on the interface of this host. For kernels without BPF.

What waits in a class when its rate goes down holds up the connection, so pacing is better.
"""

import contextlib
import json
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

from .errors import AgentError, Unusable
from .limits import Applied, Limits
from .subflow import Ends, addresses, is_ipv4, ports

_OUR_HANDLE = "ea00:"
_FIRST, _MOST = 0x6000, 4096
"""Classes have these minor numbers, and filters these preferences: others' are smaller."""

_CLASS = re.compile(r"^class htb [0-9a-f]+:([0-9a-f]+) ", re.M)
"""As tc shows one. Not every version has JSON for classes."""

_LEAST_BURST, _BURST_SECONDS = 15140, 0.001
_SECONDS = 20


class Htb:
    """The backend ``htb``. It adds to an HTB that is the interface's root already, or puts one in the place of the kernel's
    default; a discipline that somebody has chosen stays, and then it does not work."""

    name = "htb"

    def __init__(self, interface: str) -> None:
        """Unusable if the interface or the kernel does not take it."""
        self._interface = interface
        self._handle = _handle(interface)
        self._free = _numbers()
        self._numbers: dict[Ends, int] = {}
        self._rates: Limits = {}

    def apply(self, limits: Limits, mtus: Mapping[Ends, int], came: Set[Ends] = frozenset()) -> Applied:
        """As ``Backend.apply``. Classes and filters are there before a subflow is."""
        before = self._rates
        if limits and not self._handle:
            self._handle = _handle(self._interface)
        kept = dict(list(limits.items())[:_MOST])
        try:
            _batch([*self._removed(ends for ends in before if ends not in kept),
                    *(self._class("change", ends, rate) for ends, rate in kept.items() if before.get(ends, rate) < rate),
                    *(self._class("change", ends, rate) for ends, rate in kept.items() if before.get(ends, rate) > rate),
                    *(line for ends in kept if ends not in before for line in self._added(ends, kept[ends]))])
        except AgentError:
            self.release()
            raise
        self._rates = kept
        return Applied(len(kept), len(limits) - len(kept))

    def release(self) -> None:
        """As ``Backend.release``."""
        self._rates, self._numbers, self._free = {}, {}, _numbers()
        if self._handle == _OUR_HANDLE:
            # Gone already, if another process has released as well.
            _batch([f"qdisc del dev {self._interface} root"], force=True)
            self._handle = ""
        if not self._handle:
            return
        shown = _run(["tc", "class", "show", "dev", self._interface])
        minors = [int(minor, 16) for minor in _CLASS.findall(shown)]
        _batch([line for minor in minors if _FIRST <= minor < _FIRST + _MOST for line in self._gone(minor)], force=True)

    def _added(self, ends: Ends, mbps: float) -> Sequence[str]:
        self._numbers[ends] = self._free.pop()
        return [self._class("add", ends, mbps), self._filter(ends)]

    def _removed(self, gone: Iterable[Ends]) -> list[str]:
        numbers = [self._numbers.pop(ends) for ends in gone]
        self._free += numbers
        return [line for number in numbers for line in self._gone(number)]

    def _gone(self, number: int) -> Sequence[str]:
        return [f"filter del dev {self._interface} parent {self._handle} pref {number}",
                f"class del dev {self._interface} classid {self._handle}{number:x}"]

    def _class(self, verb: str, ends: Ends, mbps: float) -> str:
        burst = max(_LEAST_BURST, round(mbps * 1e6 / 8 * _BURST_SECONDS))
        return (f"class {verb} dev {self._interface} parent {self._handle} classid {self._handle}{self._numbers[ends]:x} "
                f"htb rate {round(mbps * 1e6)}bit burst {burst} quantum 1514")

    def _filter(self, ends: Ends) -> str:
        number, (local, remote), (local_port, remote_port) = self._numbers[ends], addresses(ends), ports(ends)
        protocol, match, bits, after = ("ip", "ip", 32, "match ip protocol 6 0xff") if is_ipv4(ends) else (
            "ipv6", "ip6", 128, "match ip6 protocol 6 0xff")
        return (f"filter add dev {self._interface} parent {self._handle} protocol {protocol} pref {number} u32 "
                f"match {match} src {local}/{bits} match {match} dst {remote}/{bits} {after} "
                f"match {match} sport {local_port} 0xffff match {match} dport {remote_port} 0xffff "
                f"flowid {self._handle}{number:x}")


def interface_of(address: str) -> str:
    """The interface that has an address; Unusable if none has."""
    try:
        found = json.loads(_run(["ip", "-j", "address", "show"]))
    except (AgentError, ValueError):
        found = []
    for interface in found:
        if any(one.get("local") == address for one in interface.get("addr_info", ())):
            return interface["ifname"]
    raise Unusable(f"no interface of this host has the address {address}: give --interface")


def _numbers() -> list[int]:
    """All numbers for classes, the first to be used last."""
    return list(range(_FIRST, _FIRST + _MOST))[::-1]


def _handle(interface: str) -> str:
    """The handle of the HTB that is, or now becomes, the root of an interface."""
    try:
        root = next((one for one in _qdiscs(interface) if one.get("root")), {"kind": "noqueue", "handle": "0:"})
        if root["kind"] == "htb":
            return root["handle"]
        if root["handle"] != "0:":
            raise Unusable(f"{interface} has a queueing discipline of its own ({root['kind']}): remove it, or use BPF")
        _batch([f"qdisc add dev {interface} root handle {_OUR_HANDLE} htb"])
    except Unusable:
        raise
    except AgentError as failure:
        raise Unusable(f"no HTB on {interface}: {failure}") from None
    return _OUR_HANDLE


def _qdiscs(interface: str) -> list[dict[str, Any]]:
    try:
        return json.loads(_run(["tc", "-j", "qdisc", "show", "dev", interface]))
    except ValueError:
        raise AgentError("tc qdisc show gives no JSON") from None


def _batch(lines: Sequence[str], force: bool = False) -> None:
    if lines:
        with contextlib.suppress(AgentError) if force else contextlib.nullcontext():
            _run(["tc", *["-force"] * force, "-batch", "-"], "\n".join(lines) + "\n")


def _run(command: Sequence[str], text: str = "") -> str:
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as failure:
        raise AgentError(f"{command[0]}: {failure}") from None
    if done.returncode:
        said = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        raise AgentError(f"{command[0]}: {said[0] if said else f'status {done.returncode}'}")
    return done.stdout
