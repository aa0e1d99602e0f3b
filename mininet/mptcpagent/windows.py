# SPDX-License-Identifier: Apache-2.0
"""Window control in place of limits: each subflow that has a path gets a congestion control, one of ours in BPF or one of the
kernel's own.

One of ours is registered under a name of this process's own, because all namespaces of a machine share the names. A link keeps
it: the name goes with the last process that holds it. Before Linux 6.4 there are no such links, and it goes with ``withdraw``.
A subflow that still has it then keeps it to its end.
Linux 6.1 and later with BTF; the capabilities BPF, PERFMON and NET_ADMIN.
"""

import os
import re
import struct
from collections.abc import Mapping, Set
from pathlib import Path

from .compiling import compiled
from .errors import AgentError, Unusable
from .libbpf import Program
from .limits import ETHERNET_MTU, Applied, Limits, payload_rate
from .subflow import Ends

OURS = ("smptcp", "smptcp-published", "emptcp", "emptcp-published", "lia", "olia", "balia", "wvegas", "ewtcp",
        "ewtcp-published", "coupled", "semicoupled")
"""Each has a file ``NAME.bpf.c``. ``-published``: of that file, with a formula as it is printed, or over the control that the
paper has it over."""

NEED_RATES = ("smptcp", "smptcp-published")
"""Those of them that go by what a controller expects."""

_LETTERS, _OWN = 6, 4
"""Of a name that the kernel gets: at most so many letters of ours, before the namespace; so many digits of the process, at its
end."""

_OUTCOME = struct.Struct("=36si")
_RATE = struct.Struct("=I")
_PLACES = (b"OWN.00000000000", b"OLD.00000000000")
"""In the object, for the names of this congestion control and of the one to go back to."""

_SETTINGS = Path("/proc/sys/net/ipv4")


class Windows:
    """The backends that are named as a congestion control."""

    def __init__(self, control: str, cache: Path | None = None, settings: Path = _SETTINGS) -> None:
        """``control``: one of ``OURS`` or of the kernel's; ``cache``: as for ``Pacing``. Unusable if it does not work."""
        self.name = control
        self._available = settings / "tcp_available_congestion_control"
        self.before = _read(settings / "tcp_congestion_control")
        if control in OURS:
            self.given = f"{_program(control)[:_LETTERS]}_{_namespace()}{_process()}"
        else:
            available = _read(self._available).split()
            if control not in available:
                raise Unusable(f"there is no congestion control {control or 'without a name'}: this kernel has "
                               f"{', '.join(available)}, this agent {', '.join(OURS)}")
            self.given = control
        code = compiled_for(control, cache)
        self._program = Program(named(code, self.given, self.before), ("choose", "leave"), "rates",
                                "control" if control in OURS else None)
        self._marks = settings / "tcp_ecn" if _program(control) == "emptcp" else None
        # Now, so that the watchdog, too, knows how it was.
        self._marks_before = _read(self._marks) if self._marks else ""
        self._rates: dict[Ends, int] = {}
        self._chosen: set[Ends] = set()

    def require_alone(self) -> None:
        """Unusable if another agent of this network namespace has a congestion control of ours: they would take subflows from
        each other. Of two that start at once, the one that asks last is refused."""
        others = [name for name in _read(self._available).split()
                  if re.fullmatch(rf"\w+_{_namespace()}[0-9a-f]{{{_OWN}}}", name) and name[-_OWN:] != _process()]
        if others:
            raise Unusable(f"another agent of this host gives subflows a congestion control, {others[0]}: end it first")

    def apply(self, limits: Limits, mtus: Mapping[Ends, int], came: Set[Ends] = frozenset()) -> Applied:
        """Tells the windows of these subflows what is expected of them; those that have no window of ours get one. A subflow
        that is no longer named keeps its window, without an expected throughput."""
        rates = {ends: payload_rate(mbps, ends, mtus.get(ends, ETHERNET_MTU)) for ends, mbps in limits.items()}
        self._mark("1")
        for ends in self._rates.keys() - rates.keys():
            self._program.remove(ends)
        for ends, rate in rates.items():
            if self._rates.get(ends) != rate:
                self._program.put(ends, _RATE.pack(rate))
        self._rates = rates
        self._chosen -= came
        if rates.keys() - self._chosen:
            self._chosen = {ends for ends, error in _OUTCOME.iter_unpack(self._program.run("choose")) if not error}
        limited = len(rates.keys() & self._chosen)
        return Applied(limited, len(rates) - limited)

    def release(self) -> None:
        """As ``Backend.release``: the subflows get the congestion control of this host's other connections."""
        for ends in self._rates:
            self._program.remove(ends)
        self._rates = {}
        self._chosen = set()
        self._program.run("leave")
        self._mark(self._marks_before)

    def withdraw(self) -> None:
        """For the end of agent and watchdog: no subflow gets a congestion control of ours any more."""
        self._program.withdraw()

    def _mark(self, wanted: str) -> None:
        """Whether connections that begin ask for marks (RFC 3168): 1 for yes."""
        if self._marks and _read(self._marks) != wanted:
            try:
                self._marks.write_text(wanted, encoding="ascii")
            except OSError as failure:
                raise AgentError(f"{self._marks}: {failure.strerror}") from None


def compiled_for(control: str, cache: Path | None) -> bytes:
    """The BPF object that gives subflows a congestion control, as ``compiled``."""
    if control not in OURS:
        return compiled("given", cache)
    return compiled(_program(control), cache, ["-DPUBLISHED=1"] if control != _program(control) else [])


def _namespace() -> str:
    return f"{os.stat('/proc/self/ns/net').st_ino & 0xffff:04x}"


def _process() -> str:
    return f"{os.getpid() & 0xffff:04x}"


def _program(control: str) -> str:
    return control.partition("-")[0]


def named(code: bytes, own: str, other: str) -> bytes:
    """The object with both names in their places. Unusable if it has none."""
    for place, name in zip(_PLACES, (own, other)):
        if place not in code:
            raise Unusable("the BPF object has no place for its name: remove it from the cache")
        code = code.replace(place, name.encode("ascii")[:len(place)].ljust(len(place), b"\0"))
    return code


def _read(setting: Path) -> str:
    try:
        return setting.read_text(encoding="ascii").strip()
    except OSError as failure:
        raise Unusable(f"{setting}: {failure.strerror}") from None
